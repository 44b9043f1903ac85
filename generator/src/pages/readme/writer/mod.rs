//! Writes HTML from Markdown events. A stack of open elements ensures that every element is closed
//! in order.

mod begin;
mod text;

use pulldown_cmark::{Alignment, Event, HeadingLevel, Tag};

use super::anchors::{Anchors, HeadingLink};
use super::elements::{Kind, Open, is_part};
use super::links::Files;

/// The deepest nesting of elements.
const MAX_DEPTH: usize = 32;

/// The levels of headings in a list of contents.
const MAX_LEVELS: usize = 2;

/// The HTML written so far, and the state of open elements.
pub(super) struct Writer<'a> {
    html: String,
    files: Files<'a>,
    open: Vec<Open>,
    /// Open elements beyond the limit of nesting, whose text is written without markup.
    too_deep: usize,
    anchors: Anchors,
    /// The headings so far, as a list of contents shows them.
    headings: Vec<HeadingLink>,
    /// The levels of the headings above the current one.
    levels: Vec<HeadingLevel>,
    /// Start of the heading's content, and its text so far.
    heading: (usize, String),
    /// Start of the link's content, and its destination.
    link: (usize, String),
    /// Alignments of the table's columns, and the number of the next cell.
    columns: (Vec<Alignment>, usize),
    /// The HTML block read so far.
    block: String,
}

impl<'a> Writer<'a> {
    pub(super) fn new(files: &[&'a str], viewer: &'a str) -> Self {
        Self {
            html: String::new(),
            files: Files::new(files, viewer),
            open: Vec::new(),
            too_deep: 0,
            anchors: Anchors::default(),
            headings: Vec::new(),
            levels: Vec::new(),
            heading: (0, String::new()),
            link: (0, String::new()),
            columns: (Vec::new(), 0),
            block: String::new(),
        }
    }

    /// Bytes written so far.
    pub(super) fn len(&self) -> usize {
        self.html.len() + self.block.len()
    }

    pub(super) fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) if self.has_links() => self.linked(&text),
            Event::Text(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
            Event::Code(code) => {
                self.html.push_str("<code>");
                self.text(&code);
                self.html.push_str("</code>");
            }
            Event::Html(markup) if self.is_in(Kind::HtmlBlock) => self.block.push_str(&markup),
            Event::Html(markup) | Event::InlineHtml(markup) => self.markup(&markup),
            Event::FootnoteReference(name) => self.text(&name),
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => self.html.push_str("<br>\n"),
            Event::Rule => self.html.push_str("<hr>\n"),
            Event::TaskListMarker(true) => {
                self.html.push_str("<span class=\"task\" role=\"img\" aria-label=\"done\">\u{2611}</span> ");
            }
            Event::TaskListMarker(false) => {
                self.html.push_str("<span class=\"task\" role=\"img\" aria-label=\"to do\">\u{2610}</span> ");
            }
        }
    }

    /// Closes all elements and returns the HTML, and the headings in it.
    pub(super) fn finish(mut self) -> (String, Vec<HeadingLink>) {
        self.too_deep = 0;
        while !self.open.is_empty() {
            self.end();
        }
        (self.html, self.headings)
    }

    fn start(&mut self, tag: Tag<'_>) {
        // Lists and tables are useless without their parts.
        let is_last = self.open.len() >= MAX_DEPTH && !is_part(&tag);
        if self.too_deep > 0 || is_last {
            self.too_deep += 1;
        } else {
            let opened = self.begin(tag);
            self.open.push(opened);
        }
    }

    fn end(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            self.html.push('\n');
            return;
        }
        let Some(Open { kind, end }) = self.open.pop() else { return };
        match kind {
            Kind::Heading => {
                let (start, text) = std::mem::take(&mut self.heading);
                let anchor = self.anchors.unique(&text);
                self.html.insert_str(start, &format!("{anchor}\" dir=\"auto\">"));
                if !text.trim().is_empty() && self.levels.len() <= MAX_LEVELS {
                    self.headings.push(HeadingLink { anchor, text, is_sub: self.levels.len() > 1 });
                }
            }
            Kind::HtmlBlock => {
                let block = std::mem::take(&mut self.block);
                self.block(&block);
            }
            Kind::Link if !end.is_empty() => {
                let (start, destination) = std::mem::take(&mut self.link);
                // A link needs a text.
                if self.html[start..].trim().is_empty() {
                    self.plain(&destination);
                }
            }
            _ => {}
        }
        self.html.push_str(end);
    }

    fn is_in(&self, kind: Kind) -> bool {
        self.open.iter().any(|around| around.kind == kind)
    }
}
