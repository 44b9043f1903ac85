//! The manifest: the pieces and shards that make up the index. It is the only file of the
//! index whose bytes change.

use std::sync::Arc;

use super::codec::{Damaged, Decoder, put_front_coded, put_number};
use super::piece_name::PieceName;

/// What the file starts with: a name, and the number of the format.
const MAGIC: &[u8] = b"SKSI\x05";

/// Number of files that the spelling of words is spread over.
pub const SHARDS: usize = 128;

/// Number of skills that are listed for each of their stars and downloads. If fewer are listed, all
/// others have none.
pub const MAX_OF_EACH: usize = 1_000;

/// The counters of a skill that is listed for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PopularSkill {
    /// Its id.
    pub id: u64,
    /// The number of stars.
    pub stars: u64,
    /// The number of downloads.
    pub downloads: u64,
}

impl PopularSkill {
    /// The class of a skill, 0 to 7, by which popularity counts in ranking. Downloads are easily
    /// forged, so the next class takes four times as many, and the last class is reached soon.
    fn class(&self) -> u8 {
        let by_downloads = (self.downloads / 4).checked_ilog(4).unwrap_or_default();
        let by_stars = (self.stars / 2).checked_ilog2().unwrap_or_default();
        by_downloads.max(by_stars).min(7) as u8
    }
}

/// Everything that a query needs before it reads a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Number of live skills.
    pub skills: u64,
    /// The popular skills, by id.
    pub popular: Vec<PopularSkill>,
    /// The spelling shards. None for a shard without words.
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
    /// Encodes the manifest.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        put_number(&mut bytes, self.skills);
        put_number(&mut bytes, self.popular.len() as u64);
        let mut before = 0;
        for PopularSkill { id, stars, downloads } in &self.popular {
            for number in [id - before, *stars, *downloads] {
                put_number(&mut bytes, number);
            }
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

    /// Decodes a manifest.
    pub fn decode(bytes: &[u8]) -> Result<Self, Damaged> {
        let body = bytes.strip_prefix(MAGIC).ok_or(Damaged(
            "it is not a manifest of format 5, which this program reads (use the release that the registry uses)",
        ))?;
        let mut decoder = Decoder(body);
        let mut manifest = Self { skills: decoder.number()?, ..Self::default() };
        let mut id = 0;
        for _ in 0..decoder.count()? {
            id = u64::saturating_add(id, decoder.number()?);
            let (stars, downloads) = (decoder.number()?, decoder.number()?);
            manifest.popular.push(PopularSkill { id, stars, downloads });
        }
        for shard in &mut manifest.shards {
            *shard = Some(piece_name(&mut decoder)?).filter(|name| name.0 != [0; 8]);
        }
        let mut key = Vec::new();
        for _ in 0..decoder.count()? {
            decoder.front_coded(&mut key)?;
            manifest.pieces.push((key.as_slice().into(), piece_name(&mut decoder)?));
        }
        let is_sorted = manifest.pieces.is_sorted_by(|(a, _), (b, _)| a < b);
        if !decoder.is_empty() || !is_sorted {
            return Err(Damaged("it is not a manifest"));
        }
        Ok(manifest)
    }

    /// Position of the piece that has `key`, if any piece has it. None if the index is empty.
    pub fn position(&self, key: &[u8]) -> Option<usize> {
        let after = self.pieces.partition_point(|(first, _)| **first <= *key);
        (!self.pieces.is_empty()).then(|| after.saturating_sub(1))
    }

    /// The stars and downloads of a skill. None if they are not known: it is not among the listed ones,
    /// and there may be others that are not.
    pub fn counters(&self, id: u64) -> Option<(u64, u64)> {
        match self.popular(id) {
            Some(skill) => Some((skill.stars, skill.downloads)),
            None => (self.popular.len() < MAX_OF_EACH).then_some((0, 0)),
        }
    }

    fn popular(&self, id: u64) -> Option<&PopularSkill> {
        self.popular.binary_search_by_key(&id, |skill| skill.id).ok().map(|at| &self.popular[at])
    }

    /// Popularity of a skill, 0 to 7.
    pub fn popularity(&self, id: u64) -> u8 {
        self.popular(id).map_or(0, PopularSkill::class)
    }
}

fn piece_name(decoder: &mut Decoder<'_>) -> Result<PieceName, Damaged> {
    let mut name = [0; 8];
    name.copy_from_slice(decoder.take(8)?);
    Ok(PieceName(name))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn encoded_manifest_is_decoded_back() {
        let pieces = [("a", 1), ("pd", 2), ("pdf", 3)];
        let mut manifest = Manifest {
            skills: 300,
            popular: vec![
                PopularSkill { id: 7, stars: 4, downloads: 1 },
                PopularSkill { id: 9, stars: 0, downloads: 65_536 },
            ],
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
            ["A", "a", "b", "pdf", "z"].map(|key| manifest.position(key.as_bytes())),
            [Some(0), Some(0), Some(0), Some(2), Some(2)]
        );
        assert_eq!([7, 8, 9].map(|id| manifest.popularity(id)), [1, 0, 7]);
    }

    #[test]
    fn class_grows_slowly_with_downloads_and_stars() {
        let class = |downloads, stars| PopularSkill { id: 1, stars, downloads }.class();
        assert_eq!([0, 15, 16, 64, 65_535, 65_536, u64::MAX].map(|n| class(n, 0)), [0, 0, 1, 2, 6, 7, 7]);
        assert_eq!([0, 3, 4, 8, 255, 256, u64::MAX].map(|n| class(0, n)), [0, 0, 1, 2, 6, 7, 7]);
        assert_eq!(class(16, 8), 2);
    }
}
