//! Folding: one spelling for letters that people write in several ways.

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup, Script};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};

use super::translations::simplified;

static NFKD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();
static NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();
static CATEGORIES: CodePointMapDataBorrowed<'static, GeneralCategory> =
    CodePointMapData::<GeneralCategory>::new();
static SCRIPTS: CodePointMapDataBorrowed<'static, Script> = CodePointMapData::<Script>::new();

/// A text in lower case, without accents, and with simplified Chinese characters.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        let has_capitals = text.bytes().any(|byte| byte.is_ascii_uppercase());
        return if has_capitals { Cow::Owned(text.to_ascii_lowercase()) } else { Cow::Borrowed(text) };
    }
    let decomposed = NFKD.normalize(text);
    let bare: String = decomposed.chars().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).collect();
    let lower = NFKC.normalize(&bare).chars().flat_map(char::to_lowercase).map(unify).collect();
    Cow::Owned(lower)
}

/// Replaces the sigma that ends a word, the typographic apostrophe, and traditional Chinese characters.
fn unify(c: char) -> char {
    match c {
        'ς' => 'σ',
        '’' => '\'',
        other => simplified(other),
    }
}

/// Whether a character is part of words.
pub fn is_word_character(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    let parts = GeneralCategoryGroup::Letter.union(GeneralCategoryGroup::Mark);
    parts.union(GeneralCategoryGroup::Number).contains(CATEGORIES.get(c))
}

/// Whether a character is from a script without spaces between words, or from Korean, where
/// pairs find more because endings are attached to words. The mark of a long vowel has no
/// script and occurs in Katakana.
pub fn is_dense(c: char) -> bool {
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
