//! Names that readers take for another name.
//!
//! The method is that of Unicode Technical Standard #39, section 4: two names look alike
//! if they have the same skeleton. Names here are ASCII, so few of its mappings apply.
//! Names that differ by one typing error look alike too.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::reserved;

/// The shortest name that typing errors are tried for. One letter of a shorter name is
/// too large a part of it: `acme` and `acne` are different words.
const MIN_TYPED: usize = 5;

/// The characters of skeletons. The others become one of these.
const ALPHABET: &[u8] = b"abcdefghjklmnopqrstuvwxyz2346789";

/// The skeleton of a name. Names with one skeleton look alike.
pub fn skeleton(name: &str) -> String {
    fold(&letters(name))
}

/// The skeletons of the names that differ from `name` by one letter: added, left out,
/// replaced or swapped with its neighbour. None for a name under five letters and digits.
/// There are at most 4,200, and about 700 for ten letters.
pub fn typing_errors(name: &str) -> impl Iterator<Item = String> + use<> {
    let name = letters(name);
    let len = if name.len() < MIN_TYPED { 0 } else { name.len() };
    let before = |at: usize, name: &[u8]| name[..at].to_vec();
    (0..len + usize::from(len > 0))
        .flat_map(move |at| {
            let (start, rest) = (before(at, &name), name[at..].to_vec());
            let put = |letter: &[u8], skipped: usize| {
                rest.get(skipped..).map(|rest| [&start, letter, rest].concat())
            };
            let mut typed: Vec<_> = ALPHABET
                .iter()
                .flat_map(|letter| [put(&[*letter], 0), put(&[*letter], 1)])
                .chain([put(&[], 1)])
                .flatten()
                .collect();
            if let [first, second, ..] = *rest {
                typed.extend(put(&[second, first], 2));
            }
            typed
        })
        .filter(|typed| typed.len() >= MIN_TYPED)
        .map(|typed| fold(&typed))
}

/// The reserved name of namespaces that a name looks like.
pub fn reserved_like(name: &str) -> Option<&'static str> {
    let typed = || typing_errors(name).find_map(|typed| reserved_namespace(&typed));
    reserved_namespace(&skeleton(name)).or_else(typed)
}

/// The reserved name of namespaces with this skeleton.
pub fn reserved_namespace(skeleton: &str) -> Option<&'static str> {
    static RESERVED: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
        let names = reserved::NAMESPACES.iter().copied().chain(["global"]);
        names.map(|name| (self::skeleton(name), name)).collect()
    });
    RESERVED.get(skeleton).copied()
}

/// A name without hyphens, which readers overlook or add.
fn letters(name: &str) -> Vec<u8> {
    name.bytes().filter(|byte| *byte != b'-').collect()
}

/// Replaces what looks like another letter, first characters, then pairs.
fn fold(letters: &[u8]) -> String {
    let mut folded = String::with_capacity(letters.len());
    for byte in letters {
        let letter = match byte {
            b'0' => 'o', // UTS #39
            b'1' => 'l', // UTS #39
            b'i' => 'l', // UTS #39 has it for the capital letter, which many people write
            b'5' => 's', // Not in UTS #39, and common in fraud
            other => char::from(*other),
        };
        let pair = match (folded.as_bytes().last(), letter) {
            (Some(b'r'), 'n') => Some('m'), // UTS #39
            (Some(b'v'), 'v') => Some('w'), // Not in UTS #39
            (Some(b'c'), 'l') => Some('d'), // Not in UTS #39
            _ => None,
        };
        if pair.is_some() {
            folded.pop();
        }
        folded.push(pair.unwrap_or(letter));
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_typing_error(a: &str, b: &str) -> bool {
        typing_errors(a).any(|typed| typed == skeleton(b))
    }

    #[test]
    fn names_that_look_the_same_have_one_skeleton() {
        for (a, b) in [
            ("global", "globa1"),
            ("global", "giobal"),
            ("global", "gl0bal"),
            ("global", "g-lo-bal"),
            ("microsoft", "rnicr0s0ft"),
            ("windows", "vvind0w5"),
            ("claude", "daude"),
            ("corner", "comer"),
        ] {
            assert_eq!(skeleton(a), skeleton(b), "{a} {b}");
        }
        assert_ne!(skeleton("global"), skeleton("globe"));
    }

    #[test]
    fn one_typing_error_is_found_in_names_of_five_letters_or_more() {
        for (a, b) in [
            ("anthropic", "anthropics"),
            ("anthropics", "antropics"),
            ("anthropics", "anthropjcs"),
            ("anthropics", "anthorpics"),
            ("an-thropics", "anthr0pic-s"),
            ("rnicrosfot", "microsoft"),
            ("conrer", "corner"),
            ("stars", "start"),
        ] {
            assert!(is_typing_error(a, b), "{a} {b}");
            assert!(is_typing_error(b, a), "{b} {a}");
        }
        for (a, b) in [("acme", "acne"), ("acme", "acmes"), ("anthropics", "anthro"), ("tools", "pools2")] {
            assert!(!is_typing_error(a, b) && !is_typing_error(b, a), "{a} {b}");
        }
    }

    #[test]
    fn number_of_typing_errors_is_limited() {
        assert_eq!(typing_errors("").count() + typing_errors("abcd").count(), 0);
        assert!(typing_errors(&"ab".repeat(5)).count() <= 720);
        assert!(typing_errors(&"ab".repeat(32)).count() <= 4_320);
    }

    #[test]
    fn reserved_name_is_found_by_its_skeleton() {
        assert_eq!(reserved_namespace(&skeleton("g1oba1")), Some("global"));
        assert_eq!(reserved_namespace(&skeleton("adrnin")), Some("admin"));
        assert_eq!(reserved_namespace(&skeleton("acme")), None);
    }
}
