//! The records that the public may see, made from the catalog.

mod advisory;
mod bundle;
mod list;
mod namespace;
mod search;
mod skill;
mod tag;
mod tree;
mod version;

pub use advisory::{AdvisoryNote, AdvisoryRecord};
pub use bundle::{BundleMember, BundleRecord};
pub use list::{FullList, Page, PublicPage};
pub use namespace::NamespaceRecord;
pub use search::{SearchResult, SearchResults};
pub use skill::{SkillDetail, SkillSummary};
pub use tag::TagRecord;
pub use tree::{CountersHead, Discovery, Head, LogHead, RegistryKeyRecord, RegistryKeys, RequiredCredential};
pub use version::{
    NotLoaded, Portability, Resolved, ResolvedSlug, ScanFinding, VerdictRecord, VersionDetail, VersionRecord,
    VersionState, download_url,
};
