//! Chooses one of several sources of the same registry.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use generator::address::Document;
use registry::api::public::{Head, LogHead};
use registry::transparency_log::{
    Checkpoint, Continuation, Hash, LogName, LogTile, MAX_SIGNED_NOTE, TiledLog, VerifierKey, continuation,
};

use crate::history::{HistoryError, TrustedRegistries};
use crate::{ClientError, Source};

/// How long slower sources may take after the first has answered.
const PATIENCE: Duration = Duration::from_secs(2);

/// A source that has answered.
struct Found {
    /// Its place in the list.
    place: usize,
    source: Source,
    head: Head,
}

/// Chooses the source with the newest head; among equal ones the first. The registry is known by the
/// first address: its keys count for all. A source without a head, or whose checkpoint none of the
/// trusted keys has signed, does not count. Two sources with different histories are an error.
pub(super) fn newest(sources: Vec<Source>) -> Result<Source, ClientError> {
    let registry = sources.first().map(|source| source.address().clone()).ok_or(ClientError::NoRegistry)?;
    let keys = TrustedRegistries::load()?.keys(&registry).to_vec();
    let (mut found, failure) = ask(sources, &keys);
    let newest = found.iter().max_by_key(|found| (found.head.log.size, std::cmp::Reverse(found.place)));
    let Some(newest) = newest else { return Err(failure.unwrap_or(ClientError::NoRegistry)) };
    for other in &found {
        newest.compare(other)?;
    }
    let place = newest.place;
    found.retain(|found| found.place == place);
    Ok(found.remove(0).source.known_as(registry))
}

/// Asks all sources at once. Returns those that have answered in time, and why another has not.
fn ask(sources: Vec<Source>, keys: &[VerifierKey]) -> (Vec<Found>, Option<ClientError>) {
    let (send, receive) = mpsc::channel();
    for (place, source) in sources.into_iter().enumerate() {
        let (send, keys) = (send.clone(), keys.to_vec());
        // A thread of a source that does not answer ends with the process.
        std::thread::spawn(move || {
            let found = head_of(&source, &keys).map(|head| Found { place, source, head });
            // Nobody waits any more if the others were faster.
            let _ = send.send(found);
        });
    }
    drop(send);
    let (mut all, mut failure, mut end) = (Vec::new(), None, None);
    loop {
        let next = match end {
            None => receive.recv().ok(),
            Some(end) => receive.recv_timeout(Instant::saturating_duration_since(&end, Instant::now())).ok(),
        };
        match next {
            Some(Ok(found)) => {
                all.push(found);
                end = end.or_else(|| Some(Instant::now() + PATIENCE));
            }
            Some(Err(why)) => failure = failure.or(Some(why)),
            None => break,
        }
    }
    all.sort_by_key(|found| found.place);
    (all, failure)
}

/// The head of a source. With keys, one of them must have signed its log.
fn head_of(source: &Source, keys: &[VerifierKey]) -> Result<Head, ClientError> {
    let lacks = |file: &str| {
        let what = format!("{} has no {file}", source.address());
        source.missing(what, "name a registry with a complete tree")
    };
    let mut head: Head = source.document(&Document::Head)?.ok_or_else(|| lacks("head"))?;
    if !keys.is_empty() {
        let read = source.bytes(&Document::Checkpoint, MAX_SIGNED_NOTE as u64, &mut |_, _| {})?;
        let registry = source.address().to_string();
        let signed = read.ok_or_else(|| HistoryError::Unsigned { registry: registry.clone() })?;
        let checkpoint = Checkpoint::verify(&signed.bytes, keys)
            .map_err(|why| HistoryError::Checkpoint { registry, why })?;
        head.log = LogHead { size: checkpoint.size, root: BASE64.encode(&checkpoint.root.0) };
    }
    Ok(head)
}

impl Found {
    /// Fails if the history of `other` is not the beginning of this one. Files that are missing, or just
    /// being changed, prove nothing.
    fn compare(&self, other: &Self) -> Result<(), ClientError> {
        let (own, theirs) = (&self.head, &other.head);
        let two_histories = || {
            let [one, other] = [self, other].map(|found| found.source.address().to_string());
            Err(HistoryError::TwoHistories { one, other }.into())
        };
        if own.epoch != theirs.epoch {
            return two_histories();
        }
        let (Some(root), Some(their_root)) = (root(&own.log), root(&theirs.log)) else { return Ok(()) };
        let read = |tiles: &[LogTile]| {
            let read = |tile: &LogTile| {
                let raw = self.source.bytes(&Document::LogTile(*tile), 8192, &mut |_, _| {});
                raw.ok().flatten().map(|raw| raw.bytes).ok_or(())
            };
            tiles.iter().map(read).collect::<Result<Vec<_>, ()>>()
        };
        // The name plays no part in it.
        let Ok(origin) = "log".parse::<LogName>() else { return Ok(()) };
        let checkpoint = Checkpoint { origin: origin.clone(), size: own.log.size, root };
        let theirs = Checkpoint { origin, size: theirs.log.size, root: their_root };
        let is_longer = checkpoint.size > theirs.size;
        let read_root = || TiledLog::new(checkpoint.clone(), &read).root_at(theirs.size);
        let Ok(earlier) = is_longer.then(read_root).transpose() else { return Ok(()) };
        match continuation(&theirs, &checkpoint, earlier, None) {
            Continuation::Continues => Ok(()),
            _ => two_histories(),
        }
    }
}

fn root(log: &LogHead) -> Option<Hash> {
    let bytes = BASE64.decode(log.root.as_bytes()).ok()?;
    Some(Hash(bytes.try_into().ok()?))
}
