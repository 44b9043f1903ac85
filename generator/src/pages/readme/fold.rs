//! Where a page folds a long text: after about three screens of a phone.
//!
//! The height is estimated, because the rest is in another element: browsers then find and print it,
//! and it works without a script.
//!
//! A list or table is never divided, because its halves would be two lists. Of 601 skills of the
//! test corpus five have one that is longer than the part above a fold.

use pulldown_cmark::{Event, Tag, TagEnd};

/// Lines before the fold. A phone of 390 by 844 pixels shows 31 lines.
const MAX_LINES: usize = 90;

/// Lines that are worth a fold.
const MIN_FOLDED_LINES: usize = 30;

/// Letters on a line of a phone.
const LINE_WIDTH: usize = 44;

/// Letters on a line of a table's cell.
const CELL_WIDTH: usize = 14;

/// The highest code block in lines. The style sheet lets higher ones scroll.
const MAX_CODE_LINES: usize = 24;

/// Estimates the height of a text while it is converted.
#[derive(Debug, Default)]
pub(super) struct Fold {
    /// Lines of the finished blocks.
    lines: usize,
    /// Letters of the open block.
    width: usize,
    /// Lines of the open code block.
    code: Option<usize>,
    /// Lines of the highest cell of the open row.
    row: usize,
    depth: usize,
    /// The last place for a fold, and the lines above it.
    last: Option<(usize, usize)>,
    /// The chosen place.
    place: Option<usize>,
}

impl Fold {
    /// Measures an event, and returns whether the text may be folded after it.
    pub(super) fn measure(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(*tag),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.text(text);
            }
            Event::SoftBreak => self.width += 1,
            Event::HardBreak | Event::Rule => self.finish_line(),
            _ => {}
        }
        let is_heading = matches!(event, Event::End(TagEnd::Heading(_)));
        self.depth == 0 && !is_heading && matches!(event, Event::End(_) | Event::Rule)
    }

    /// Notes a place for the fold: the length of the HTML so far. The fold is before the block that
    /// is too long, unless that leaves little to read.
    pub(super) fn block_ended(&mut self, len: usize) {
        if self.place.is_none() && self.lines > MAX_LINES {
            let before = self.last.filter(|(_, lines)| *lines >= MAX_LINES / 3);
            self.place = Some(before.map_or(len, |(len, _)| len));
        }
        self.last = Some((len, self.lines));
    }

    /// The length of the HTML above the fold, if the text is long.
    pub(super) fn place(&self) -> Option<usize> {
        self.place.filter(|_| self.lines >= MAX_LINES + MIN_FOLDED_LINES)
    }

    fn start(&mut self, tag: &Tag<'_>) {
        self.depth += 1;
        match tag {
            Tag::CodeBlock(_) => self.code = Some(2),
            // An item's text, before a list in it.
            Tag::List(_) => self.finish_line(),
            Tag::Heading { .. } => self.lines += 1,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        self.depth = self.depth.saturating_sub(1);
        match tag {
            TagEnd::CodeBlock => self.lines += self.code.take().unwrap_or_default().min(MAX_CODE_LINES),
            TagEnd::TableCell => {
                self.row = self.row.max(self.width.div_ceil(CELL_WIDTH));
                self.width = 0;
            }
            TagEnd::TableHead | TagEnd::TableRow => self.lines += std::mem::take(&mut self.row) + 1,
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::HtmlBlock => {
                if self.width > 0 {
                    self.lines += usize::from(!matches!(tag, TagEnd::Item));
                }
                self.finish_line();
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some(lines) => *lines += text.matches('\n').count(),
            // Letters of East Asian scripts are twice as wide.
            None => self.width += text.chars().map(|c| if c < '\u{1100}' { 1 } else { 2 }).sum::<usize>(),
        }
    }

    fn finish_line(&mut self) {
        self.lines += std::mem::take(&mut self.width).div_ceil(LINE_WIDTH);
    }
}

#[cfg(test)]
mod tests {
    use crate::pages::readme;

    fn parts(markdown: &str) -> (usize, usize) {
        let readme = readme(markdown, &[], "");
        let lines = |html: &str| html.matches("word").count();
        (lines(&readme.html), readme.folded.as_deref().map_or(0, lines))
    }

    #[test]
    fn long_text_is_folded_between_blocks() {
        let paragraph = format!("word {}\n\n", "letters ".repeat(20));
        assert_eq!(parts(&paragraph.repeat(10)), (10, 0));
        let (shown, folded) = parts(&paragraph.repeat(100));
        assert!((12..=30).contains(&shown) && shown + folded == 100, "{shown} {folded}");
        // East Asian letters take more room.
        let wide = format!("word {}\n\n", "日本語".repeat(60));
        assert!(parts(&wide.repeat(100)).0 < shown);
    }

    #[test]
    fn text_that_is_little_longer_is_not_folded() {
        assert_eq!(parts(&"word\n\n".repeat(50)), (50, 0));
    }

    #[test]
    fn heading_stays_with_its_text() {
        let section = format!("# word\n\n{}\n\n", "letters ".repeat(20));
        let readme = readme(&section.repeat(60), &[], "");
        let (shown, folded) = (readme.html, readme.folded.unwrap());
        assert!(shown.ends_with("</p>\n") && folded.starts_with("<h2 "), "{shown}|{folded}");
    }

    #[test]
    fn long_first_block_is_above_the_fold() {
        let (shown, folded) = parts(&format!("{}\nword\n{}", "- word\n".repeat(200), "\nword\n".repeat(60)));
        assert!(shown >= 200 && folded > 50, "{shown} {folded}");
    }
}
