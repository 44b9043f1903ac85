//! Splits texts into words, as every reader of the index does.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup, Script};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};

/// How many code points of a word count.
pub(super) const MAX_WORD_LENGTH: usize = 40;

/// Words that say nothing about a skill, sorted.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "for", "from", "has", "have", "how", "i",
    "if", "in", "into", "is", "it", "its", "no", "not", "of", "on", "or", "our", "so", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "to", "us", "use", "used", "uses", "using",
    "was", "we", "what", "when", "where", "which", "who", "will", "with", "you", "your",
];

/// Whether a word says nothing about a skill.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Whether a word is a pair of characters from a text without spaces, or a single one.
pub fn is_bigram(word: &str) -> bool {
    !word.is_ascii() && word.chars().all(is_dense)
}

/// The words of a text in order: `docs/search-index.md`, "Words".
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_word(text, &mut |word| found.push(word.to_owned()));
    found
}

/// Calls `visit` with each word of a text in order.
pub fn each_word(text: &str, visit: &mut dyn FnMut(&str)) {
    if text.is_ascii() {
        return ascii_words(text, visit);
    }
    let decomposed = NFKD.normalize(text);
    let bare: String = decomposed.chars().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).collect();
    let folded: String =
        NFKC.normalize(&bare).chars().flat_map(char::to_lowercase).map(unify_sigma).collect();
    for run in folded.split(|c| !is_word_character(c)).filter(|run| !run.is_empty()) {
        split_run(run, visit);
    }
}

/// [`each_word`] for ASCII, which needs no Unicode tables.
fn ascii_words(text: &str, visit: &mut dyn FnMut(&str)) {
    for run in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty()) {
        let run = &run[..run.len().min(MAX_WORD_LENGTH)];
        if run.bytes().any(|byte| byte.is_ascii_uppercase()) {
            visit(&run.to_ascii_lowercase());
        } else {
            visit(run);
        }
    }
}

/// Splits a run of letters and digits where the kind of script changes.
fn split_run(run: &str, visit: &mut dyn FnMut(&str)) {
    let mut rest = run;
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

static NFKD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();
static NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();
static CATEGORIES: CodePointMapDataBorrowed<'static, GeneralCategory> =
    CodePointMapData::<GeneralCategory>::new();
static SCRIPTS: CodePointMapDataBorrowed<'static, Script> = CodePointMapData::<Script>::new();

fn is_word_character(c: char) -> bool {
    let parts = GeneralCategoryGroup::Letter.union(GeneralCategoryGroup::Mark);
    parts.union(GeneralCategoryGroup::Number).contains(CATEGORIES.get(c))
}

/// Whether a character is from a script without spaces between words, or from Korean, where
/// pairs find more because endings are attached to words. The mark of a long vowel has no
/// script and occurs in Katakana.
fn is_dense(c: char) -> bool {
    let scripts = [
        Script::Han,
        Script::Hiragana,
        Script::Katakana,
        Script::Hangul,
        Script::Thai,
        Script::Lao,
        Script::Khmer,
        Script::Myanmar,
    ];
    c == 'ー' || scripts.contains(&SCRIPTS.get(c))
}

/// Replaces the sigma that ends a word by the usual one.
fn unify_sigma(c: char) -> char {
    if c == 'ς' { 'σ' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_into_folded_words() {
        for (text, expected) in [
            ("", ""),
            ("Hello, World-2!", "hello world 2"),
            ("C++ & node.js", "c node js"),
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
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("your") && is_stop_word("a") && !is_stop_word("pdf"));
    }

    #[test]
    fn ascii_words_equal_those_of_the_general_path() {
        let ascii: String = (0..128u8).map(char::from).collect();
        let mut general = Vec::new();
        each_word(&format!("{ascii}é"), &mut |word| general.push(word.to_owned()));
        assert_eq!(general.pop().as_deref(), Some("e"));
        assert_eq!(words(&ascii), general);
    }

    proptest::proptest! {
        #[test]
        fn word_split_again_has_at_most_two_words(text in ".{0,60}") {
            for word in words(&text) {
                let again = words(&word);
                proptest::prop_assert!(again.len() <= 2 && !again.is_empty(), "{text:?} {word:?} {again:?}");
            }
        }
    }
}
