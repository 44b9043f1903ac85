//! Writes packages to files.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::{ClientError, platform};

/// Writes `zip` to the file `out`, which is replaced if it exists. `source` is the folder of the
/// skill: a file in it would be part of the next package.
///
/// Errors: `out` is in `source`, or cannot be written.
pub fn write(zip: &[u8], source: &Path, out: &Path) -> Result<(), ClientError> {
    let unusable = |why: String| ClientError::File { path: out.to_owned(), why };
    let name = out.file_name().ok_or_else(|| unusable("it is no file name".to_owned()))?;
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder).map_err(|why| unusable(why.to_string()))?;
    if source.is_dir() && fs::canonicalize(source).is_ok_and(|source| folder.starts_with(source)) {
        let why = "it is in the folder of the skill, and would be part of the next package: name a file \
                   outside, such as `--out ../skill.zip`";
        return Err(unusable(why.to_owned()));
    }
    // Readers see the old file or the whole new one.
    let mut file = new_file(&folder).map_err(|why| unusable(why.to_string()))?;
    file.write_all(zip).map_err(|why| unusable(why.to_string()))?;
    file.persist(folder.join(name)).map_err(|why| unusable(why.error.to_string()))?;
    Ok(())
}

/// A temporary file that others may read as far as other new files of the user.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    platform::set_mode(&mut builder, 0o666);
    builder.tempfile_in(folder)
}
