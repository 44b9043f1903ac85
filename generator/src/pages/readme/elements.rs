//! The elements of a readme, and their markup.

use pulldown_cmark::{Alignment, Tag};

/// What an element means for its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Code,
    Heading,
    HtmlBlock,
    Image,
    Link,
    Other,
    Table,
    TableHead,
}

/// An open element.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) kind: Kind,
    /// The end tag; empty for an element without markup.
    pub(super) end: &'static str,
}

/// The markup of an element that depends only on its tag. Outermost elements get `dir`, because
/// each may have another direction.
pub(super) fn simple(tag: &Tag<'_>, is_outermost: bool) -> Option<(&'static str, &'static str)> {
    Some(match (tag, is_outermost) {
        (Tag::Paragraph, true) => ("<p dir=\"auto\">", "</p>\n"),
        (Tag::Paragraph, false) => ("<p>", "</p>\n"),
        (Tag::BlockQuote(_), true) => ("<blockquote dir=\"auto\">\n", "</blockquote>\n"),
        (Tag::BlockQuote(_), false) => ("<blockquote>\n", "</blockquote>\n"),
        (Tag::List(None), true) => ("<ul dir=\"auto\">\n", "</ul>\n"),
        (Tag::List(None), false) => ("<ul>\n", "</ul>\n"),
        (Tag::Item, _) => ("<li>", "</li>\n"),
        // Wide tables scroll in their own box, which must be reachable by keyboard.
        (Tag::Table(_), _) => {
            ("<div class=\"scroll\" tabindex=\"0\"><table dir=\"auto\">\n", "</tbody></table></div>\n")
        }
        (Tag::TableHead, _) => ("<thead><tr>", "</tr></thead>\n<tbody>\n"),
        (Tag::TableRow, _) => ("<tr>", "</tr>\n"),
        (Tag::Emphasis, _) => ("<em>", "</em>"),
        (Tag::Strong, _) => ("<strong>", "</strong>"),
        (Tag::Strikethrough, _) => ("<del>", "</del>"),
        _ => return None,
    })
}

/// The markup of a table's cell.
pub(super) fn cell(is_head: bool, alignment: Alignment) -> (&'static str, &'static str) {
    let end = if is_head { "</th>" } else { "</td>" };
    let start = match (is_head, alignment) {
        (true, Alignment::Center) => "<th scope=\"col\" class=\"center\">",
        (true, Alignment::Right) => "<th scope=\"col\" class=\"right\">",
        (true, _) => "<th scope=\"col\">",
        (false, Alignment::Center) => "<td class=\"center\">",
        (false, Alignment::Right) => "<td class=\"right\">",
        (false, _) => "<td>",
    };
    (start, end)
}

/// The markup of a heading: the part before its anchor, and the end tag.
pub(super) fn heading(level: usize) -> (&'static str, &'static str) {
    match level {
        ..=2 => ("<h2 id=\"", "</h2>\n"),
        3 => ("<h3 id=\"", "</h3>\n"),
        4 => ("<h4 id=\"", "</h4>\n"),
        5 => ("<h5 id=\"", "</h5>\n"),
        6.. => ("<h6 id=\"", "</h6>\n"),
    }
}

/// Whether the element only occurs in a list or table.
pub(super) fn is_part(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Item | Tag::TableHead | Tag::TableRow | Tag::TableCell)
}

/// The language of a code block, if it is usable as a class name.
pub(super) fn language(info: &str) -> Option<String> {
    let name = info.split([' ', ',', '\t']).next().unwrap_or_default().to_ascii_lowercase();
    let is_plain = name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'+' | b'#' | b'-'));
    (is_plain && (1..=20).contains(&name.len())).then_some(name)
}
