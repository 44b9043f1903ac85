//! Converts untrusted Markdown to safe HTML.
//!
//! The parser's events become elements of a closed set. HTML in the text is never passed on, so
//! nothing needs sanitizing. It is shown as text, because skills are full of tags such as
//! `<instructions>`.

mod anchors;
mod autolinks;
mod elements;
mod fold;
mod links;
mod markup;
mod writer;

#[cfg(test)]
mod tests;

pub use anchors::{HeadingLink, file_anchor};

use pulldown_cmark::{Options, Parser, TextMergeStream};
use registry::package::with_line_feeds;
use serde::Serialize;

use fold::Fold;
use writer::Writer;

/// Bytes of Markdown that are read.
const MAX_MARKDOWN_BYTES: usize = 512 * 1024;

/// Conversion stops after this many bytes of HTML, which can be a hundred times longer than its
/// Markdown.
const MAX_HTML_BYTES: usize = 1024 * 1024;

/// The fewest headings that are worth a list of contents.
const MIN_CONTENTS: usize = 3;

/// Converted Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Readme {
    /// HTML with a closed set of elements and attributes, safe to embed in a page.
    pub html: String,
    /// The rest of a long text, which the page folds.
    pub folded: Option<String>,
    /// The headings of a long text.
    pub contents: Vec<HeadingLink>,
    /// Whether the text was too long and is cut off.
    pub is_cut: bool,
}

/// Converts `markdown` (CommonMark with tables, strikethrough and task lists, without front
/// matter).
///
/// `files` are the package's paths in the order of its list. A link to one of them leads to its
/// [`file_anchor`] on the page at `viewer`. At most 512 KiB are read, and the text is cut off after 1 MiB of
/// HTML.
pub fn readme(markdown: &str, files: &[&str], viewer: &str) -> Readme {
    // A byte order mark counts only at the beginning.
    let markdown = markdown.strip_prefix('\u{feff}').unwrap_or(markdown);
    let markdown = &*with_line_feeds(markdown);
    let max = MAX_MARKDOWN_BYTES.min(markdown.len());
    let end = (0..=max).rev().find(|end| markdown.is_char_boundary(*end)).unwrap_or(0);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer::new(files, viewer);
    let mut fold = Fold::default();
    let mut is_cut = end < markdown.len();
    // Merges the texts that the parser splits, so that URLs stay in one piece.
    for event in TextMergeStream::new(Parser::new_ext(&markdown[..end], options)) {
        if writer.len() >= MAX_HTML_BYTES {
            is_cut = true;
            break;
        }
        let ends_block = fold.measure(&event);
        writer.event(event);
        if ends_block {
            fold.block_ended(writer.len());
        }
    }
    let (mut html, headings) = writer.finish();
    let folded = fold.place().map(|place| html.split_off(place));
    // A short text is its own overview.
    let contents = if folded.is_some() && headings.len() >= MIN_CONTENTS { headings } else { Vec::new() };
    Readme { html, folded, contents, is_cut }
}
