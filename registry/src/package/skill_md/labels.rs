//! A name and description that are written as text: `**Name:** my-skill`.

use serde_json::Value;

use super::front_matter::FrontMatter;
use super::markdown;

/// Reads labelled lines at the start of a text. None if the first lines do not tell a name.
/// The lines remain part of the text.
pub(super) fn read(text: &str) -> Option<FrontMatter> {
    let mut front_matter = FrontMatter::default();
    let mut open: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some((key, value)) = label(line) {
            open = Some(key);
            if !front_matter.texts.contains_key(key) {
                front_matter.texts.insert(key.to_owned(), value.to_owned());
                front_matter.lines.insert(key.to_owned(), number);
            }
            // A heading is one line.
            open = open.filter(|_| !line.starts_with('#'));
        } else if line.is_empty() || line.starts_with('#') || line == "---" {
            open = None;
        } else if let Some(value) = open.and_then(|key| front_matter.texts.get_mut(key)) {
            value.push(' ');
            value.push_str(line);
        } else {
            break;
        }
    }
    front_matter.texts.retain(|_, value| {
        *value = markdown::first_paragraph(value).map_or_else(String::new, |(text, _)| text);
        !value.is_empty()
    });
    let entry = |(key, value): (&String, &String)| (key.clone(), Value::String(value.clone()));
    front_matter.map = front_matter.texts.iter().map(entry).collect();
    front_matter.map.contains_key("name").then_some(front_matter)
}

/// Splits `**Name:** x`, `Name: x`, `- **Name**: x` or `### Name: x` into key and value.
fn label(line: &str) -> Option<(&'static str, &str)> {
    let marks = |c: char| matches!(c, '#' | '*' | '_' | '-' | '+' | '`' | ' ');
    let (key, value) = line.trim_start_matches(marks).split_once([':', '\u{ff1a}'])?;
    let key = key.trim_end_matches(marks);
    let key =
        ["name", "description", "version", "license"].into_iter().find(|k| key.eq_ignore_ascii_case(k))?;
    let value = value.trim_start_matches(['*', '_']).trim();
    (!value.is_empty()).then_some((key, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn labelled_lines_are_read() {
        for text in [
            "**Name:** x\n**Description:** Does *it*.\n\nText\n",
            "# Title\n\n- **Name**: `x`\n- **Description**: Does\n  it.\n",
            "### Name: x\n\n**Description:** Does it.\n\n---\n\n### More\n",
            "Name: x\nDescription：Does it.\n",
            "__Name:__ x\n\n__description__: Does it.\nText\n\n",
        ] {
            let read = read(text).unwrap_or_else(|| panic!("{text:?}"));
            assert_eq!(read.map["name"], "x", "{text:?}");
            assert!(read.map["description"].as_str().unwrap().starts_with("Does it."), "{text:?}");
        }
        let first = read("Name: x\nName: y\nVersion: 1.2.0\n").unwrap();
        assert_eq!(Value::Object(first.map), json!({"name": "x", "version": "1.2.0"}));
    }

    #[test]
    fn text_without_labelled_name_is_not_read() {
        for text in ["", "# Name\n\nx\n", "Description: x\n", "Text\n\nName: x\n", "Name:\n", "Names: x\n"] {
            assert!(read(text).is_none(), "{text:?}");
        }
    }
}
