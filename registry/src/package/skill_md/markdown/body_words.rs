//! The words that the text of a SKILL.md has most often.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::Blocks;
use crate::package::skill_md::line_ends::with_line_feeds;

/// Body words of one skill.
pub(crate) const MAX_BODY_WORDS: usize = 32;

/// Characters of one body word.
pub(crate) const MAX_BODY_WORD_CHARS: usize = 24;

/// Bytes of all body words of one skill.
pub(crate) const MAX_BODY_WORDS_BYTES: usize = 1 << 10;

/// The lists that search has of the same words.
const LANGUAGE: &str = include_str!("../../../../../site-template/assets/search/language.js");

/// Words that tell nothing about a skill.
static FREQUENT: LazyLock<HashSet<String>> = LazyLock::new(|| {
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase")]
    struct Lists {
        stop_words: Vec<String>,
        common_words: Vec<String>,
    }
    let json = LANGUAGE.trim_end().strip_prefix("export default ").and_then(|rest| rest.strip_suffix(';'));
    let Lists { stop_words, common_words } =
        serde_json::from_str(json.unwrap_or_default()).unwrap_or_default();
    stop_words.iter().chain(&common_words).flat_map(|line| line.split(' ')).map(str::to_owned).collect()
});

/// Returns the most frequent words of paragraphs and lists, in lower case and within the limits above. Ties go to the
/// first in the text. Words that search has by other means are left out: those of `others`, and those that are in most
/// texts.
pub(in crate::package::skill_md) fn body_words<'t>(
    markdown: &str,
    others: impl Iterator<Item = &'t str>,
) -> Vec<String> {
    let others: HashSet<String> = others.flat_map(words).collect();
    // For each word the number of times, and of the words before it.
    let mut counted = HashMap::<String, (Reverse<usize>, usize)>::new();
    for block in Blocks::of(&with_line_feeds(markdown)).filter(|block| !block.is_heading) {
        for word in words(&block.text).filter(|word| !FREQUENT.contains(word) && !others.contains(word)) {
            let place = counted.len();
            counted.entry(word).or_insert((Reverse(0), place)).0.0 += 1;
        }
    }
    let mut sorted: Vec<_> = counted.into_iter().collect();
    sorted.sort_unstable_by_key(|(_, rank)| *rank);
    let mut bytes = 0;
    let mut has_room = |word: &String| {
        bytes += word.len();
        bytes <= MAX_BODY_WORDS_BYTES
    };
    sorted.into_iter().map(|(word, _)| word).take(MAX_BODY_WORDS).take_while(|word| has_room(word)).collect()
}

/// The words of a text in lower case: letters, three or more, of scripts with spaces between words. Addresses have none.
fn words(text: &str) -> impl Iterator<Item = String> {
    let texts = text.split_whitespace().filter(|text| !text.contains("://"));
    let runs = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    runs.map(str::to_lowercase).filter(|word| {
        (3..=MAX_BODY_WORD_CHARS).contains(&word.chars().count()) && word.chars().all(is_spaced_letter)
    })
}

/// Whether a character is a letter of a script that puts spaces between words: those before Thai, and more of the Latin
/// and Greek letters.
fn is_spaced_letter(c: char) -> bool {
    c.is_alphabetic() && matches!(c, '\0'..'\u{e00}' | '\u{1e00}'..'\u{2000}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(markdown: &str) -> String {
        body_words(markdown, ["the-slug", "Has fields."].into_iter()).join(" ")
    }

    #[test]
    fn frequent_words_of_paragraphs_and_lists_come_first() {
        let text = "# Heading\nCider and apples.\n\n- more *cider*\n- `pear_juice`\n\n> Cider, [press](http://x/target)\n";
        assert_eq!(of(text), "cider apples pear juice press");
        assert_eq!(of("Größe größe ЯБЛОКО χυμός"), "größe яблоко χυμός");
    }

    #[test]
    fn words_that_tell_nothing_are_left_out() {
        for none in [
            "The agent can use a tool.",
            "slug fields HAS",
            "ab 1234 web3 v2 x",
            "https://example.org/cider <https://example.org/cider>",
            "```\ncider\n```\n\n    cider\n",
            "<div>\ncider\n</div>\n",
            "<b title=\"cider\"></b>",
            "| cider |\n|---|\n| cider |\n",
            "![cider](cider.png)",
            "机器学习 ไทย 한국어",
            "\u{130}cider \u{200b}",
        ] {
            assert_eq!(of(none), "", "{none:?}");
        }
        assert_eq!(of(&"x".repeat(25)), "");
    }

    #[test]
    fn hostile_texts_have_few_short_words() {
        let letters =
            |number: usize| (0..4).map(move |at| char::from(b'a' + (number >> (4 * at) & 15) as u8));
        let many: String = (0..20_000).flat_map(|number| letters(number).chain([' '])).collect();
        let long: String =
            (0..40).map(|number| format!("{}{} ", "я".repeat(20), "б".repeat(1 + number % 4))).collect();
        let wide: String =
            (0..40).map(|n| format!("{}{} ", "ệ".repeat(20), letters(n).collect::<String>())).collect();
        for text in [many, long, wide, ">".repeat(50_000) + " cider", "*cider ".repeat(20_000)] {
            let words = body_words(&text, [].into_iter());
            assert!(words.len() <= MAX_BODY_WORDS);
            assert!(words.iter().map(String::len).sum::<usize>() <= MAX_BODY_WORDS_BYTES);
            assert!(words.iter().all(|word| word.chars().count() <= MAX_BODY_WORD_CHARS));
        }
    }
}
