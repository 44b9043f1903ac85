//! Writes text: escaped, with marks and links.

use super::Writer;
use crate::pages::escape::{escape, is_unseen};
use crate::pages::readme::autolinks::{self, Piece};
use crate::pages::readme::elements::Kind;
use crate::pages::readme::links;
use crate::pages::readme::markup::{self, Piece as Markup};

impl Writer<'_> {
    /// Writes a block of HTML as text.
    pub(super) fn block(&mut self, markup: &str) {
        let is_empty = markup::pieces(markup)
            .iter()
            .all(|piece| matches!(piece, Markup::Text(text) if text.trim().is_empty()));
        if !is_empty {
            self.html.push_str("<p class=\"markup\" dir=\"auto\">");
            self.markup(markup.trim_end());
            self.html.push_str("</p>\n");
        }
    }

    pub(super) fn markup(&mut self, markup: &str) {
        for piece in markup::pieces(markup) {
            match piece {
                Markup::Text(text) => self.text(text),
                Markup::Break => self.html.push_str("<br>"),
            }
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.is_in(Kind::Heading) {
            self.heading.1.push_str(text);
        }
        let mut rest = text;
        while let Some(at) = rest.find(is_unseen) {
            self.plain(&rest[..at]);
            rest = self.marked(&rest[at..]);
        }
        self.plain(rest);
    }

    /// Marks the unseen characters at the start of `text`, and returns the rest. Agents read such
    /// characters, so readers must see them.
    fn marked<'t>(&mut self, text: &'t str) -> &'t str {
        let rest = text.trim_start_matches(is_unseen);
        let names: Vec<String> =
            text[..text.len() - rest.len()].chars().map(|c| format!("U+{:04X}", u32::from(c))).collect();
        self.html.push_str("<span class=\"odd\">");
        self.html.push_str(&names.join(" "));
        self.html.push_str("</span>");
        rest
    }

    /// Writes text and turns URLs into links.
    pub(super) fn linked(&mut self, text: &str) {
        for piece in autolinks::pieces(text) {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Url(url) => match links::address(url, &self.files) {
                    Some(address) => {
                        self.begin_anchor(&address);
                        self.text(url);
                        self.html.push_str("</a>");
                    }
                    None => self.text(url),
                },
            }
        }
    }

    /// Whether URLs become links here: not in code, links or images, nor in failed ones.
    pub(super) fn has_links(&self) -> bool {
        let others = [Kind::Code, Kind::Link, Kind::Image, Kind::HtmlBlock];
        !self.open.iter().any(|around| others.contains(&around.kind))
    }

    /// Writes text without marks, as attributes need it.
    pub(super) fn plain(&mut self, text: &str) {
        // Writing to a `String` cannot fail.
        let _ = escape(&mut self.html, text);
    }
}
