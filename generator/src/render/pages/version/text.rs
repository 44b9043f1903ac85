//! The texts of files on a version's page, from its package.

use std::io;

use registry::journal::BlobReader;
use registry::package::{FileRecord, OpenArchive, with_line_feeds};
use serde::Serialize;
use serde_json::Value;

use super::files::{in_tree_order, is_entry_file};

/// Bytes of text on a page. The package has all of it, and the page's script shows it. More would make the
/// trees of large registries much larger.
pub(super) const MAX_PAGE_BYTES: u64 = 3 << 10;

/// A shorter beginning of a text is not worth showing.
const MIN_CUT_BYTES: u64 = 1 << 10;

/// A file whose text a page may show.
#[derive(Debug, Clone)]
pub(in crate::render::pages) struct WantedText {
    position: usize,
    path: String,
    size: u64,
    /// Whether the page shows its beginning if it does not fit.
    may_be_cut: bool,
}

/// The files whose text a page may show, in the order in which they get room. The entry file is the last:
/// the skill's page shows it, too.
pub(super) fn wanted(files: &[FileRecord]) -> Vec<WantedText> {
    let mut order = in_tree_order(files);
    order.sort_by_key(|at| is_entry_file(&files[*at].path));
    let is_wanted = |at: &usize| {
        let file = &files[*at];
        let kind = file.content_type.split('/').next().unwrap_or_default();
        let is_text =
            !["image", "audio", "video", "font"].contains(&kind) || file.content_type == "image/svg+xml";
        is_text && file.size > 0 && (file.size <= MAX_PAGE_BYTES || is_entry_file(&file.path))
    };
    let wanted = order.into_iter().filter(is_wanted).map(|at| WantedText {
        position: at,
        path: files[at].path.clone(),
        size: files[at].size,
        may_be_cut: is_entry_file(&files[at].path),
    });
    wanted.collect()
}

/// The content of a page with the texts of files.
#[derive(Serialize)]
pub(in crate::render::pages) struct WithTexts<'a> {
    #[serde(flatten)]
    content: &'a Value,
    /// A text for each file of the version, by position; `None` for those that are not shown.
    texts: Vec<Option<FileText>>,
}

/// A text in lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct FileText {
    lines: Vec<String>,
    is_cut: bool,
}

impl<'a> WithTexts<'a> {
    /// Reads the texts from a package. Errors: the package cannot be read.
    pub(in crate::render::pages) fn read(
        content: &'a Value,
        wanted: &[WantedText],
        package: Box<dyn BlobReader>,
    ) -> io::Result<Self> {
        let files = content["filesTotal"].as_u64().and_then(|total| usize::try_from(total).ok());
        let mut texts = vec![None; files.unwrap_or_default()];
        let mut left = MAX_PAGE_BYTES;
        let mut archive = OpenArchive::open(package)?;
        for file in wanted {
            if file.size > left && !(file.may_be_cut && left >= MIN_CUT_BYTES) {
                continue;
            }
            let Some(bytes) = archive.read_first(&file.path, file.size, left)? else { continue };
            let is_cut = file.size > left;
            let Some(text) = text(bytes, is_cut) else { continue };
            left = left.saturating_sub(file.size);
            if let Some(place) = texts.get_mut(file.position) {
                *place = Some(text);
            }
        }
        Ok(Self { content, texts })
    }
}

/// A text in lines, or `None` for what is no text. A cut one ends with its last whole line, if it has one.
fn text(mut bytes: Vec<u8>, is_cut: bool) -> Option<FileText> {
    if is_cut {
        let line = bytes.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
        let letter = || match str::from_utf8(&bytes) {
            Err(wrong) if wrong.error_len().is_none() => wrong.valid_up_to(),
            _ => bytes.len(),
        };
        let end = line.unwrap_or_else(letter);
        bytes.truncate(end);
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = with_line_feeds(text).lines().map(str::to_owned).collect();
    Some(FileText { lines, is_cut })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], is_cut: bool) -> Option<Vec<String>> {
        text(bytes.to_vec(), is_cut).map(|text| text.lines)
    }

    #[test]
    fn text_is_split_into_lines() {
        assert_eq!(lines(b"\xef\xbb\xbfa\r\n\rb\n\nc\n", false).unwrap(), ["a", "", "b", "", "c"]);
        assert_eq!(lines(b"a\0b", false), None);
        assert_eq!(lines(b"a\xffb", false), None);
    }

    #[test]
    fn cut_text_ends_with_a_whole_line_or_letter() {
        assert_eq!(lines("a\nb\nüü".as_bytes(), true).unwrap(), ["a", "b"]);
        assert_eq!(lines(&"aü".as_bytes()[..2], true).unwrap(), ["a"]);
        assert_eq!(lines(b"a\xff", true), None);
    }
}
