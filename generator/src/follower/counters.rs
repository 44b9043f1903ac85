//! Downloading the counters of a source.

use std::io;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use registry::public::CounterShards;
use registry::with_causes;

use super::error::FollowError;
use super::replica::Replica;
use crate::address::Document;
use registry::api::public::Head;

/// Number of documents that are requested at once. They are small, and a source may be far
/// away and publish again every few seconds.
const REQUESTS_AT_ONCE: usize = 32;

/// Largest size of a shard: enough for ten million skills.
const MAX_SHARD_SIZE: u64 = 4 * 1024 * 1024;

impl Replica {
    /// Whether the replica has the counters that `head` names.
    pub fn has_counters_of(&self, head: &Head) -> bool {
        self.public.read().counters().digest() == head.counters.sha256
    }

    /// Downloads the counters that `head` names.
    pub fn download_counters(&self, head: &Head) -> Result<CounterShards, FollowError> {
        // Threads of their own, because they only wait for the source.
        let pool =
            ThreadPoolBuilder::new().num_threads(REQUESTS_AT_ONCE).build().map_err(io::Error::other)?;
        let mut texts = [const { String::new() }; 256];
        pool.install(|| {
            texts.par_iter_mut().zip(0..=u8::MAX).try_for_each(|(text, shard)| {
                *text = self.feed.read_up_to(&Document::Counters(shard), MAX_SHARD_SIZE)?;
                Ok::<_, FollowError>(())
            })
        })?;
        let counters = CounterShards::read(&texts)
            .map_err(|(shard, why)| self.feed.refused(&Document::Counters(shard), with_causes(&why)))?;
        if counters.digest() != head.counters.sha256 || counters.generation() != head.counters.generation {
            let why = "does not name the counters that the source has";
            return Err(self.feed.refused(&Document::Head, why));
        }
        Ok(counters)
    }
}
