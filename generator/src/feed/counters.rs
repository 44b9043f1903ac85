//! Reading the published counters of another tree.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use parking_lot::Mutex;
use registry::public::CounterShards;

use super::FeedError;
use super::head::FeedHead;
use super::replica::Replica;
use super::source::{Source, read_up_to};
use crate::address::Document;

/// How many documents are asked for at once: they are small, and a source may
/// be far away and publish anew every few seconds.
const AT_ONCE: usize = 32;

/// No shard is longer: that is room for ten million skills.
const LONGEST: u64 = 4 * 1024 * 1024;

impl Replica {
    /// Whether its counters are the ones that `head` tells of.
    pub fn has_counters_of(&self, head: &FeedHead) -> bool {
        self.public.read().counters().digest() == head.counters.sha256
    }

    /// Reads the counters that `head` tells of.
    pub fn read_counters(&self, head: &FeedHead) -> Result<CounterShards, FeedError> {
        let texts = fetch(&*self.source)?;
        let counters = CounterShards::read(&texts).map_err(|(shard, why)| {
            FeedError::refused(&*self.source, &Document::Counters(shard), why.to_string())
        })?;
        if counters.digest() != head.counters.sha256 || counters.generation() != head.counters.generation {
            let why = "has not the counters that the documents of counters show".to_owned();
            return Err(FeedError::refused(&*self.source, &Document::Head, why));
        }
        Ok(counters)
    }
}

fn fetch(source: &dyn Source) -> Result<[String; 256], FeedError> {
    let texts = Mutex::new([const { String::new() }; 256]);
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), FeedError> {
        loop {
            let Ok(shard) = u8::try_from(next.fetch_add(1, Ordering::Relaxed)) else { return Ok(()) };
            let text = read_up_to(source, &Document::Counters(shard), LONGEST);
            if text.is_err() {
                // The others need not go on.
                next.store(usize::from(u8::MAX) + 1, Ordering::Relaxed);
            }
            texts.lock()[usize::from(shard)] = text?;
        }
    };
    thread::scope(|scope| {
        // Fewer threads than wished for do the same work.
        let spawn = |_| thread::Builder::new().name("counters".into()).spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..AT_ONCE).map_while(spawn).collect();
        let mut done = work();
        for other in others {
            let lost = |_| Err(std::io::Error::other("a thread that read counters has panicked").into());
            done = done.and(other.join().unwrap_or_else(lost));
        }
        done
    })?;
    Ok(texts.into_inner())
}
