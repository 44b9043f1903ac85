//! Addresses of the files that pages load.

use crate::pages::assets::{Asset, all, folder};

/// The folder of all asset sets. It holds nothing else.
const FOLDER: &str = "assets/";

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

    /// The path inside the set.
    pub(super) fn as_str(self) -> &'static str {
        self.0
    }

    /// The path from the origin, without a leading slash.
    pub(super) fn file(self) -> String {
        format!("{FOLDER}{}/{}", folder(), self.0)
    }

    /// The asset at this path, if it belongs to this release's set.
    pub(super) fn at(relative: &str) -> Option<Self> {
        let path = relative.strip_prefix(FOLDER)?.strip_prefix(folder())?.strip_prefix('/')?;
        Self::all().find(|asset| asset.0 == path)
    }

    /// The path from the site's root to the set's folder.
    pub fn set() -> String {
        format!("{FOLDER}{}/", folder())
    }
}
