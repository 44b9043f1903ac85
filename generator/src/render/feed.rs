//! Documents of the mirror feed, from which a mirror makes the same tree.

use registry::public::{PublicCatalog, ROWS_PER_PAGE};

use super::{RenderContext, RenderError};
use crate::FORMAT;
use crate::json::json;
use registry::api::public::{CountersHead, Head, LogHead};

/// The public rows of a page, byte for byte as stored.
pub(crate) fn page(context: RenderContext<'_>, number: u64) -> Result<Option<Vec<u8>>, RenderError> {
    let feed = context.catalog.feed();
    let Some(page) = feed.page(number) else { return Ok(None) };
    if feed.last().is_some_and(|last| last.number == number) {
        return Ok(feed.last_text().map(String::into_bytes));
    }
    let mut rows = context.store.public_since(page.first.saturating_sub(1), ROWS_PER_PAGE as usize)?;
    rows.retain(|row| row.revision <= page.last);
    Ok(Some(feed.text(page, &rows).into_bytes()))
}

/// A shard of the published counters, without skills whose counters are all zero.
pub(crate) fn counters(catalog: &PublicCatalog, shard: u8) -> Vec<u8> {
    catalog.counters().text(shard).into_bytes()
}

pub(crate) fn head(context: RenderContext<'_>) -> Vec<u8> {
    let feed = context.catalog.feed();
    json(&Head {
        epoch: feed.epoch().clone(),
        revision: context.catalog.revision(),
        at: context.catalog.at(),
        pages: feed.pages(),
        sha256: feed.last().map(|page| page.digest),
        counters: CountersHead {
            generation: context.catalog.counter_generation(),
            sha256: context.catalog.counters().digest(),
        },
        settings: context.settings.digest(),
        log: LogHead::of(context.catalog.log()),
        format: FORMAT,
    })
}
