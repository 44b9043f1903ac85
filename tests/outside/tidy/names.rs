//! Names of files.

use super::assert_none;
use super::source::repository;

/// Names that say nothing.
const EMPTY_NAMES: &[&str] =
    &["utils", "util", "common", "helpers", "helper", "manager", "managers", "service", "services", "misc"];

#[test]
fn file_names_say_what_is_in_them() {
    let offenders: Vec<String> = repository(&[".rs", ".py", ".sh", ".js", ".css"])
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.split(['/', '.']).any(|piece| EMPTY_NAMES.contains(&piece)))
        .collect();
    assert_none("no file or folder is called by what it is not about", &offenders);
}

#[test]
fn no_folder_of_sources_is_called_build() {
    let offenders: Vec<String> = repository(&[".rs"])
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.split('/').any(|piece| piece == "build"))
        .collect();
    assert_none("tools skip a folder called `build`, because it usually has their output", &offenders);
}
