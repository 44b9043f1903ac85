//! Where front matter ends that has no reliable closing fence.

use super::front_matter::{is_fence_like, key_of};

/// The end of front matter, relative to its first line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// Bytes of the front matter.
    pub bytes: usize,
    /// Bytes and lines up to the text. They include a closing fence in another form.
    pub rest: usize,
    pub rest_lines: u64,
    /// White space before each line of the text, if all of it was indented like the value of
    /// a key.
    pub indent: usize,
}

/// Finds the end of front matter whose closing fence is missing. A line that neither begins
/// with a key nor belongs to one ends it, and so does a blank line before a heading.
pub(super) fn extent(text: &str) -> Extent {
    let mut extent = Extent::default();
    let (mut at, mut number) = (0, 0);
    let mut follows = Follows::default();
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        let inner = content.trim_start();
        let indent = content.len() - inner.len();
        (at, number) = (at + line.len(), number + 1);
        if is_fence_like(inner) {
            return Extent { rest: at, rest_lines: number, indent, ..extent };
        }
        match follows.line(content) {
            Kind::OfFrontMatter if !(follows.after_blank && is_heading(inner)) => {
                (extent.bytes, extent.rest, extent.rest_lines) = (at, at, number);
                follows.after_blank = false;
            }
            Kind::OfFrontMatter => return Extent { indent, ..extent },
            Kind::Blank => follows.after_blank = true,
            Kind::Comment if !follows.after_blank => {}
            Kind::Comment | Kind::Text => break,
        }
    }
    extent
}

/// Finds the line (from 0) of text in what may be front matter: then the fence below is a
/// rule in the text. Lines directly below a value are no text if more keys or the fence follow
/// at once, because people forget to indent long values.
pub(super) fn line_of_text(yaml: &str) -> Option<u64> {
    let mut follows = Follows::default();
    let (mut has_key, mut apart, mut wrapped) = (false, false, None);
    for (number, line) in (0..).zip(yaml.lines()) {
        match follows.line(line.trim_end()) {
            Kind::OfFrontMatter => (has_key, apart, wrapped) = (true, false, None),
            Kind::Blank | Kind::Comment => apart = true,
            Kind::Text if apart && has_key => return wrapped.or(Some(number)),
            Kind::Text => wrapped = wrapped.or(Some(number)),
        }
    }
    wrapped.filter(|_| apart && has_key)
}

/// What is known from the lines above.
#[derive(Default)]
struct Follows {
    /// Whether the last key has its value below it, perhaps a list.
    empty_value: bool,
    /// Whether the line above is blank.
    after_blank: bool,
}

enum Kind {
    /// A key, or a line of its value.
    OfFrontMatter,
    Blank,
    /// A comment of YAML, or a heading.
    Comment,
    Text,
}

impl Follows {
    fn line(&mut self, content: &str) -> Kind {
        if let Some((_, value)) = key_of(content) {
            self.empty_value = value.is_empty();
            return Kind::OfFrontMatter;
        }
        match content.chars().next() {
            None => Kind::Blank,
            Some(' ' | '\t' | ']' | '}') => Kind::OfFrontMatter,
            Some('-') if self.empty_value && content.starts_with("- ") => Kind::OfFrontMatter,
            Some('#') => Kind::Comment,
            Some(_) => Kind::Text,
        }
    }
}

fn is_heading(text: &str) -> bool {
    let rest = text.trim_start_matches('#');
    (1..=6).contains(&(text.len() - rest.len())) && rest.starts_with(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The front matter, and the text after it.
    fn parts(text: &str) -> (&str, &str, u64) {
        let extent = extent(text);
        (&text[..extent.bytes], &text[extent.rest..], extent.rest_lines)
    }

    #[test]
    fn unclosed_front_matter_ends_at_the_text() {
        let front = "name: x\ndescription: y\n";
        for text in
            ["\n# Heading\n\nnote: z\n", "# Heading\n\nText\n", "Text\n", "\n- an item\n", "> quote\n"]
        {
            assert_eq!(parts(&format!("{front}{text}")), (front, text, 2), "{text:?}");
        }
        for text in ["# Heading\n", "", "\n\n"] {
            assert_eq!(parts(text), ("", text, 0));
        }
        for more in ["# comment\nnote: z\n", "\nnote: z\n", "list:\n- a\n- b\n", "map: {\n  a: 1\n}\n"] {
            let front = format!("{front}{more}");
            let lines = front.matches('\n').count() as u64;
            assert_eq!(parts(&format!("{front}\nText\n")), (front.as_str(), "\nText\n", lines));
        }
    }

    #[test]
    fn unclosed_front_matter_ends_at_another_fence() {
        for fence in ["---", "    ---", "----", "...", "———"] {
            let text = format!("name: x\ndescription: |\n    Says.\n{fence}\nText\n");
            assert_eq!(parts(&text), ("name: x\ndescription: |\n    Says.\n", "Text\n", 4), "{fence}");
        }
        let indented = extent("description: |\n    Says.\n\n    # Heading\n    Text\n");
        assert_eq!((indented.bytes, indented.indent), (25, 4));
    }

    #[test]
    fn text_above_a_rule_is_found() {
        assert_eq!(line_of_text("name: x\n\nText\n\nmore: y\n"), Some(2));
        assert_eq!(line_of_text("name: x\n# Heading\nText\n"), Some(2));
        assert_eq!(line_of_text("name: x\nText\n\n"), Some(1));
        for front in ["name: x\ngoes on\nmore: y\n", "name: x\n\n# comment\nmore: y: z\n", "A rule\n\nText\n"]
        {
            assert_eq!(line_of_text(front), None, "{front:?}");
        }
    }
}
