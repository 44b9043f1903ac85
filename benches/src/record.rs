//! Writes the last table of each part into `docs/benchmarks.md`, between two marks.

use std::fs;
use std::path::PathBuf;

use crate::Failure;

/// Its path in the repository from which this was built.
fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/benchmarks.md"))
}

/// Replaces the table of `part` with `text`.
pub fn write(part: &str, text: &str) -> Result<(), Failure> {
    let page = fs::read_to_string(path())?;
    let page = replaced(&page, part, text).ok_or_else(|| format!("the page has no place for part {part}"))?;
    Ok(fs::write(path(), page)?)
}

/// The page with `text` between `<!-- part -->` and `<!-- /part -->`.
fn replaced(page: &str, part: &str, text: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {part} -->"), format!("<!-- /{part} -->"));
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{}\n{end}{after}", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_part_is_replaced() {
        let page = "x\n<!-- a -->\nold\n<!-- /a -->\ny\n<!-- b -->\n<!-- /b -->\n";
        let expected = "x\n<!-- a -->\nnew\n<!-- /a -->\ny\n<!-- b -->\n<!-- /b -->\n";
        assert_eq!(replaced(page, "a", "new\n").as_deref(), Some(expected));
        assert_eq!(replaced(page, "c", "new"), None);
    }
}
