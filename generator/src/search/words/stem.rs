//! The stem of an English word, by the algorithm of M. F. Porter: "An algorithm for suffix
//! stripping", Program 14 (1980), with its author's two later changes (`bli`, `logi`).

/// Endings and what replaces them, the longer of two that fit first. The stem before them must
/// have a measure above 0.
const STEP_2: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("ization", "ize"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("entli", "ent"),
    ("ousli", "ous"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("alli", "al"),
    ("ator", "ate"),
    ("logi", "log"),
    ("bli", "ble"),
    ("eli", "e"),
];

/// As [`STEP_2`].
const STEP_3: &[(&str, &str)] = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
];

/// Endings that are removed from a stem with a measure above 1.
const STEP_4: &[&str] = &[
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive",
    "ize", "al", "er", "ic", "ou",
];

/// The stem of a word in lower case. Words of other letters than a to z, and those of one or two
/// letters, are their own stems.
pub fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    if word.len() < 3 || !word.bytes().all(|letter| letter.is_ascii_lowercase()) {
        return stem;
    }
    plural(&mut stem);
    past(&mut stem);
    if let Some(start) = stem.strip_suffix('y').filter(|start| has_vowel(start)) {
        stem = format!("{start}i");
    }
    for step in [STEP_2, STEP_3] {
        if let Some((start, new)) = step.iter().find_map(|(end, new)| Some((stem.strip_suffix(end)?, new)))
            && measure(start) > 0
        {
            stem = format!("{start}{new}");
        }
    }
    if let Some((start, end)) = STEP_4.iter().find_map(|end| Some((stem.strip_suffix(end)?, end)))
        && measure(start) > 1
        && (*end != "ion" || start.ends_with(['s', 't']))
    {
        stem.truncate(start.len());
    }
    if let Some(start) = stem.strip_suffix('e')
        && (measure(start) > 1 || measure(start) == 1 && !ends_short(start))
    {
        stem.truncate(start.len());
    }
    if stem.ends_with("ll") && measure(&stem[..stem.len() - 1]) > 1 {
        stem.pop();
    }
    stem
}

/// Step 1a.
fn plural(stem: &mut String) {
    if stem.ends_with("sses") || stem.ends_with("ies") {
        stem.truncate(stem.len() - 2);
    } else if stem.ends_with('s') && !stem.ends_with("ss") {
        stem.pop();
    }
}

/// Step 1b.
fn past(stem: &mut String) {
    if let Some(start) = stem.strip_suffix("eed") {
        if measure(start) > 0 {
            stem.pop();
        }
        return;
    }
    let start = stem.strip_suffix("ed").or_else(|| stem.strip_suffix("ing"));
    let Some(length) = start.filter(|start| has_vowel(start)).map(str::len) else { return };
    stem.truncate(length);
    if ["at", "bl", "iz"].iter().any(|end| stem.ends_with(end)) {
        stem.push('e');
    } else if ends_double(stem) && !stem.ends_with(['l', 's', 'z']) {
        stem.pop();
    } else if measure(stem) == 1 && ends_short(stem) {
        stem.push('e');
    }
}

/// Whether each letter is a vowel: a, e, i, o, u, and y after a consonant.
fn vowels(text: &str) -> impl Iterator<Item = bool> + '_ {
    // Before the first letter, as after a vowel.
    let mut is_vowel = true;
    text.bytes().map(move |letter| {
        is_vowel = matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u') || letter == b'y' && !is_vowel;
        is_vowel
    })
}

fn has_vowel(text: &str) -> bool {
    vowels(text).any(|is_vowel| is_vowel)
}

/// How many times a consonant follows a vowel.
fn measure(text: &str) -> usize {
    vowels(text).zip(vowels(text).skip(1)).filter(|(first, second)| *first && !second).count()
}

fn ends_double(text: &str) -> bool {
    let last = vowels(text).last();
    matches!(text.as_bytes(), [.., a, b] if a == b) && last == Some(false)
}

/// Whether a text ends with consonant, vowel, consonant, of which the last is not w, x or y.
fn ends_short(text: &str) -> bool {
    let mut last = [true; 3];
    let mut letters = 0;
    for is_vowel in vowels(text) {
        last = [last[1], last[2], is_vowel];
        letters += 1;
    }
    letters >= 3 && last == [false, true, false] && !text.ends_with(['w', 'x', 'y'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_those_of_the_paper() {
        for (word, expected) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("ties", "ti"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("bled", "bled"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("troubled", "troubl"),
            ("sized", "size"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("rational", "ration"),
            ("digitizer", "digit"),
            ("vietnamization", "vietnam"),
            ("triplicate", "triplic"),
            ("goodness", "good"),
            ("replacement", "replac"),
            ("adoption", "adopt"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("cease", "ceas"),
            ("controll", "control"),
            ("roll", "roll"),
            ("invoices", "invoic"),
            ("converting", "convert"),
            ("scheduled", "schedul"),
            ("yyy", "yyi"),
            ("is", "is"),
            ("k8s", "k8s"),
            ("größen", "größen"),
        ] {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_word_has_a_stem(word in "[a-z]{0,12}") {
            let stem = stem(&word);
            proptest::prop_assert!(stem.is_empty() == word.is_empty() && stem.len() <= word.len() + 1, "{}", stem);
        }
    }
}
