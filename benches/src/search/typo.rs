//! One mistake in a word.

use crate::world::Prose;

/// The word with one letter inserted, left out or replaced, or two neighbours
/// exchanged, each equally often and at any place. Letters of a to z only.
pub(super) fn mistyped(word: &str, chance: &mut Prose) -> String {
    loop {
        let mut letters: Vec<char> = word.chars().collect();
        let at = chance.below(letters.len());
        let letter = char::from(b'a' + chance.below(26) as u8);
        match chance.below(4) {
            0 => letters.insert(at, letter),
            1 => drop(letters.remove(at)),
            2 => letters.iter_mut().skip(at).take(1).for_each(|old| *old = letter),
            _ if at > 0 => letters.swap(at - 1, at),
            _ => {}
        }
        let typed: String = letters.into_iter().collect();
        if typed != word {
            return typed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_one_letter() {
        let mut chance = Prose::of(3);
        for _ in 0..1_000 {
            let typed = mistyped("charts", &mut chance);
            assert_ne!(typed, "charts");
            assert!((5..=7).contains(&typed.len()), "{typed}");
        }
    }
}
