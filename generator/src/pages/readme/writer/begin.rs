//! Opens elements.

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, HeadingLevel, Tag};

use super::Writer;
use crate::pages::readme::elements::{Kind, Open, cell, heading, language, simple};
use crate::pages::readme::links;

impl Writer<'_> {
    /// Writes an element's start tag.
    pub(super) fn begin(&mut self, tag: Tag<'_>) -> Open {
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
            // Elements of extensions that are not enabled.
            _ => Open { kind: Kind::Other, end: "" },
        }
    }

    /// Headings start below the page's title and skip no level, because programs read the page's
    /// outline.
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
        Open { kind: Kind::Code, end: "</code></pre>\n" }
    }

    /// An image becomes a link named by its alternative text, because pages load nothing that
    /// others chose. A link inside a link becomes text.
    fn begin_link(&mut self, destination: &CowStr<'_>, kind: Kind) -> Open {
        let is_inside = self.open.iter().any(|around| around.kind == Kind::Link);
        let address = links::address(destination, &self.files).filter(|_| !is_inside);
        let Some(address) = address else { return Open { kind, end: "" } };
        self.begin_anchor(&address);
        if kind == Kind::Image {
            self.html.push_str("<span class=\"image\">Image</span> ");
        }
        self.link = (self.html.len(), destination.to_string());
        Open { kind: Kind::Link, end: "</a>" }
    }

    pub(super) fn begin_anchor(&mut self, address: &str) {
        self.html.push_str("<a href=\"");
        self.plain(address);
        // Only addresses of others have a scheme.
        let is_ours = !address.contains(':');
        self.html.push_str(if is_ours { "\">" } else { "\" rel=\"nofollow ugc noopener\">" });
    }
}
