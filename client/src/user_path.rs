//! Paths as people write them in options, variables and files: a leading `~/` is the home folder.
//!
//! A shell replaces it only at the beginning of a word, so `--dir=~/skills` and a value in quotes arrive as
//! they were written. Without this, they would name a folder `~` in the working folder.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The path that a person means.
///
/// Errors: a sentence, if the path is in the home folder of another person (`~ann`), or no home folder is known.
pub fn user_path(path: &Path) -> Result<PathBuf, String> {
    expand(path, home_folder)
}

/// The home folder of this person: an absolute path.
///
/// Errors: a sentence, if none is known.
pub fn home_folder() -> Result<PathBuf, String> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let home = home.ok_or("no home folder is known: set HOME, or write the whole path")?;
    absolute("HOME", home)
}

/// The folder that the value of a variable names. None for an empty value.
///
/// Errors: a sentence that names the variable, if the path is relative or [`user_path`] refuses it.
pub(crate) fn folder_of_variable(
    variable: &str,
    value: Option<OsString>,
    home: &Path,
) -> Result<Option<PathBuf>, String> {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
    let path =
        expand(Path::new(&value), || Ok(home.to_owned())).map_err(|why| format!("{variable}: {why}"))?;
    absolute(variable, path).map(Some)
}

fn absolute(variable: &str, path: PathBuf) -> Result<PathBuf, String> {
    if path.is_absolute() {
        return Ok(path);
    }
    let path = path.display().to_string();
    Err(format!(
        "{variable} is `{}`, which depends on the working folder: write an absolute path",
        path.escape_debug()
    ))
}

fn expand(path: &Path, home: impl FnOnce() -> Result<PathBuf, String>) -> Result<PathBuf, String> {
    let mut parts = path.components();
    let Some(Component::Normal(first)) = parts.next() else { return Ok(path.to_owned()) };
    match first.as_encoded_bytes() {
        b"~" => {
            let mut whole = home()?;
            whole.extend(parts);
            Ok(whole)
        }
        [b'~', ..] => {
            let shown = path.display().to_string();
            let shown = shown.escape_debug();
            Err(format!(
                "`{shown}` is in the home folder of another person, which is not looked up: write the whole path, or \
                 `./{shown}` for a name that begins with `~`"
            ))
        }
        _ => Ok(path.to_owned()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn leading_tilde_is_the_home_folder() {
        let expanded = |path: &str| expand(Path::new(path), || Ok("/users/zoe".into()));
        for (path, expected) in [
            ("~", "/users/zoe"),
            ("~/", "/users/zoe"),
            ("~/a/b", "/users/zoe/a/b"),
            ("~//a", "/users/zoe/a"),
            ("~/../a", "/users/zoe/../a"),
            ("./~/a", "./~/a"),
            ("a/~/b", "a/~/b"),
            ("a~", "a~"),
            ("/~/a", "/~/a"),
            ("", ""),
        ] {
            assert_eq!(expanded(path), Ok(PathBuf::from(expected)), "{path}");
        }
        for path in ["~ann", "~ann/a", "~~/a", "~+/a"] {
            let why = expanded(path).unwrap_err();
            assert!(why.contains(path) && why.contains("./~"), "{why}");
        }
    }

    #[test]
    fn folder_of_a_variable_is_absolute() {
        let folder = |value: &str| folder_of_variable("X_HOME", Some(value.into()), Path::new("/users/zoe"));
        assert_eq!(folder("~/x").unwrap(), Some("/users/zoe/x".into()));
        assert_eq!(folder("/x").unwrap(), Some("/x".into()));
        assert_eq!(folder("").unwrap(), None);
        for value in ["x", "./x", "../x", "~ann/x"] {
            let why = folder(value).unwrap_err();
            assert!(why.starts_with("X_HOME") && why.contains(value), "{why}");
        }
    }
}
