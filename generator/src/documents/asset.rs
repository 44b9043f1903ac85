//! The files that pages load.

use super::Document;
use super::kind::{Each, Kind, Needs};
use crate::address::{Format, Stage};
use crate::pages::assets::AssetPath;

/// The format is that of the file's suffix. (Trees also have the files of earlier releases for a while.)
pub static ASSET: Kind = Kind::file("files that pages load", "assets/{*asset}", Format::Binary)
    .each(Each::Values(|at| AssetPath::at(at.first()?).map(Document::Asset)), Stage::Package, &[])
    .needs(Needs::Asset)
    .immutable()
    .open();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&ASSET];

/// The format of a file, by its suffix.
pub fn format_of(asset: AssetPath) -> Format {
    Format::of_name(asset.name).unwrap_or(ASSET.format)
}
