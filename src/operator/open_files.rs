//! The number of files that the process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files for the journal, the tree and the threads that write it.
const RESERVED: u64 = 128;

/// Raises the limit of open files as far as the system allows, and returns how many connections it
/// leaves room for: each may need a second file, the document that it sends.
pub fn max_connections() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // Without a new limit the old one stays.
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
    let files = if raised { maximum } else { current };
    connections_for(files)
}

/// `None` stands for no limit.
fn connections_for(files: Option<u64>) -> usize {
    let connections = files.map_or(u64::MAX, |files| (files.saturating_sub(RESERVED) / 2).max(1));
    usize::try_from(connections).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_files_without_the_reserved_ones_are_for_connections() {
        assert_eq!(connections_for(Some(1024)), 448);
        assert_eq!(connections_for(Some(10)), 1);
        assert_eq!(connections_for(None), usize::MAX);
    }
}
