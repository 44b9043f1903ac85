//! Events to HTML. All that is open is on a stack, so that whatever comes, every element
//! ends, and ends where it should.

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Tag};

use super::anchors::Anchors;
use super::elements::{Kind, Open, cell, heading, is_part, language, simple};
use super::links::{self, Files};
use super::markup::{Piece, pieces};
use crate::pages::escape::escape;

/// Elements in each other.
const MOST_DEPTH: usize = 32;

/// A text as it is being written.
pub(super) struct Writer<'a> {
    html: String,
    files: Files<'a>,
    open: Vec<Open>,
    /// How many elements are open beyond the depth: of these the text alone is written.
    too_deep: usize,
    anchors: Anchors,
    /// The levels of the headings above the place that is written.
    levels: Vec<HeadingLevel>,
    /// Where the heading's content began, and what it says.
    heading: (usize, String),
    /// Where the link's content began, and where it leads.
    link: (usize, String),
    /// Of the table's columns, and the number of the next cell.
    columns: (Vec<Alignment>, usize),
    /// The HTML block that is being read.
    block: String,
}

impl<'a> Writer<'a> {
    pub(super) fn new(files: &'a [&'a str]) -> Self {
        Self {
            html: String::new(),
            files: files.iter().zip(0..).map(|(file, position)| (*file, position)).collect(),
            open: Vec::new(),
            too_deep: 0,
            anchors: Anchors::default(),
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

    /// Ends what is open, and gives all.
    pub(super) fn finish(mut self) -> String {
        self.too_deep = 0;
        while !self.open.is_empty() {
            self.end();
        }
        self.html
    }

    fn start(&mut self, tag: Tag<'_>) {
        // A table and a list are nothing without their parts.
        let is_last = self.open.len() >= MOST_DEPTH && !is_part(&tag);
        if self.too_deep > 0 || is_last {
            self.too_deep += 1;
        } else {
            let opened = self.begin(tag);
            self.open.push(opened);
        }
    }

    /// Writes how an element begins.
    fn begin(&mut self, tag: Tag<'_>) -> Open {
        if let Some((start, end)) = simple(&tag, self.open.is_empty()) {
            self.html.push_str(start);
            let kind = match tag {
                Tag::Table(columns) => {
                    self.columns = (columns, 0);
                    Kind::Table
                }
                Tag::TableHead => Kind::TableHead,
                _ => Kind::Other,
            };
            if matches!(kind, Kind::TableHead) || end.starts_with("</tr>") {
                self.columns.1 = 0;
            }
            return Open { kind, end };
        }
        match tag {
            Tag::Heading { level, .. } => self.begin_heading(level),
            Tag::CodeBlock(kind) => self.begin_code(&kind),
            Tag::List(Some(first)) => {
                self.html.push_str(&format!("<ol start=\"{first}\" dir=\"auto\">\n"));
                Open { kind: Kind::Other, end: "</ol>\n" }
            }
            Tag::TableCell => {
                let alignment = self.columns.0.get(self.columns.1).copied().unwrap_or(Alignment::None);
                self.columns.1 += 1;
                let (start, end) = cell(self.is_in(Kind::TableHead), alignment);
                self.html.push_str(start);
                Open { kind: Kind::Other, end }
            }
            Tag::Link { dest_url, .. } => self.begin_link(&dest_url, Kind::Link),
            Tag::Image { dest_url, .. } => self.begin_link(&dest_url, Kind::Image),
            Tag::HtmlBlock => Open { kind: Kind::HtmlBlock, end: "" },
            // Of extensions that are not asked for.
            _ => Open { kind: Kind::Other, end: "" },
        }
    }

    /// A level below the page's title, and without gaps: the outline of the page is read
    /// by programs.
    fn begin_heading(&mut self, level: HeadingLevel) -> Open {
        while self.levels.last().is_some_and(|above| *above >= level) {
            self.levels.pop();
        }
        self.levels.push(level);
        let (start, end) = heading(self.levels.len() + 1);
        self.html.push_str(start);
        self.heading = (self.html.len(), String::new());
        Open { kind: Kind::Heading, end }
    }

    fn begin_code(&mut self, kind: &CodeBlockKind<'_>) -> Open {
        let language = match kind {
            CodeBlockKind::Fenced(info) => language(info),
            CodeBlockKind::Indented => None,
        };
        self.html.push_str("<pre tabindex=\"0\"><code");
        if let Some(language) = language {
            self.html.push_str(&format!(" class=\"language-{language}\""));
        }
        self.html.push('>');
        Open { kind: Kind::Other, end: "</code></pre>\n" }
    }

    /// An image is a link to it, named by its alternative text: pages load nothing that
    /// others chose. A link in a link is its text.
    fn begin_link(&mut self, destination: &CowStr<'_>, kind: Kind) -> Open {
        let is_inside = self.open.iter().any(|around| around.kind == Kind::Link);
        let address = links::address(destination, &self.files).filter(|_| !is_inside);
        let Some(address) = address else { return Open { kind, end: "" } };
        self.html.push_str("<a href=\"");
        self.plain(&address);
        let is_of_page = address.starts_with('#');
        self.html.push_str(if is_of_page { "\">" } else { "\" rel=\"nofollow ugc noopener\">" });
        if kind == Kind::Image {
            self.html.push_str("<span class=\"image\">Image</span> ");
        }
        self.link = (self.html.len(), destination.to_string());
        Open { kind: Kind::Link, end: "</a>" }
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
                let anchor = self.anchors.give(&text);
                self.html.insert_str(start, &format!("{anchor}\" dir=\"auto\">"));
            }
            Kind::HtmlBlock => {
                let block = std::mem::take(&mut self.block);
                self.block(&block);
            }
            Kind::Link if !end.is_empty() => {
                let (start, destination) = std::mem::take(&mut self.link);
                // A link has to have a name.
                if self.html[start..].trim().is_empty() {
                    self.plain(&destination);
                }
            }
            _ => {}
        }
        self.html.push_str(end);
    }

    /// What looks like HTML and stands by itself.
    fn block(&mut self, markup: &str) {
        let is_empty =
            pieces(markup).iter().all(|piece| matches!(piece, Piece::Text(text) if text.trim().is_empty()));
        if !is_empty {
            self.html.push_str("<p class=\"markup\" dir=\"auto\">");
            self.markup(markup.trim_end());
            self.html.push_str("</p>\n");
        }
    }

    fn markup(&mut self, markup: &str) {
        for piece in pieces(markup) {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Break => self.html.push_str("<br>"),
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_in(Kind::Heading) {
            self.heading.1.push_str(text);
        }
        self.plain(text);
    }

    fn plain(&mut self, text: &str) {
        // A String takes all that is written.
        let _ = escape(&mut self.html, text);
    }

    fn is_in(&self, kind: Kind) -> bool {
        self.open.iter().any(|around| around.kind == kind)
    }
}
