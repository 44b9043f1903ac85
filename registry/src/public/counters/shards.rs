//! The published counters of all skills, in shards: the documents that mirrors
//! read.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::Counters;
use crate::names::{Digest, DigestBuilder};
use crate::public::Id;

/// One shard for each first byte of a digest.
const SHARDS: usize = 256;

/// All published counters. Each publication is a new generation, whose number
/// names the state.
#[derive(Debug, Clone)]
pub struct CounterShards {
    shards: Vec<Shard>,
    generation: u64,
    /// The generation of each skill's last change. `by_generation` has the same
    /// pairs.
    changed: HashMap<Id, u64>,
    by_generation: BTreeSet<(u64, Id)>,
}

#[derive(Debug, Clone)]
struct Shard {
    content: CounterShard,
    digest: Digest,
}

/// A document with the published counters of some skills, by id.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CounterShard {
    /// The generation of the last change in this document.
    generation: u64,
    counters: BTreeMap<Id, Counters>,
}

impl CounterShard {
    fn text(&self) -> String {
        // Serializing numbers by string keys cannot fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// Why a text is not a valid shard.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The JSON is invalid.
    #[error("cannot be read")]
    Json(#[from] serde_json::Error),
    /// It contains a skill of another shard.
    #[error("has the skill {0}, which belongs into another one")]
    Misplaced(Id),
    /// This release would write the same content differently.
    #[error("is not written as this release writes it: take the source's release")]
    NotCanonical,
}

impl Default for CounterShards {
    fn default() -> Self {
        let content = CounterShard::default();
        let digest = Digest::of(content.text().as_bytes());
        let (changed, by_generation) = (HashMap::new(), BTreeSet::new());
        Self { shards: vec![Shard { content, digest }; SHARDS], generation: 0, changed, by_generation }
    }
}

impl CounterShards {
    /// The shard of a skill: the first byte of the sha256 of its id.
    pub fn shard_of(id: Id) -> u8 {
        Digest::of(id.to_string().as_bytes()).as_bytes()[0]
    }

    /// Adds counters, each with its generation. Ignores counters that are older
    /// than the present ones.
    pub fn publish(&mut self, published: impl IntoIterator<Item = (Id, Counters, u64)>) {
        let mut touched = BTreeSet::new();
        for (id, counters, generation) in published {
            if self.changed.get(&id).is_some_and(|last| *last > generation) {
                continue;
            }
            let shard = usize::from(Self::shard_of(id));
            let content = &mut self.shards[shard].content;
            content.counters.insert(id, counters);
            content.generation = content.generation.max(generation);
            self.note(id, generation);
            touched.insert(shard);
        }
        for shard in touched {
            let shard = &mut self.shards[shard];
            shard.digest = Digest::of(shard.content.text().as_bytes());
        }
    }

    fn note(&mut self, id: Id, generation: u64) {
        if let Some(before) = self.changed.insert(id, generation) {
            self.by_generation.remove(&(before, id));
        }
        self.by_generation.insert((generation, id));
        self.generation = self.generation.max(generation);
    }

    /// The generation of the last change.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The skills that changed after a generation, in order of the change.
    pub fn changed_since(&self, generation: u64) -> impl Iterator<Item = (u64, Id)> {
        self.by_generation.range((generation.saturating_add(1), Id(0))..).copied()
    }

    /// The published counters of a skill, or zeros.
    pub fn get(&self, id: Id) -> Counters {
        let content = &self.shards[usize::from(Self::shard_of(id))].content;
        content.counters.get(&id).copied().unwrap_or_default()
    }

    /// All counters, each with its generation.
    pub fn all(&self) -> impl Iterator<Item = (Id, Counters, u64)> {
        self.by_generation.iter().map(|(generation, id)| (*id, self.get(*id), *generation))
    }

    /// The document of a shard.
    pub fn text(&self, shard: u8) -> String {
        self.shards[usize::from(shard)].content.text()
    }

    /// The sha256 of the concatenated hexadecimal digests of all shards.
    pub fn digest(&self) -> Digest {
        let mut all = DigestBuilder::default();
        for shard in &self.shards {
            all.update(shard.digest.to_string().as_bytes());
        }
        all.finish()
    }

    /// Reads the documents of another registry's tree, in their order. When a
    /// skill changed last is not in them: its shard's generation counts.
    ///
    /// Errors: the number of the first one that is wrong, and what is.
    pub fn read(texts: &[String; SHARDS]) -> Result<Self, (u8, ShardError)> {
        let mut read = Self::default();
        for (number, text) in (0..=u8::MAX).zip(texts) {
            let content: CounterShard = serde_json::from_str(text).map_err(|why| (number, why.into()))?;
            if content.text() != *text {
                return Err((number, ShardError::NotCanonical));
            }
            if let Some(id) = content.counters.keys().find(|id| Self::shard_of(**id) != number) {
                return Err((number, ShardError::Misplaced(*id)));
            }
            for id in content.counters.keys() {
                read.note(*id, content.generation);
            }
            read.generation = read.generation.max(content.generation);
            read.shards[usize::from(number)] = Shard { digest: Digest::of(text.as_bytes()), content };
        }
        Ok(read)
    }

    /// Replaces this state with a later one. Returns the skills whose counters
    /// changed.
    pub fn advance_to(&mut self, later: Self) -> Vec<(Id, Counters)> {
        let before = std::mem::replace(self, later);
        let mut changed = Vec::new();
        for (old, new) in before.shards.iter().zip(&self.shards) {
            if old.digest == new.digest {
                continue;
            }
            let (old, new) = (&old.content.counters, &new.content.counters);
            let is_other = |id: &&Id| old.get(*id) != new.get(*id);
            let ids: BTreeSet<_> = old.keys().chain(new.keys()).filter(is_other).collect();
            changed.extend(ids.into_iter().map(|id| (*id, new.get(id).copied().unwrap_or_default())));
        }
        let others: BTreeSet<_> = changed.iter().map(|(id, _)| *id).collect();
        for (generation, id) in before.by_generation {
            // Unchanged counters keep their generation.
            if !others.contains(&id) {
                self.note(id, generation);
            }
        }
        changed
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn stars(stars: u64) -> Counters {
        Counters { stars, ..Counters::default() }
    }

    fn texts(shards: &CounterShards) -> [String; SHARDS] {
        (0..=u8::MAX).map(|shard| shards.text(shard)).collect::<Vec<_>>().try_into().unwrap()
    }

    #[test]
    fn read_of_own_documents_returns_the_state() {
        let mut shards = CounterShards::default();
        assert_eq!(shards.text(7), "{\"generation\":0,\"counters\":{}}\n");
        shards.publish((1..=900).map(|n| (Id(n), stars(n), n / 50 + 1)));
        let read = CounterShards::read(&texts(&shards)).unwrap();
        assert_eq!((read.digest(), read.generation()), (shards.digest(), 19));
        assert_eq!(read.get(Id(77)), stars(77));

        let mut later = shards.clone();
        later.publish([(Id(5), stars(50), 20), (Id(1000), stars(1), 20)]);
        let mut follower = shards.clone();
        let read = CounterShards::read(&texts(&later)).unwrap();
        let mut changed = follower.advance_to(read);
        changed.sort_unstable_by_key(|(id, _)| *id);
        assert_eq!(changed, [(Id(5), stars(50)), (Id(1000), stars(1))]);
        assert_eq!(follower.digest(), later.digest());
        let since: Vec<_> = follower.changed_since(19).collect();
        assert_eq!(since, [(20, Id(5)), (20, Id(1000))]);
    }

    #[test]
    fn read_of_other_forms_is_refused() {
        let mut shards = CounterShards::default();
        shards.publish([(Id(5), stars(1), 1)]);
        let own = CounterShards::shard_of(Id(5));
        let good = shards.text(own);
        for (shard, text) in [
            (own, good.replace(":1,", ": 1,")),
            (own, good.replace('5', "05")),
            (own, "<html>".into()),
            (own.wrapping_add(1), good.clone()),
        ] {
            let mut texts = texts(&CounterShards::default());
            texts[usize::from(shard)] = text.clone();
            assert_eq!(CounterShards::read(&texts).unwrap_err().0, shard, "{text}");
        }
    }
}
