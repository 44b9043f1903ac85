//! Correcting a word with one typing error.

use super::piece_reader::{IndexFiles, PieceReader};
use crate::search::format::keys::Key;
use crate::search::format::spelling::{MIN_LENGTH, each_word_in_shard, frequency_class, shard_of};
use crate::search::words::root;

/// The word of the most frequent group that differs from `word` by one typing error. It is looked for
/// in the piece at `position`, where `word` would be, and in the spelling shard of `word`.
pub fn correction<F: IndexFiles>(
    pieces: &mut PieceReader<'_, F>,
    word: &str,
    position: usize,
) -> Result<Option<String>, F::Error> {
    let mut best: Option<(u8, String)> = None;
    let mut consider = |other: &str, class: u8| {
        let is_better = best
            .as_ref()
            .is_none_or(|(best, known)| class > *best || class == *best && other < known.as_str());
        if is_better && other.chars().count() >= MIN_LENGTH && is_one_error_away(word, other) {
            best = Some((class, other.to_owned()));
        }
    };
    let (piece, _) = pieces.piece(position)?;
    let mut near = Vec::new();
    piece.each_word(&mut |other| {
        if is_one_error_away(word, other) {
            near.push(other.to_owned());
        }
    })?;
    for other in near {
        let group = piece.group(root(&other).as_bytes(), &|key| matches!(key, Key::Word(_)))?.lists;
        let df = group.iter().fold(0u64, |sum, (_, list)| sum.saturating_add(list.df));
        consider(&other, frequency_class(df));
    }
    if let Some(name) = pieces.manifest.shards[shard_of(word)]
        && let Some(shard) = pieces.shard(name)?
    {
        each_word_in_shard(&shard, &mut consider)?;
    }
    Ok(best.map(|(_, word)| word))
}

/// Whether two words differ by one code point that is added, missing or replaced, or by two
/// neighbours that are exchanged.
fn is_one_error_away(a: &str, b: &str) -> bool {
    // Most pairs need no decoding. A code point has at most four bytes.
    if a.is_ascii() && b.is_ascii() {
        return differ_by_one(a.as_bytes(), b.as_bytes());
    }
    if a.len().abs_diff(b.len()) > 4 {
        return false;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    differ_by_one(&a, &b)
}

fn differ_by_one<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    match (&a[before..], &b[before..]) {
        ([], []) => false,
        ([_, a @ ..], b) if a == b => true,
        (a, [_, b @ ..]) if a == b => true,
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([a1, a2, a @ ..], [b1, b2, b @ ..]) => (a1, a2) == (b2, b1) && a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_error_is_an_added_missing_replaced_or_exchanged_letter() {
        for (a, b, expected) in [
            ("docker", "docker", false),
            ("docker", "dockr", true),
            ("docker", "doccker", true),
            ("docker", "dacker", true),
            ("docker", "dokcer", true),
            ("docker", "dokecr", false),
            ("docker", "docke", true),
            ("docker", "ocker", true),
            ("docker", "dockers", true),
            ("docker", "rocket", false),
            ("größe", "grösse", false),
            ("größe", "grofe", false),
            ("größe", "große", true),
        ] {
            assert_eq!(is_one_error_away(a, b), expected, "{a} {b}");
            assert_eq!(is_one_error_away(b, a), expected, "{b} {a}");
        }
    }
}
