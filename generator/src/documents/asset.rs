//! The files that pages load.

use std::fmt;

use super::Document;
use super::kind::{Each, Kind};
use crate::address::{Format, Stage};
use crate::pages::assets::{Asset, all, folder};

/// The format is that of the file's suffix. (Trees also have the files of earlier releases for a while.)
pub static ASSET: Kind = Kind::file("files that pages load", "assets/{*asset}", Format::Binary)
    .each(Each::Values(|at| AssetPath::at(at.first()?).map(Document::Asset)), Stage::Package, &[])
    .immutable()
    .open();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&ASSET];

/// One of the files that pages load. The folder's name contains a digest of all its files, so a
/// file at an address never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetPath(&'static str);

impl AssetPath {
    /// All assets of this release.
    pub fn all() -> impl Iterator<Item = Self> {
        all().iter().map(|asset| Self(asset.path))
    }

    /// The file's content.
    pub fn asset(self) -> Option<&'static Asset> {
        all().iter().find(|asset| asset.path == self.0)
    }

    pub(crate) fn format(self) -> Format {
        Format::of_name(self.0).unwrap_or(ASSET.format)
    }

    /// The asset at this path below `assets`, if it belongs to this release's set.
    fn at(path: &str) -> Option<Self> {
        let path = path.strip_prefix(folder())?.strip_prefix('/')?;
        Self::all().find(|asset| asset.0 == path)
    }

    /// The path from the site's root to the set's folder.
    pub fn set() -> String {
        format!("assets/{}/", folder())
    }
}

impl fmt::Display for AssetPath {
    /// The path below `assets`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", folder(), self.0)
    }
}
