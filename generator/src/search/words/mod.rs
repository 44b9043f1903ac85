//! Splits texts into words, as every reader of the index does: `docs/search-index.md`, "Language".

mod fold;
mod language;
mod stem;
mod translations;

use std::borrow::Cow;

use fold::{fold, is_dense, is_word_character};
pub use language::{is_common_word, is_phrase, is_stop_word, root, without_particles};
pub use stem::stem;
pub use translations::translations;

/// How many code points of a word count.
pub(super) const MAX_WORD_LENGTH: usize = 40;

/// How many code points a compound has at most.
const MAX_COMPOUND_LENGTH: usize = 24;

/// What may follow an apostrophe at the end of an English word. It is not a word.
const AFTER_APOSTROPHE: &[&str] = &["d", "ll", "m", "re", "s", "t", "ve"];

/// What stands between a word and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// One hyphen, full stop, underscore or slash.
    Hyphen,
    /// Anything else, or nothing.
    Other,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'t> {
    /// The folded word.
    pub text: Cow<'t, str>,
    /// What stands before it.
    pub gap: Gap,
}

/// The words of a text in order.
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_word(text, &mut |word| found.push(word.text.into_owned()));
    found
}

/// Calls `visit` with each word of a text in order.
pub fn each_word(text: &str, visit: &mut dyn FnMut(Word<'_>)) {
    let folded = fold(text);
    let mut before = 0;
    while let Some(start) = folded[before..].find(is_word_character).map(|at| before + at) {
        let end = folded[start..].find(|c| !is_word_character(c)).map_or(folded.len(), |at| start + at);
        let (between, run, after) = (&folded[before..start], &folded[start..end], &folded[end..]);
        let is_first = before == 0;
        before = end;
        if between == "'" && !is_first && AFTER_APOSTROPHE.contains(&run) {
            continue;
        }
        let gap =
            if matches!(between, "-" | "." | "_" | "/") && !is_first { Gap::Hyphen } else { Gap::Other };
        match with_sign(between, run, after, is_first) {
            Some(name) => visit(Word { text: Cow::Borrowed(name), gap: Gap::Other }),
            None => split_run(run, gap, visit),
        }
    }
}

/// The word for a language whose name has a sign.
fn with_sign(between: &str, run: &str, after: &str, is_first: bool) -> Option<&'static str> {
    match run {
        "c" if after.starts_with("++") => Some("cpp"),
        "c" if after.starts_with('#') => Some("csharp"),
        "f" if after.starts_with('#') => Some("fsharp"),
        "net" if between.ends_with('.') && (is_first || between.len() > 1) => Some("dotnet"),
        _ => None,
    }
}

/// Splits a run of letters and digits where the kind of script changes.
fn split_run(run: &str, gap: Gap, visit: &mut dyn FnMut(Word<'_>)) {
    if run.is_ascii() {
        return visit(Word { text: Cow::Borrowed(&run[..run.len().min(MAX_WORD_LENGTH)]), gap });
    }
    let mut rest = run;
    let mut visit = |text| visit(Word { text: Cow::Borrowed(text), gap: Gap::Other });
    while let Some(first) = rest.chars().next() {
        let dense = is_dense(first);
        let end = rest.find(|c| is_dense(c) != dense).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        let starts: Vec<usize> = part.char_indices().map(|(at, _)| at).chain([part.len()]).collect();
        if !dense {
            visit(&part[..starts[MAX_WORD_LENGTH.min(starts.len() - 1)]]);
        } else if starts.len() == 2 {
            visit(part);
        } else {
            starts.windows(3).for_each(|at| visit(&part[at[0]..at[2]]));
        }
    }
}

/// Whether a word is a pair of characters from a text without spaces, or a single one.
pub fn is_bigram(word: &str) -> bool {
    !word.is_ascii() && word.chars().all(is_dense)
}

/// Two neighbouring words written as one. None if they are not written so.
pub fn compound(first: &str, second: &str) -> Option<String> {
    let length = first.chars().count() + second.chars().count();
    (length <= MAX_COMPOUND_LENGTH && !is_bigram(first) && !is_bigram(second))
        .then(|| [first, second].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_into_folded_words() {
        for (text, expected) in [
            ("", ""),
            ("Hello, World-2!", "hello world 2"),
            ("C++ & node.js", "cpp node js"),
            ("c#, F#, c, .NET; asp.net c-sharp", "csharp fsharp c dotnet asp net c sharp"),
            ("The user's files aren’t l'eau o'clock s' 's", "the user files aren l eau o clock s s"),
            ("Crème Brûlée ﬁne ＡＢＣ ½", "creme brulee fine abc 1 2"),
            ("ΟΔΟΣ İstanbul STRASSE Straße", "οδοσ istanbul strasse straße"),
            ("机器学习 tools", "机器 器学 学习 tools"),
            ("图", "图"),
            ("pdf转换器v2", "pdf 转换 换器 v2"),
            ("がんばれ サーバー", "がん んば ばれ サー ーバ バー"),
            ("한국어 검색", "한국 국어 검색"),
            ("हिन्दी", "हिन्दी"),
            ("😀 ok_then", "ok then"),
        ] {
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
        let long = "x".repeat(100);
        assert_eq!(words(&long), [&long[..40]]);
        assert_eq!(words(&format!("é{long}"))[0].chars().count(), 40);
    }

    #[test]
    fn gaps_of_one_sign_are_hyphens() {
        let mut hyphens = Vec::new();
        each_word("-a e-ink node.js x_y a/b c - d e--f, g.", &mut |word| {
            if word.gap == Gap::Hyphen {
                hyphens.push(word.text.into_owned());
            }
        });
        assert_eq!(hyphens, ["ink", "js", "y", "b"]);
        assert_eq!(compound("e", "ink").as_deref(), Some("eink"));
        assert_eq!(compound("机器", "ink"), None);
        assert_eq!(compound(&"x".repeat(20), "yyyyy"), None);
    }

    proptest::proptest! {
        #[test]
        fn word_split_again_has_at_most_two_words(text in ".{0,60}") {
            for word in words(&text) {
                let again = words(&word);
                proptest::prop_assert!(again.len() <= 2 && !again.is_empty(), "{text:?} {word:?} {again:?}");
            }
        }

        #[test]
        fn ascii_words_equal_those_of_the_general_path(text in "[ -~]{0,60}") {
            let mut general = words(&format!("{text} é"));
            assert_eq!(general.pop().as_deref(), Some("e"));
            assert_eq!(words(&text), general);
        }
    }
}
