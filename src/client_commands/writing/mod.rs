//! The commands for people who write skills. They work without a registry, except `diff`.

pub mod check;
pub mod diff;
pub mod init;
pub mod pack;

use registry::package::PackagePath;

/// Checks the path of a file in a package.
pub fn package_path(text: &str) -> Result<String, String> {
    let path = PackagePath::parse(text.strip_prefix("./").unwrap_or(text));
    path.map(|path| path.as_str().to_owned()).map_err(|finding| finding.message)
}
