//! The header `User-Agent` of programs that read registries. Access logs of every host can have it, so it
//! also says which reads of packages are no downloads.

/// The mark in a user agent that says that a package is not read for use: to compare it, or to copy the
/// registry. Hosts, caches and proxies pass it on, and no answer depends on it. No name of a skill has a parenthesis.
pub const NOT_A_DOWNLOAD: &str = "(not-a-download";

/// [`NOT_A_DOWNLOAD`] in a log that encodes the user agent as in an address.
pub const NOT_A_DOWNLOAD_ENCODED: &str = "%28not-a-download";

/// The user agent of this release.
pub const USER_AGENT: &str = concat!("skillmirror/", env!("CARGO_PKG_VERSION"));

/// The user agent of this release for reads that are no downloads.
pub const INSPECTING_USER_AGENT: &str =
    concat!("skillmirror/", env!("CARGO_PKG_VERSION"), " (", "not-a-download", ")");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inspecting_user_agent_says_that_it_downloads_nothing() {
        assert!(INSPECTING_USER_AGENT.starts_with(USER_AGENT));
        assert!(INSPECTING_USER_AGENT.contains(NOT_A_DOWNLOAD) && !USER_AGENT.contains(NOT_A_DOWNLOAD));
    }
}
