//! The headings, the first paragraph and the words of a SKILL.md, as plain text.

mod body_words;
mod links;
#[cfg(test)]
mod tests;

pub(super) use body_words::body_words;
pub(crate) use body_words::{MAX_BODY_WORD_CHARS, MAX_BODY_WORDS, MAX_BODY_WORDS_BYTES};
pub(super) use links::{BrokenLink, broken_links};
use pulldown_cmark::{Event, OffsetIter, Options, Parser, Tag, TagEnd};

use super::line_ends::with_line_feeds;
use crate::package::is_unseen;

/// Bytes of Markdown that are read, as for the pages. The parser keeps a tree of what it
/// reads in memory, so this bounds what one package costs.
const MAX_MARKDOWN_BYTES: usize = 512 << 10;

/// Headings of one skill.
pub(crate) const MAX_HEADINGS: usize = 64;

/// Characters of one heading.
pub(crate) const MAX_HEADING_CHARS: usize = 128;

/// Bytes of all headings of one skill.
pub(crate) const MAX_HEADINGS_BYTES: usize = 2 << 10;

/// Returns the different headings of all levels, in order and within the limits above.
/// Longer headings are cut. Headings in quotes and lists are left out.
pub(super) fn headings(markdown: &str) -> Vec<String> {
    let markdown = &*with_line_feeds(markdown);
    let mut headings: Vec<String> = Vec::new();
    let mut bytes = 0;
    for block in Blocks::of(markdown).filter(|block| block.is_heading && !block.in_quote && !block.in_list) {
        let heading: String = block.text.chars().take(MAX_HEADING_CHARS).collect();
        let heading = heading.trim_end();
        if heading.is_empty() || headings.iter().any(|other| other == heading) {
            continue;
        }
        bytes += heading.len();
        if bytes > MAX_HEADINGS_BYTES {
            break;
        }
        headings.push(heading.to_owned());
        if headings.len() == MAX_HEADINGS {
            break;
        }
    }
    headings
}

/// Finds the first paragraph with a letter or digit, and its line (from 1). Without one,
/// the first item of a list is used. A leading `Description:` is removed.
pub(super) fn first_paragraph(markdown: &str) -> Option<(String, u64)> {
    let markdown = &*with_line_feeds(markdown);
    let mut first = None;
    for block in Blocks::of(markdown).filter(|block| !block.is_heading) {
        let label = block.text.get(..12).filter(|label| label.eq_ignore_ascii_case("description:"));
        let text = block.text[label.map_or(0, str::len)..].trim_start();
        if !text.contains(char::is_alphanumeric) {
            continue;
        }
        let found = (text.to_owned(), block.start);
        if !block.in_list {
            first = Some(found);
            break;
        }
        first = first.or(Some(found));
    }
    // Counted once: a list may have as many items as bytes.
    first.map(|(text, start)| (text, 1 + markdown[..start].matches('\n').count() as u64))
}

/// Reads the start of a text.
fn parser(markdown: &str) -> Parser<'_> {
    let end = MAX_MARKDOWN_BYTES.min(markdown.len());
    let end = (0..=end).rev().find(|end| markdown.is_char_boundary(*end)).unwrap_or(0);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(&markdown[..end], options)
}

/// A heading, a paragraph or an item of a list.
struct Block {
    is_heading: bool,
    in_quote: bool,
    in_list: bool,
    /// Where the block starts in the Markdown, in bytes.
    start: usize,
    /// The text without markup, images and HTML; white space is single spaces.
    text: String,
}

/// The blocks of a Markdown text. Tables, code and blocks of HTML are left out.
struct Blocks<'t> {
    events: OffsetIter<'t>,
    quotes: usize,
    lists: usize,
    images: usize,
    open: Option<Block>,
}

impl<'t> Blocks<'t> {
    fn of(markdown: &'t str) -> Self {
        let events = parser(markdown).into_offset_iter();
        Self { events, quotes: 0, lists: 0, images: 0, open: None }
    }

    fn push(&mut self, text: &str) {
        if let Some(block) = self.open.as_mut().filter(|_| self.images == 0) {
            block.text.push_str(text);
        }
    }

    /// Ends the open block.
    fn finish(&mut self) -> Option<Block> {
        let mut block = self.open.take()?;
        let words: Vec<&str> = block.text.split_whitespace().collect();
        block.text = words.join(" ").replace(|c: char| c.is_control() || is_unseen(c), "").trim().to_owned();
        Some(block)
    }
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        loop {
            let (event, range) = self.events.next()?;
            match event {
                Event::Text(text) | Event::Code(text) => self.push(&text),
                Event::SoftBreak | Event::HardBreak => self.push(" "),
                Event::Start(Tag::Image { .. }) => self.images += 1,
                Event::End(TagEnd::Image) => self.images -= 1,
                Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. })
                | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link) => {}
                Event::Start(tag) => {
                    let finished = self.finish();
                    match tag {
                        Tag::BlockQuote(_) => self.quotes += 1,
                        Tag::List(_) => self.lists += 1,
                        Tag::Paragraph | Tag::Item | Tag::Heading { .. } => {
                            self.open = Some(Block {
                                is_heading: matches!(tag, Tag::Heading { .. }),
                                in_quote: self.quotes > 0,
                                in_list: self.lists > 0,
                                start: range.start,
                                text: String::new(),
                            });
                        }
                        _ => {}
                    }
                    if finished.is_some() {
                        return finished;
                    }
                }
                Event::End(tag) => {
                    match tag {
                        TagEnd::BlockQuote(_) => self.quotes -= 1,
                        TagEnd::List(_) => self.lists -= 1,
                        _ => {}
                    }
                    let finished = self.finish();
                    if finished.is_some() {
                        return finished;
                    }
                }
                _ => {}
            }
        }
    }
}
