//! From a query to the skills that it finds, by reading the files of an index.

mod correction;
pub mod piece_reader;
pub mod ranking;
pub mod terms;

use super::words::{MAX_WORD_LENGTH, is_stop_word, words};

/// Number of words of a query that are searched for.
const MAX_WORDS: usize = 8;

/// A parsed query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// All its words in order.
    all: Vec<String>,
    /// All its words as a slug.
    slug: String,
    /// The words that are searched for.
    words: Vec<String>,
}

impl Query {
    /// Parses the text of a query.
    pub fn new(text: &str) -> Self {
        let all = words(text);
        let mut searched = Vec::new();
        let only_stop_words = all.iter().all(|word| is_stop_word(word));
        for word in all.iter().filter(|word| only_stop_words || !is_stop_word(word)) {
            if !searched.contains(word) && searched.len() < MAX_WORDS {
                searched.push(word.clone());
            }
        }
        Self { words: searched, slug: all.join("-"), all }
    }

    /// Whether it has no words. It then asks for the most recently updated skills.
    pub fn is_blank(&self) -> bool {
        self.all.is_empty()
    }

    /// The words that are searched for, each with whether it may be the start of a longer one:
    /// the last word may still be being typed.
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, bool)> {
        let last = self.words.len().wrapping_sub(1);
        let is_open = self.words.last() == self.all.last();
        self.words.iter().enumerate().map(move |(at, word)| (word.as_str(), at == last && is_open))
    }

    /// 2 if the query is the slug (without namespace), 1 if it is the name, else 0. The name is
    /// empty if it is the slug in title case.
    pub(super) fn exactness(&self, slug: &str, name: &str) -> u8 {
        if self.slug == slug {
            return 2;
        }
        if name.is_empty() {
            // Such a name has the words of the slug, unless a part of it is cut off.
            return u8::from(slug.len() > MAX_WORD_LENGTH && words(slug) == self.all);
        }
        // Most names start with another letter, and need no parsing.
        let first = name.chars().next().filter(char::is_ascii_alphanumeric);
        let may_match = first.is_none_or(|first| {
            self.all.first().is_some_and(|word| word.starts_with(first.to_ascii_lowercase()))
        });
        u8::from(may_match && words(name) == self.all)
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
    fn query_has_its_first_eight_words_without_stop_words() {
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
    fn exactness_of_slugs_and_names() {
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
