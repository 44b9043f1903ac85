//! Which pieces there are: the one file of the index that changes.

use std::sync::Arc;

use super::PieceName;
use super::number::{Damaged, Rest, put_front_coded, put_number};

/// What the file begins with: a name, and the number of the format.
const MAGIC: &[u8] = b"SKSI\x01";

/// Over how many files the spelling of words is spread.
pub const SHARDS: usize = 128;

/// What a query needs to know before it reads a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// How many live skills there are.
    pub skills: u64,
    /// The classes of popular skills by their ids, 1 to 7; all others have 0.
    pub popular: Vec<(u64, u8)>,
    /// The shards of spelling; None for one without words.
    pub shards: [Option<PieceName>; SHARDS],
    /// The pieces in order, each with its first key.
    pub pieces: Vec<(Arc<[u8]>, PieceName)>,
}

impl Default for Manifest {
    fn default() -> Self {
        Self { skills: 0, popular: Vec::new(), shards: [None; SHARDS], pieces: Vec::new() }
    }
}

impl Manifest {
    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        put_number(&mut bytes, self.skills);
        put_number(&mut bytes, self.popular.len() as u64);
        let mut before = 0;
        for (id, class) in &self.popular {
            put_number(&mut bytes, id - before);
            bytes.push(*class);
            before = *id;
        }
        for shard in &self.shards {
            bytes.extend_from_slice(&shard.map_or([0; 8], |name| name.0));
        }
        put_number(&mut bytes, self.pieces.len() as u64);
        let mut before: &[u8] = &[];
        for (key, name) in &self.pieces {
            put_front_coded(&mut bytes, before, key);
            bytes.extend_from_slice(&name.0);
            before = key;
        }
        bytes
    }

    /// Reads its bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, Damaged> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(Damaged("it is no manifest of a format known here"))?;
        let mut rest = Rest(rest);
        let mut manifest = Self { skills: rest.number()?, ..Self::default() };
        let mut id = 0;
        for _ in 0..rest.count()? {
            id = u64::saturating_add(id, rest.number()?);
            manifest.popular.push((id, rest.byte()?));
        }
        for shard in &mut manifest.shards {
            *shard = Some(name(&mut rest)?).filter(|name| name.0 != [0; 8]);
        }
        let mut key = Vec::new();
        for _ in 0..rest.count()? {
            rest.front_coded(&mut key)?;
            manifest.pieces.push((key.as_slice().into(), name(&mut rest)?));
        }
        let is_sorted = manifest.pieces.is_sorted_by(|(a, _), (b, _)| a < b);
        if !rest.is_empty() || !is_sorted {
            return Err(Damaged("it is no manifest"));
        }
        Ok(manifest)
    }

    /// The number of the piece that a key would be in: the last one that does not
    /// begin behind it, else the first. None where there is no piece.
    pub fn place(&self, key: &[u8]) -> Option<usize> {
        let behind = self.pieces.partition_point(|(first, _)| **first <= *key);
        (!self.pieces.is_empty()).then(|| behind.saturating_sub(1))
    }

    /// How popular a skill is.
    pub fn class(&self, id: u64) -> u8 {
        self.popular.binary_search_by_key(&id, |(id, _)| *id).map_or(0, |at| self.popular[at].1)
    }
}

fn name(rest: &mut Rest<'_>) -> Result<PieceName, Damaged> {
    let mut name = [0; 8];
    name.copy_from_slice(rest.take(8)?);
    Ok(PieceName(name))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_comes_back() {
        let pieces = [("a", 1), ("pd\0", 2), ("pdf", 3)];
        let mut manifest = Manifest {
            skills: 300,
            popular: vec![(7, 1), (9, 7)],
            pieces: pieces.map(|(key, n)| (key.as_bytes().into(), PieceName([n; 8]))).to_vec(),
            ..Manifest::default()
        };
        manifest.shards[5] = Some(PieceName([9; 8]));
        let bytes = manifest.encode();
        assert_eq!(Manifest::decode(&bytes).unwrap(), manifest);
        for end in 0..bytes.len() {
            assert!(Manifest::decode(&bytes[..end]).is_err(), "{end}");
        }
        assert_eq!(
            ["A", "a", "b", "pdf", "z"].map(|key| manifest.place(key.as_bytes())),
            [Some(0), Some(0), Some(0), Some(2), Some(2)]
        );
        assert_eq!([7, 8, 9].map(|id| manifest.class(id)), [1, 0, 7]);
    }
}
