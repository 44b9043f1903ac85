//! The number of files that the process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files for the journal, the tree and the threads that write it.
const RESERVED: u64 = 128;

/// Files for each private namespace: its journal, its local data, and what writes its tree.
const RESERVED_FOR_EACH: u64 = 16;

/// Raises the limit of open files as far as the system allows, and returns how many connections it
/// leaves room for beside this many private namespaces: each may need a second file, the document that it sends.
pub fn max_connections(private_namespaces: usize) -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // Without a new limit the old one stays.
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
    let files = if raised { maximum } else { current };
    connections_for(files, private_namespaces as u64)
}

/// `None` stands for no limit.
fn connections_for(files: Option<u64>, private_namespaces: u64) -> usize {
    let reserved = RESERVED + RESERVED_FOR_EACH.saturating_mul(private_namespaces);
    let connections = files.map_or(u64::MAX, |files| (files.saturating_sub(reserved) / 2).max(1));
    usize::try_from(connections).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_files_without_the_reserved_ones_are_for_connections() {
        assert_eq!(connections_for(Some(1024), 0), 448);
        assert_eq!(connections_for(Some(1024), 10), 368);
        assert_eq!(connections_for(Some(10), 0), 1);
        assert_eq!(connections_for(None, 0), usize::MAX);
    }
}
