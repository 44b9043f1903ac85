//! Documents of the transparency log.

use std::borrow::Cow;

use registry::api::public::{RegistryKeyRecord, RegistryKeys};
use registry::transparency_log::{Checkpoint, Leaf, RowProof, TILE_WIDTH};

use super::{RenderContext, RenderError};
use crate::address::{Document, LogTile};
use crate::json::json;

/// A tile of hashes, or a bundle of entries: each its length (2 bytes, big-endian) and its text.
pub(crate) fn tile(context: RenderContext<'_>, tile: LogTile) -> Result<Option<Vec<u8>>, RenderError> {
    let log = context.catalog.log();
    if let Some(level) = tile.level {
        return Ok(log.tile(level, tile.number, tile.width));
    }
    let Some(first) = tile.number.checked_mul(TILE_WIDTH) else { return Ok(None) };
    let Some(first_revision) = log.revision_at(first) else { return Ok(None) };
    if log.revision_at(first.saturating_add(tile.width - 1)).is_none() {
        return Ok(None);
    }
    let mut bundle = Vec::new();
    for row in context.store.public_since(first_revision.saturating_sub(1), tile.width as usize)? {
        let entry = Leaf::from(&row).to_string();
        // At most 109 bytes.
        bundle.extend((entry.len() as u16).to_be_bytes());
        bundle.extend(entry.bytes());
    }
    Ok(Some(bundle))
}

/// The proof that the log has the row of a version. `None` if no checkpoint covers the row.
pub(crate) fn proof(context: RenderContext<'_>, document: &Document) -> Result<Option<Vec<u8>>, RenderError> {
    let log = context.catalog.log();
    let Some((_, entry)) = document.entry(context.catalog) else { return Ok(None) };
    let Some(signed_checkpoint) = context.signing.checkpoint(log) else { return Ok(None) };
    let Ok(checkpoint) = Checkpoint::read_unverified(signed_checkpoint.as_bytes()) else { return Ok(None) };
    let inclusion = log.index_of(entry.revision).and_then(|index| log.prove(index, checkpoint.size));
    let Some(inclusion) = inclusion else { return Ok(None) };
    let row = context.store.public_row(entry.revision)?.ok_or(RenderError::Missing(entry.revision))?;
    Ok(Some(RowProof { row, inclusion, signed_checkpoint }.to_string().into_bytes()))
}

/// The registry's public keys.
pub(crate) fn keys(context: RenderContext<'_>) -> Vec<u8> {
    let keys = &context.settings.keys;
    json(&RegistryKeys {
        name: keys.first().map(|key| key.key.name().as_str().into()),
        keys: keys
            .iter()
            .map(|key| RegistryKeyRecord { key: Cow::Borrowed(&key.key), retired: key.retired })
            .collect(),
    })
}
