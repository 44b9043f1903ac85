//! The words that queries are made of.

use generator::search::words::is_stop_word;

/// The runs of letters and digits in lower case, in their order.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether users would search for a word: it has two characters and is not a stop word.
pub(super) fn is_telling(word: &str) -> bool {
    word.chars().count() >= 2 && !is_stop_word(word)
}

/// Whether a word is one where people mistype: five letters or more, of a to z.
pub(super) fn is_typed(word: &str) -> bool {
    word.len() >= 5 && word.bytes().all(|b| b.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_is_between_signs() {
        assert_eq!(words("Don't use C++/日本").collect::<Vec<_>>(), ["don", "t", "use", "c", "日本"]);
        let telling: Vec<_> = words("Don't use C++/日本").filter(|word| is_telling(word)).collect();
        assert_eq!(telling, ["日本"]);
        assert!(is_typed("chart") && !is_typed("char") && !is_typed("日本日本") && !is_typed("3dcharts"));
    }
}
