//! Paths in the settings: a leading `~/` is the home folder.

use std::path::PathBuf;

use client::user_path;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Reads a path, also one that may be missing.
pub fn path<'de, D: Deserializer<'de>, T: From<PathBuf>>(from: D) -> Result<T, D::Error> {
    user_path(&PathBuf::deserialize(from)?).map(T::from).map_err(D::Error::custom)
}

/// Reads a command: a program and its arguments. Only the program is a path.
pub fn command<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let mut words = Vec::<String>::deserialize(from)?;
    if let Some(program) = words.first_mut().filter(|program| program.starts_with('~')) {
        *program = user_path(program.as_ref()).map_err(D::Error::custom)?.to_string_lossy().into_owned();
    }
    Ok(words)
}
