//! The mirror feed: all that is needed to make the same tree elsewhere.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use registry::journal::{Epoch, Revision};
use registry::names::{Digest, DigestBuilder};
use registry::public::Id;
use registry::time::Timestamp;
use serde::Serialize;

use super::{RenderError, View};
use crate::FORMAT;
use crate::encoding::json;

/// The stored public rows of a page, unchanged.
pub(super) fn page(view: View<'_>, number: u64) -> Result<Option<Vec<u8>>, RenderError> {
    let feed = view.catalog.feed();
    let Some(page) = feed.page(number) else { return Ok(None) };
    if feed.last().is_some_and(|last| last.number == number) {
        return Ok(feed.last_text().map(String::into_bytes));
    }
    let mut rows = view.store.public_since(page.first.saturating_sub(1), 64)?;
    rows.retain(|row| row.revision <= page.last);
    Ok(Some(feed.text(page, &rows).into_bytes()))
}

/// A shard of the published counters; skills without any number are left out.
pub(super) fn counters(_shard: u8) -> Vec<u8> {
    #[derive(Serialize)]
    struct Shard {
        generation: u64,
        counters: BTreeMap<Id, ()>,
    }
    json(&Shard { generation: 0, counters: BTreeMap::new() })
}

/// The sha256 over the hexadecimal digests of the 256 shards, in their order.
/// As long as no counter is published, it is always the same.
static COUNTERS_DIGEST: LazyLock<Digest> = LazyLock::new(|| {
    let mut all = DigestBuilder::default();
    for shard in 0..=u8::MAX {
        all.update(Digest::of(&counters(shard)).to_string().as_bytes());
    }
    all.finish()
});

/// What the head says of the counters.
pub(crate) fn counters_digest() -> Digest {
    *COUNTERS_DIGEST
}

pub(super) fn head(view: View<'_>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Counters {
        generation: u64,
        sha256: Digest,
    }
    #[derive(Serialize)]
    struct Head<'a> {
        epoch: &'a Epoch,
        revision: Revision,
        at: Timestamp,
        pages: u64,
        sha256: Option<Digest>,
        counters: Counters,
        settings: Digest,
        format: u32,
    }
    let feed = view.catalog.feed();
    json(&Head {
        epoch: feed.epoch(),
        revision: view.catalog.revision(),
        at: view.catalog.at(),
        pages: feed.pages(),
        sha256: feed.last().map(|page| page.digest),
        counters: Counters { generation: view.catalog.counter_generation(), sha256: counters_digest() },
        settings: view.settings.digest(),
        format: FORMAT,
    })
}
