//! Documents of the transparency log.

use registry::transparency_log::{Leaf, TILE_WIDTH};

use super::record::{RegistryKeyRecord, RegistryKeys};
use super::{RenderContext, RenderError};
use crate::address::LogTile;
use crate::json::json;

/// A tile of hashes, or a bundle of entries: each its length (2 bytes, big-endian) and its text.
pub(super) fn tile(context: RenderContext<'_>, tile: LogTile) -> Result<Option<Vec<u8>>, RenderError> {
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

/// The registry's public keys.
pub(super) fn keys(context: RenderContext<'_>) -> Vec<u8> {
    let keys = &context.settings.keys;
    json(&RegistryKeys {
        name: keys.first().map(|key| key.key.name().as_str()),
        keys: keys.iter().map(|key| RegistryKeyRecord { key: &key.key, retired: key.retired }).collect(),
    })
}
