//! The texts of files on a version's page, from its package.

use std::io;

use registry::journal::BlobReader;
use registry::package::{FileRecord, OpenArchive, with_line_feeds};
use serde::Serialize;
use serde_json::Value;

use super::files::{in_tree_order, is_entry_file};

/// Bytes of text on a page. The package has all of it, and the page's script shows it. More would make the
/// trees of large registries much larger.
const MAX_PAGE_BYTES: u64 = 3 << 10;

/// A file whose text a page may show.
#[derive(Debug, Clone)]
pub(in crate::render::pages) struct WantedText {
    position: usize,
    path: String,
    size: u64,
}

/// The files whose text a page may show, in the order in which they get room. The entry file is left out,
/// because the skill's page shows it as people read it.
pub(super) fn wanted(files: &[FileRecord]) -> Vec<WantedText> {
    let is_wanted = |at: &usize| {
        let file = &files[*at];
        let kind = file.content_type.split('/').next().unwrap_or_default();
        let is_text =
            !["image", "audio", "video", "font"].contains(&kind) || file.content_type == "image/svg+xml";
        is_text && (1..=MAX_PAGE_BYTES).contains(&file.size) && !is_entry_file(&file.path)
    };
    let wanted = in_tree_order(files).into_iter().filter(is_wanted).map(|at| WantedText {
        position: at,
        path: files[at].path.clone(),
        size: files[at].size,
    });
    wanted.collect()
}

/// The content of a page with the texts of files.
#[derive(Serialize)]
pub(in crate::render::pages) struct WithTexts<'a> {
    #[serde(flatten)]
    content: &'a Value,
    /// The lines of each file of the version, by position; `None` for those that are not shown.
    texts: Vec<Option<Vec<String>>>,
}

impl<'a> WithTexts<'a> {
    /// Reads the texts from a package, which is opened if there are any. Errors: the package cannot be read.
    pub(in crate::render::pages) fn read(
        content: &'a Value,
        wanted: &[WantedText],
        package: impl FnOnce() -> io::Result<Box<dyn BlobReader>>,
    ) -> io::Result<Self> {
        let files = content["filesTotal"].as_u64().and_then(|total| usize::try_from(total).ok());
        let mut texts = vec![None; files.unwrap_or_default()];
        if wanted.is_empty() {
            return Ok(Self { content, texts });
        }
        let mut left = MAX_PAGE_BYTES;
        let mut archive = OpenArchive::open(package()?)?;
        for file in wanted {
            if file.size > left {
                continue;
            }
            let Some(lines) = archive.read(&file.path, file.size)?.and_then(lines) else { continue };
            left -= file.size;
            if let Some(place) = texts.get_mut(file.position) {
                *place = Some(lines);
            }
        }
        Ok(Self { content, texts })
    }
}

/// The lines of a text, or `None` for what is no text.
fn lines(bytes: Vec<u8>) -> Option<Vec<String>> {
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Some(with_line_feeds(text).lines().map(str::to_owned).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_into_lines() {
        let lines = |bytes: &[u8]| lines(bytes.to_vec());
        assert_eq!(lines(b"\xef\xbb\xbfa\r\n\rb\n\nc\n").unwrap(), ["a", "", "b", "", "c"]);
        assert_eq!(lines(b"a\0b"), None);
        assert_eq!(lines(b"a\xffb"), None);
    }
}
