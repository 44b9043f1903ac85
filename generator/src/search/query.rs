//! What is asked for.

use super::words::{LONGEST, is_stop_word, words};

/// How many words of a query count.
const MOST_WORDS: usize = 8;

/// A query, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// All its words in order.
    all: Vec<String>,
    /// The same as a slug.
    slug: String,
    /// Those that are looked for.
    words: Vec<String>,
}

impl Query {
    /// Understands a text.
    pub fn new(text: &str) -> Self {
        let all = words(text);
        let mut found = Vec::new();
        let says_something = all.iter().any(|word| !is_stop_word(word));
        for word in all.iter().filter(|word| !(says_something && is_stop_word(word))) {
            if !found.contains(word) && found.len() < MOST_WORDS {
                found.push(word.clone());
            }
        }
        Self { words: found, slug: all.join("-"), all }
    }

    /// Whether it has no words: it asks for the newest skills.
    pub fn is_blank(&self) -> bool {
        self.all.is_empty()
    }

    /// The words that are looked for, each with whether it may be the beginning
    /// of a longer one.
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, bool)> {
        let last = self.words.len().wrapping_sub(1);
        let is_open = self.words.last() == self.all.last();
        self.words.iter().enumerate().map(move |(at, word)| (word.as_str(), at == last && is_open))
    }

    /// 2 where the query is a skill's slug (without namespace), 1 where it is its
    /// name (empty where that is made from the slug), else 0.
    pub(super) fn exactness(&self, slug: &str, name: &str) -> u8 {
        if self.slug == slug {
            return 2;
        }
        if name.is_empty() {
            // It says what the slug says; but of a long part not all counts.
            return u8::from(slug.len() > LONGEST && words(slug) == self.all);
        }
        // Most names are not looked at: they begin otherwise.
        let first = name.chars().next().filter(char::is_ascii_alphanumeric);
        let begins = first.is_none_or(|first| {
            self.all.first().is_some_and(|word| word.starts_with(first.to_ascii_lowercase()))
        });
        u8::from(begins && words(name) == self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> String {
        let query = Query::new(text);
        let word = |(word, is_open): (&str, bool)| format!("{word}{}", if is_open { "*" } else { "" });
        query.words().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn queries_are_understood() {
        for (text, expected) in [
            ("", ""),
            ("PDF tools", "pdf tools*"),
            ("pdf pdf", "pdf*"),
            ("tools for pdf", "tools pdf*"),
            ("what is it for", "what is it for*"),
            ("make it so", "make"),
            ("pdf make pdf", "pdf make"),
            ("a b c d e f g h i j k", "b c d e f g h j"),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
        assert!(Query::new(" -- ").is_blank() && !Query::new("a").is_blank());
    }

    #[test]
    fn exact_names_are_known() {
        let query = Query::new("To-Do list");
        assert_eq!(query.exactness("to-do-list", ""), 2);
        assert_eq!(query.exactness("todo", "To do: List!"), 1);
        assert_eq!(query.exactness("todo", "Do to list"), 0);
        assert_eq!(query.exactness("todo", ""), 0);
        let long = "x".repeat(41);
        assert_eq!(Query::new(&long).exactness(&long, ""), 1);
        assert_eq!(Query::new(&long).exactness(&format!("{long}-y"), ""), 0);
        assert_eq!(Query::new("Überblick").exactness("x", "ÜBERBLICK"), 1);
    }
}
