//! Markdown as HTML that anyone may have written.
//!
//! The parser's events are mapped to elements of our own: no HTML of the text is ever
//! passed on, so that there is nothing to sanitise. What looks like a tag is content
//! (skills are full of `<instructions>`) and is shown as the text it is.

mod anchors;
mod autolinks;
mod elements;
mod links;
mod markup;
mod writer;

#[cfg(test)]
mod tests;

pub use anchors::file_anchor;

use pulldown_cmark::{Options, Parser, TextMergeStream};
use serde::Serialize;

use writer::Writer;

/// Bytes of Markdown that are read.
const MAX_MARKDOWN_BYTES: usize = 512 * 1024;

/// Bytes of HTML after which no more is begun: markup can be a hundred times longer than
/// what it is made from.
const MAX_HTML_BYTES: usize = 1024 * 1024;

/// A text as HTML.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Readme {
    /// Markup of a closed set of elements and attributes, to be put into a page as it is.
    pub html: String,
    /// Whether something was left out because there is too much.
    pub is_cut: bool,
}

/// What `markdown` (CommonMark with tables, strikethrough and task lists; front matter
/// taken off) says. A link to one of `files`, the paths of the package in the order in
/// which the page lists them, leads to [`file_anchor`] of its position. At most 512 KiB
/// are read, and after 1 MiB of HTML the text is cut.
pub fn readme(markdown: &str, files: &[&str]) -> Readme {
    // The mark of an encoding at the beginning is no text; anywhere else it is.
    let markdown = markdown.strip_prefix('\u{feff}').unwrap_or(markdown);
    let most = MAX_MARKDOWN_BYTES.min(markdown.len());
    let end = (0..=most).rev().find(|end| markdown.is_char_boundary(*end)).unwrap_or(0);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer::new(files);
    let mut is_cut = end < markdown.len();
    // An address is one text, whatever the parser has to look at in it.
    for event in TextMergeStream::new(Parser::new_ext(&markdown[..end], options)) {
        if writer.len() >= MAX_HTML_BYTES {
            is_cut = true;
            break;
        }
        writer.event(event);
    }
    Readme { html: writer.finish(), is_cut }
}
