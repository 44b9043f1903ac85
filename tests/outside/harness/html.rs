//! A strict parser of the HTML that our pages use: tags whose attributes are all quoted. It panics
//! on anything that a browser would have to guess.

/// An element's tag.
#[derive(Debug)]
pub struct Tag {
    /// Its name, in lower case.
    pub name: String,
    /// Names and values, the values with their character references undone.
    pub attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// The opening tags of a page, in order.
#[track_caller]
pub fn tags(html: &str) -> Vec<Tag> {
    let mut rest = html;
    let mut tags = Vec::new();
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let near: String = rest.chars().take(80).collect();
        if let Some(after) = rest.strip_prefix("!doctype html>") {
            rest = after;
            continue;
        }
        let is_end = rest.starts_with('/');
        rest = rest.strip_prefix('/').unwrap_or(rest);
        let name = word(&mut rest);
        assert!(name.starts_with(|c: char| c.is_ascii_lowercase()), "no tag begins here: <{near}");
        let attributes = attributes(&mut rest, &near);
        if is_end {
            assert!(attributes.is_empty(), "an end with attributes: <{near}");
        } else {
            tags.push(Tag { name, attributes });
        }
    }
    tags
}

/// Reads the attributes and the end of a tag.
#[track_caller]
fn attributes(rest: &mut &str, near: &str) -> Vec<(String, String)> {
    let mut attributes = Vec::new();
    loop {
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>").or_else(|| rest.strip_prefix('>')) {
            *rest = after;
            return attributes;
        }
        let name = word(rest);
        assert!(!name.is_empty(), "no attribute begins here: <{near}");
        let Some(after) = rest.strip_prefix('=') else {
            attributes.push((name, String::new()));
            continue;
        };
        let value = after.strip_prefix('"').unwrap_or_else(|| panic!("{name} is not quoted: <{near}"));
        let (value, after) = value.split_once('"').unwrap_or_else(|| panic!("{name} has no end: <{near}"));
        *rest = after;
        attributes.push((name, plain(value)));
    }
}

/// A name of a tag or attribute.
fn word(rest: &mut &str) -> String {
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-_:".contains(c))).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after;
    word.to_ascii_lowercase()
}

/// A value without character references.
fn plain(value: &str) -> String {
    let named =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&#x2f;", "/")];
    let undone = named.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to));
    undone.replace("&amp;", "&")
}

/// Asserts that a page runs only its own scripts and has no link that would run another.
#[track_caller]
pub fn assert_inert(html: &str) {
    const ELEMENTS: &str = "a abbr article aside b bdi blockquote body br button caption code col colgroup dd details \
        del div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html i img input \
        ins kbd label legend li link main meta nav noscript ol option p path pre q rect s samp script search section \
        select small span strong sub summary sup svg circle g line polyline table tbody td template tfoot th thead \
        time title tr ul use var wbr";
    for tag in tags(html) {
        assert!(ELEMENTS.split_whitespace().any(|name| name == tag.name), "{tag:?}");
        for (name, value) in &tag.attributes {
            assert!(!name.starts_with("on") && name != "style" && name != "srcdoc", "{tag:?}");
            if ["href", "src", "action", "formaction", "xlink:href"].contains(&name.as_str()) {
                let is_relative = !value.contains(':') && !value.starts_with("//");
                let is_known =
                    ["http://", "https://", "mailto:", "#"].iter().any(|start| value.starts_with(start));
                assert!(is_relative || is_known, "{tag:?}");
            }
        }
        match tag.name.as_str() {
            // No browser loads another form of the page.
            "link" if tag.get("rel") == Some("alternate") => {}
            "script" | "link" | "img" | "use" => {
                let from = tag.get("src").or(tag.get("href")).unwrap_or_default();
                let is_index = from.trim_start_matches("../") == "api/v1/search/_index/manifest.bin";
                let own = is_index
                    || from.split('#').next().is_some_and(|path| path.is_empty() || path.contains("assets/"));
                assert!(own && !from.contains("://"), "{tag:?} loads something of another's");
                assert!(tag.name != "script" || !from.is_empty(), "{tag:?} is inline");
            }
            "meta" => {
                assert_ne!(tag.get("http-equiv").map(str::to_ascii_lowercase).as_deref(), Some("refresh"))
            }
            _ => {}
        }
    }
    // A script that has a source has no text; no other element's text is a script.
    for after in html.split("<script").skip(1) {
        let text = after.split_once('>').map_or("", |(_, text)| text);
        assert!(text.trim_start().starts_with("</script>"), "a script with text");
    }
}
