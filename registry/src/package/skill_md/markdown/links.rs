//! Links and images of a text that name no file of its package.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Tag};

use super::{parser, with_line_feeds};

/// The most links of one text that are reported.
const MAX_LINKS: usize = 20;

/// A link or image to a file that does not exist.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::package::skill_md) struct BrokenLink {
    /// The address as it is written, without query and anchor.
    pub target: String,
    /// The line in the text, from 0.
    pub line: u64,
}

/// Finds links and images with relative addresses of files that are not among `paths`, each address once. Addresses
/// that do not look like those of files are left out, because texts show how links are written.
pub(in crate::package::skill_md) fn broken_links(markdown: &str, paths: &[&str]) -> Vec<BrokenLink> {
    let markdown = &*with_line_feeds(markdown);
    let (mut seen, mut broken) = (BTreeSet::new(), Vec::new());
    let (mut line, mut counted) = (0, 0);
    for (event, range) in parser(markdown).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event else { continue };
        let target = dest_url.split(['#', '?']).next().unwrap_or_default();
        if !is_of_file(target) || !seen.insert(target.to_owned()) || exists(target, paths) {
            continue;
        }
        // Links are in the order of their starts, but for nested ones.
        if let Some(between) = markdown.get(counted..range.start) {
            line += between.matches('\n').count() as u64;
            counted = range.start;
        }
        broken.push(BrokenLink { target: target.to_owned(), line });
        if broken.len() == MAX_LINKS {
            break;
        }
    }
    broken
}

/// Whether an address is relative, and that of a file with an extension.
fn is_of_file(target: &str) -> bool {
    let name = target.rsplit('/').next().unwrap_or(target);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let is_extension = (1..=8).contains(&extension.len())
        && extension.chars().all(|c| c.is_ascii_alphanumeric())
        && extension.chars().any(|c| c.is_ascii_alphabetic());
    let is_host = !target.contains('/') && matches!(extension, "com" | "org" | "net" | "io" | "dev" | "ai");
    let sign =
        |c: char| !c.is_alphanumeric() && !matches!(c, '/' | '.' | '-' | '_' | ' ' | '@' | '+' | '(' | ')');
    is_extension
        && !is_host
        && !target.starts_with('/')
        && !target.starts_with("www.")
        // Signs of addresses with a scheme, of escapes and of placeholders.
        && !target.contains(sign)
        && !target.contains("...")
        && stem.contains(char::is_alphanumeric)
}

/// Whether an address is that of a file or folder among `paths`.
fn exists(target: &str, paths: &[&str]) -> bool {
    let mut pieces: Vec<&str> = Vec::new();
    for piece in target.split('/') {
        match piece {
            "" | "." => {}
            ".." if pieces.pop().is_none() => return false,
            ".." => {}
            piece => pieces.push(piece),
        }
    }
    let path = pieces.join("/");
    let is_below =
        |other: &&str| other.strip_prefix(&path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    paths.iter().any(is_below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(markdown: &str) -> Vec<(String, u64)> {
        let paths = ["SKILL.md", "a.md", "docs/b.md", "docs/x y.png", "v1.0/c"];
        broken_links(markdown, &paths).into_iter().map(|link| (link.target, link.line)).collect()
    }

    #[test]
    fn link_to_a_missing_file_is_found_once_with_its_line() {
        for (text, target, line) in [
            ("[a](b.md)", "b.md", 0),
            ("One\n\n![a](./images/a.png \"title\") and [again](./images/a.png)\n", "./images/a.png", 2),
            ("[a](docs/c.md#anchor)", "docs/c.md", 0),
            ("[a]\n\n[a]: scripts/run.sh\n", "scripts/run.sh", 0),
            ("[a](../other/SKILL.md)", "../other/SKILL.md", 0),
            ("[a](A.md)", "A.md", 0),
            ("- x\r\n- [![i](i.png)](a.md)\r\n", "i.png", 1),
        ] {
            assert_eq!(broken(text), [(target.to_owned(), line)], "{text:?}");
        }
        let many: String = (0..50).map(|n| format!("[a](f{n}.md)\n")).collect();
        assert_eq!(broken(&many).len(), MAX_LINKS);
    }

    #[test]
    fn other_links_are_left_out() {
        for text in [
            "[a](a.md) [b](./docs/b.md?x#y) [c](docs/../a.md) [d](docs) [e](v1.0) ![f](<docs/x y.png>)",
            "[a](#anchor) [b](https://example.org/x.md) [c](mailto:a@b.de) [d](//h/x.md) [e](/x.md) [f](data:x.md)",
            "`[a](x.md)`\n\n```\n[a](x.md)\n```\n\n    [a](x.md)\n\n<!-- [a](x.md) -->",
            "[text](url) [a](path/to/file) [b]({name}.md) [c](<x*.md>) [d](example.com) [e](www.a.b) [f](.../x.md)",
            "\\[a](x.md)",
        ] {
            assert_eq!(broken(text), [], "{text:?}");
        }
    }
}
