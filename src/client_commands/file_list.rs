//! The lists of files that `publish` and `info` print.

use std::fmt::Write;

use indicatif::HumanBytes;
use registry::package::FileRecord;

use crate::output::escape_line;

/// The most files that the receipt of a publication lists.
const MAX_LISTED: usize = 20;

/// The paths of published files, one in each line. Only the first are listed.
pub fn paths(files: &[FileRecord]) -> String {
    let mut text = String::new();
    for file in files.iter().take(MAX_LISTED) {
        let _ = writeln!(text, "  {}", escape_line(&file.path));
    }
    match files.len().saturating_sub(MAX_LISTED) {
        0 => {}
        more => {
            let _ = writeln!(text, "  and {more} more: --dry-run lists all of them");
        }
    }
    text
}

/// The sizes and paths of files, one in each line.
pub fn with_sizes<'f>(files: impl IntoIterator<Item = (&'f str, u64)>) -> String {
    let mut text = String::new();
    for (path, size) in files {
        let _ = writeln!(text, "{:>12}  {}", HumanBytes(size).to_string(), escape_line(path));
    }
    text
}
