//! The commands for people who write skills. They work without a registry, except `diff`.

pub mod check;
pub mod diff;
pub mod init;
pub mod pack;

use std::path::Path;

use client::publish::local_package::folder_of_skill_md;
use registry::package::PackagePath;

use crate::output::{escape_line, print_note};

/// Checks the path of a file in a package.
pub fn package_path(text: &str) -> Result<String, String> {
    let path = PackagePath::parse(text.strip_prefix("./").unwrap_or(text));
    path.map(|path| path.as_str().to_owned()).map_err(|finding| finding.message)
}

/// The package that a path means: that of the folder, for its SKILL.md. A note says so unless the answer is JSON.
pub fn package_at(path: &Path, is_json: bool) -> &Path {
    let Some(folder) = folder_of_skill_md(path) else { return path };
    if !is_json {
        let (path, folder) = (escape_line(path.display()), escape_line(folder.display()));
        print_note(format_args!("`{path}` means its folder, `{folder}`"));
    }
    folder
}
