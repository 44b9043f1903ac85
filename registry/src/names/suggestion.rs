//! Valid names that are close to invalid ones, for messages.

use icu_normalizer::DecomposingNormalizer;

use super::reserved;

/// Bytes of a name.
pub(super) const MAX_BYTES: usize = 64;

/// Converts a text to the characters of names: lower case, one `-` for each run of other characters, at most 64
/// characters. May be empty, or a reserved name.
pub(crate) fn hyphenated(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if name.len() >= MAX_BYTES {
            break;
        }
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(name.trim_end_matches('-').len());
    name
}

/// The valid name that somebody probably means by `text`. Accents are removed. None if nothing is left, as of
/// names in other scripts.
pub(super) fn suggestion(text: &str) -> Option<String> {
    // No longer name is close to a valid one, and the text may be large.
    let start: String = text.chars().take(4 * MAX_BYTES).collect();
    let plain: String =
        DecomposingNormalizer::new_nfkd().normalize(&start).chars().filter(|c| !is_combining(*c)).collect();
    let name = hyphenated(&plain);
    match name.as_str() {
        "" => None,
        device if reserved::is_windows_device(device) => Some(format!("{device}-skill")),
        _ => Some(name),
    }
}

/// Whether a character only adds an accent to the one before it.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Slug;

    #[test]
    fn suggestion_is_a_valid_name_close_to_the_text() {
        for (text, name) in [
            ("My_Skill", "my-skill"),
            ("PDF Forms", "pdf-forms"),
            ("pdf.forms.v2", "pdf-forms-v2"),
            ("Café Über", "cafe-uber"),
            ("ｆｕｌｌ", "full"),
            ("a--b", "a-b"),
            ("-lead", "lead"),
            ("trail-", "trail"),
            ("__init__", "init"),
            ("2-Fast", "2-fast"),
            ("日本 Tools", "tools"),
            ("con", "con-skill"),
            ("a/b", "a-b"),
        ] {
            assert_eq!(suggestion(text).as_deref(), Some(name), "{text}");
            assert!(name.parse::<Slug>().is_ok(), "{name}");
            let why = text.parse::<Slug>().unwrap_err().to_string();
            assert!(why.ends_with(&format!(": write `{name}`")), "{why}");
        }
        let long = suggestion(&"Long ".repeat(50)).unwrap();
        assert!(long.len() <= MAX_BYTES && long.parse::<Slug>().is_ok(), "{long}");
        for none in ["", "日本", "--", "🙂"] {
            assert_eq!(suggestion(none), None, "{none}");
        }
    }
}
