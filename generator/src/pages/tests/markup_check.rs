//! A strict parser of the HTML that we write, for tests.

#![allow(clippy::unwrap_used, clippy::panic)]

/// A start tag: its name, and the names and unescaped values of its attributes.
pub type Start = (String, Vec<(String, String)>);

const VOID: [&str; 5] = ["br", "hr", "input", "link", "meta"];

/// Lists the start tags of `html`. Errors: an element does not end where it should, an attribute is
/// not quoted, or a `<` does not begin a tag.
pub fn starts(html: &str) -> Result<Vec<Start>, String> {
    let mut found = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find(['<', '>']) {
        let before = rest;
        rest = &rest[at..];
        let wrong = |what: &str| Err(format!("{what} at {:?}", before.chars().take(80).collect::<String>()));
        if let Some(after) = rest.strip_prefix("<!doctype html>") {
            rest = after;
            continue;
        }
        let Some(tag) = rest.strip_prefix('<') else { return wrong("a bare >") };
        if let Some(end) = tag.strip_prefix('/') {
            let Some((name, after)) = end.split_once('>') else { return wrong("an unfinished end tag") };
            if open.pop().as_deref() != Some(name) {
                return wrong("an end tag without its start");
            }
            rest = after;
            continue;
        }
        let length = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let (name, mut inside) = tag.split_at(length);
        if name.is_empty() {
            return wrong("no tag");
        }
        let mut attributes = Vec::new();
        let is_closed = loop {
            inside = inside.trim_start();
            if let Some(after) = inside.strip_prefix("/>") {
                rest = after;
                break true;
            }
            if let Some(after) = inside.strip_prefix('>') {
                rest = after;
                break false;
            }
            let length =
                inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(inside.len());
            let (attribute, after) = inside.split_at(length);
            if attribute.is_empty() {
                return wrong("no attribute");
            }
            let (value, after) = match after.strip_prefix("=\"") {
                Some(value) => match value.split_once('"') {
                    Some(split) => split,
                    None => return wrong("an open attribute"),
                },
                None if after.starts_with('=') => return wrong("an unquoted attribute"),
                None => ("", after),
            };
            if value.contains('<') {
                return wrong("a tag in an attribute");
            }
            attributes.push((attribute.to_owned(), undone(value)));
            inside = after;
        };
        if !is_closed && !VOID.contains(&name) {
            open.push(name.to_owned());
        }
        found.push((name.to_owned(), attributes));
    }
    match open.last() {
        Some(name) => Err(format!("<{name}> does not end")),
        None => Ok(found),
    }
}

fn undone(value: &str) -> String {
    let references = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    references.into_iter().fold(value.to_owned(), |text, (reference, c)| text.replace(reference, c))
}

#[test]
fn malformed_html_is_refused() {
    assert_eq!(
        starts("<!doctype html><p id=\"a&amp;b\" hidden>x &lt; y<br><svg/></p>").unwrap(),
        [
            ("p".into(), vec![("id".into(), "a&b".into()), ("hidden".into(), "".into())]),
            ("br".into(), vec![]),
            ("svg".into(), vec![])
        ]
    );
    for wrong in
        ["<p>", "</p>", "<p></b>", "<p a=b></p>", "a < b", "a > b", "<p a=\"<b>\"></p>", "<p a=\"", "<p"]
    {
        assert!(starts(wrong).is_err(), "{wrong}");
    }
}
