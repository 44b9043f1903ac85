//! From a query to the skills that it finds, by reading the files of an index.

mod correction;
mod nearness;
pub mod piece_reader;
pub mod ranking;
pub mod terms;
pub mod unknown_word;
pub mod weight;

use super::words::{
    Gap, MAX_WORD_LENGTH, Word, compound, each_word, is_bigram, is_common_word, is_phrase, is_stop_word,
    translations, without_particles, words,
};

/// Number of words of a query that are searched for.
const MAX_WORDS: usize = 32;

/// A parsed query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The text in lower case, without `@` before it.
    text: String,
    /// All its words in order.
    all: Vec<String>,
    /// The words that are searched for.
    words: Vec<String>,
    /// Whether the last of `words` may be the start of a longer one.
    is_open: bool,
    compounds: Vec<Compound>,
}

/// Two neighbouring words of a query, written as one; or the translation of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compound {
    pub text: String,
    /// The positions of its words among those that are searched for. Empty if both are stop words.
    pub parts: Vec<usize>,
    pub is_translation: bool,
}

impl Query {
    /// Parses the text of a query.
    pub fn new(text: &str) -> Self {
        let all = words(text);
        let mut tokens = tokens(&without_particles(text));
        if tokens.is_empty() {
            tokens = self::tokens(text);
        }
        let telling = telling(&tokens);
        let mut searched = Vec::<String>::new();
        for word in tokens.iter().map(|(word, _)| word).filter(|word| telling(word)) {
            if !searched.contains(word) && searched.len() < MAX_WORDS {
                searched.push(word.clone());
            }
        }
        let is_open = searched.last().is_some() && searched.last() == all.last();
        let compounds = compounds(&tokens, &searched);
        let text = text.trim().to_lowercase();
        let text = text.strip_prefix('@').unwrap_or(&text).to_owned();
        Self { text, all, words: searched, is_open, compounds }
    }

    /// Whether it has no words. It then asks for the most recently updated skills.
    pub fn is_blank(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether several words are searched for. The results of a single word may be precomputed, so they must
    /// depend only on the skills that have it.
    pub(super) fn has_several_words(&self) -> bool {
        self.words.len() > 1
    }

    /// The words that are searched for, each with whether it may be the start of a longer one:
    /// the last word may still be being typed.
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, bool)> {
        let last = self.words.len().wrapping_sub(1);
        self.words.iter().enumerate().map(move |(at, word)| (word.as_str(), at == last && self.is_open))
    }

    pub(super) fn compounds(&self) -> &[Compound] {
        &self.compounds
    }

    /// The translations of its words.
    pub fn translated(&self) -> impl Iterator<Item = &str> {
        let translations = self.compounds.iter().filter(|compound| compound.is_translation);
        translations.map(|compound| compound.text.as_str())
    }

    /// Whether a translation stands for the word at a position.
    fn is_translated(&self, at: usize) -> bool {
        self.compounds.iter().any(|compound| compound.is_translation && compound.parts.contains(&at))
    }

    /// The words and translations in the order in which a long query looks for them: those first that
    /// are likely to be rare, and to be in the index.
    pub(super) fn by_rarity(&self) -> impl Iterator<Item = &str> {
        let place = |(at, word): (usize, &str)| match word {
            _ if self.is_translated(at) => 4,
            word if is_common_word(word) => 3,
            word if is_bigram(word) => 2,
            _ => 0,
        };
        let words = self.words.iter().map(String::as_str).enumerate();
        let words = words.map(|(at, word)| (place((at, word)), word));
        let mut all: Vec<_> = words.chain(self.translated().map(|text| (1, text))).collect();
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, word)| word)
    }

    /// Whether a word of the query says little, because many names have it and another word says more.
    pub(super) fn says_little(&self, word: &str) -> bool {
        is_common_word(word) && !self.words.iter().all(|word| is_common_word(word))
    }

    /// The positions of bigrams from one text without spaces, three or more that are not translated.
    pub(super) fn bigrams(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let follows = |at: &usize| {
            let [first, second] = [&self.words[at - 1], &self.words[*at]];
            first.chars().nth(1).is_some_and(|last| second.starts_with(last))
        };
        let is_single = |at: &usize| is_bigram(&self.words[*at]) && !self.is_translated(*at);
        let mut start = 0;
        (1..=self.words.len()).filter_map(move |at| {
            let is_next = at < self.words.len() && is_single(&at) && is_single(&(at - 1)) && follows(&at);
            let run = start..at;
            if is_next {
                return None;
            }
            start = at;
            (run.len() > 2).then_some(run)
        })
    }

    /// 3 if the query is the slug of a skill, with or without its namespace; 2 if it has the words
    /// of that; 1 if it has the words of the name; else 0. The name is empty if it is the slug in
    /// title case.
    pub(super) fn exactness(&self, namespace: &[u8], slug: &[u8], name: &[u8]) -> u8 {
        let text = self.text.as_bytes();
        if text == slug || text.strip_prefix(namespace).and_then(|rest| rest.strip_prefix(b"/")) == Some(slug)
        {
            return 3;
        }
        if self.may_equal(slug) && self.has_words(slug)
            || self.may_equal(namespace) && self.has_words(&[namespace, b" ", slug].concat())
        {
            return 2;
        }
        u8::from(!name.is_empty() && self.may_equal(name) && self.has_words(name))
    }

    /// Whether a text may have the words of the query: its first letters and the first word are the same up to the
    /// end of the shorter one.
    /// Most texts start with others, and need no parsing.
    fn may_equal(&self, text: &[u8]) -> bool {
        let start = text.iter().take(MAX_WORD_LENGTH).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let word = self.all.first().map_or(&[][..], |word| &word.as_bytes()[..start.min(word.len())]);
        word.eq_ignore_ascii_case(&text[..word.len()])
    }

    /// Whether text and query have the same letters, wherever their words are divided.
    fn has_words(&self, text: &[u8]) -> bool {
        words(&String::from_utf8_lossy(text)).concat() == self.all.concat()
    }
}

/// The words of a text, each with what stands before it.
fn tokens(text: &str) -> Vec<(String, Gap)> {
    let mut tokens = Vec::new();
    each_word(text, &mut |Word { text, gap }| tokens.push((text.into_owned(), gap)));
    tokens
}

/// Which words of a query say something: not stop words, and not bigrams of Hiragana, which are
/// mostly endings. If no word does, all count.
fn telling(tokens: &[(String, Gap)]) -> impl Fn(&str) -> bool + use<> {
    let is_telling = |word: &str| !is_stop_word(word) && !word.chars().all(|c| matches!(c, 'ぁ'..='ゟ'));
    let none = !tokens.iter().any(|(word, _)| is_telling(word));
    move |word| none || is_telling(word)
}

/// The compounds of neighbouring words.
fn compounds(tokens: &[(String, Gap)], searched: &[String]) -> Vec<Compound> {
    let place = |word: &str| searched.iter().position(|known| known == word);
    let mut compounds = translated(tokens, place);
    for pair in tokens.windows(2) {
        let [(first, _), (second, gap)] = pair else { continue };
        let Some(text) = compound(first, second) else { continue };
        let parts: Vec<usize> = place(first).into_iter().chain(place(second)).collect();
        let is_one = parts.len() == 2 || *gap == Gap::Hyphen || is_phrase(&text);
        let is_known = searched.contains(&text) || compounds.iter().any(|known| known.text == text);
        if is_one && !is_known && compounds.len() < MAX_WORDS {
            compounds.push(Compound { text, parts, is_translation: false });
        }
    }
    compounds
}

/// The translations of words, each of which has a place among those that are searched for. The words of a
/// translation stand for one word each, and the last one for all that are left.
fn translated(tokens: &[(String, Gap)], place: impl Fn(&str) -> Option<usize>) -> Vec<Compound> {
    let (mut found, mut rest) = (Vec::<Compound>::new(), tokens);
    while !rest.is_empty() {
        let (length, english) = translations(rest.iter().map(|(word, _)| word.as_str()));
        let (entry, after) = rest.split_at(length);
        rest = after;
        let parts: Vec<usize> = entry.iter().filter_map(|(word, _)| place(word)).collect();
        for english in english {
            let last = english.split(' ').count() - 1;
            for (at, text) in english.split(' ').enumerate().filter(|_| !parts.is_empty()) {
                let first = at.min(parts.len() - 1);
                let end = if at == last { parts.len() } else { first + 1 };
                let is_known = found.iter().any(|known| known.text == text) || place(text).is_some();
                if !is_known && found.len() < MAX_WORDS {
                    let parts = parts[first..end].to_vec();
                    found.push(Compound { text: text.to_owned(), parts, is_translation: true });
                }
            }
        }
    }
    found
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
    fn query_has_its_first_words_without_stop_words() {
        for (text, expected) in [
            ("", ""),
            ("PDF tools", "pdf tools*"),
            ("pdf pdf", "pdf*"),
            ("tools for pdf", "tools pdf*"),
            ("what is it for", "what is it for*"),
            ("what's up with my files", "files*"),
            ("pdf make pdf", "pdf*"),
            ("pdf reader for me", "pdf reader"),
            ("如何学习机器", "学习 习机 机器*"),
            ("HTTP 请求", "http 请求*"),
            ("旅行的目的地", "旅行 目的 的地*"),
            ("了解", "了解*"),
            ("お金を管理する", "お金 金を を管 管理 理す"),
            ("です", "です*"),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
        assert!(Query::new(" -- ").is_blank() && !Query::new("a").is_blank());
        let many: Vec<String> = (0..50).map(|n| format!("w{n}")).collect();
        assert_eq!(Query::new(&many.join(" ")).words().count(), 32);
    }

    #[test]
    fn neighbours_are_compounds() {
        let compounds = |text: &str| {
            let query = Query::new(text);
            let text = |compound: &Compound| format!("{}{:?}", compound.text, compound.parts);
            query.compounds().iter().map(text).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(compounds("time zone converter"), "timezone[0, 1] zoneconverter[1, 2]");
        assert_eq!(compounds("to do list"), "todo[] dolist[0]".split(' ').next().unwrap_or_default());
        assert_eq!(compounds("drop the box"), "");
        assert_eq!(compounds("e-ink"), "eink[0, 1]");
        assert_eq!(compounds("图片 pdf"), "image[0]");
        assert_eq!(compounds("智能家居"), "smart[0] home[1, 2]");
        assert_eq!(compounds("maison connectée"), "smart[0] home[1] maisonconnectee[0, 1]");
    }

    #[test]
    fn exactness_of_slugs_and_names() {
        let exactness = |text: &str, slug: &str, name: &str| {
            Query::new(text).exactness(b"acme", slug.as_bytes(), name.as_bytes())
        };
        assert_eq!(exactness("to-do-list", "to-do-list", ""), 3);
        assert_eq!(exactness("@acme/to-do-list ", "to-do-list", ""), 3);
        assert_eq!(exactness("Acme/to-do-list", "to-do-list", ""), 3);
        assert_eq!(exactness("other/to-do-list", "to-do-list", ""), 0);
        assert_eq!(exactness("To-Do list", "to-do-list", ""), 2);
        assert_eq!(exactness("acme to do list", "to-do-list", ""), 2);
        assert_eq!(exactness("To-Do list", "todo", "To do: List!"), 1);
        assert_eq!(exactness("To-Do list", "todo", "Do to list"), 0);
        assert_eq!(exactness("To-Do", "todo", ""), 2);
        assert_eq!(exactness("todo list", "to-do-list", ""), 2);
        assert_eq!(exactness("To-Do list", "todo", ""), 0);
        assert_eq!(exactness("Überblick", "x", "ÜBERBLICK"), 1);
        assert_eq!(exactness("resume c#", "x", "Re\u{301}sume\u{301} C#"), 1);
        assert_eq!(exactness(".net c++", "x", ".NET C++"), 1);
        assert_eq!(exactness("C# pdf转换", "x", "c#: PDF转换"), 1);
        assert_eq!(exactness(&"x".repeat(41), "x", &"X".repeat(45)), 1);
    }
}
