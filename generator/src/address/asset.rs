//! The files that pages load.

use crate::pages::assets::{Asset, all, folder};

/// Where they are, and nothing else is.
const FOLDER: &str = "assets/";

/// One of the files that pages load: of the current set, for there is no other.
/// The set is named by its bytes, so that none of them ever changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetPath(&'static str);

impl AssetPath {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        all().iter().map(|asset| Self(asset.path))
    }

    /// The file itself.
    pub fn asset(self) -> Option<&'static Asset> {
        all().iter().find(|asset| asset.path == self.0)
    }

    /// Its path in the set.
    pub(super) fn as_str(self) -> &'static str {
        self.0
    }

    /// Its path from the origin, without the slash at the beginning.
    pub(super) fn file(self) -> String {
        format!("{FOLDER}{}/{}", folder(), self.0)
    }

    /// The file that is there.
    pub(super) fn at(relative: &str) -> Option<Self> {
        let path = relative.strip_prefix(FOLDER)?.strip_prefix(folder())?.strip_prefix('/')?;
        Self::all().find(|asset| asset.0 == path)
    }

    /// What leads from the root of the site to the folder of the set.
    pub fn set() -> String {
        format!("{FOLDER}{}/", folder())
    }
}
