//! Spelling shards: words spread so that one with a typing error and the right one are in the
//! same shard, unless the first or last letter is wrong.

use std::collections::BTreeMap;

use super::codec::{Damaged, Decoder, put_front_coded};
use super::logarithm::log;
use super::manifest::SHARDS;

/// Number of code points of the shortest words in the shards.
pub const MIN_LENGTH: usize = 4;

/// The shard of a word.
pub fn shard_of(word: &str) -> usize {
    let first = word.chars().next().map_or(0, u32::from) as usize;
    let last = word.chars().next_back().map_or(0, u32::from) as usize;
    (first + 7 * last) % SHARDS
}

/// How frequent a word is that `df` skills have.
pub fn frequency_class(df: u64) -> u8 {
    (log(df) / 4) as u8
}

/// The words of one shard with their frequency classes.
pub type Shard = BTreeMap<Box<str>, u8>;

/// Encodes a shard.
pub fn encode_shard(shard: &Shard) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut before: &[u8] = &[];
    for (word, class) in shard {
        put_front_coded(&mut bytes, before, word.as_bytes());
        bytes.push(*class);
        before = word.as_bytes();
    }
    bytes
}

/// Calls `visit` with each word of an encoded shard and its class, in order.
pub fn each_word_in_shard(bytes: &[u8], visit: &mut dyn FnMut(&str, u8)) -> Result<(), Damaged> {
    let mut decoder = Decoder(bytes);
    let mut word = Vec::new();
    while !decoder.is_empty() {
        decoder.front_coded(&mut word)?;
        let class = decoder.byte()?;
        visit(std::str::from_utf8(&word).map_err(|_| Damaged("a word is not UTF-8"))?, class);
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn encoded_shard_is_decoded_back() {
        let words = [("docker", 3), ("dockers", 0), ("größe", 1)];
        let shard: Shard = words.map(|(word, class)| (word.into(), class)).into();
        let mut found = Vec::new();
        let bytes = encode_shard(&shard);
        each_word_in_shard(&bytes, &mut |word, class| found.push((word.to_owned(), class))).unwrap();
        assert_eq!(found, words.map(|(word, class)| (word.to_owned(), class)));
        assert_eq!(shard_of("docker"), shard_of("dokcer"));
    }
}
