//! Everything that the public may see, and nothing else.
//!
//! The generator only uses this module, so private data cannot get into the
//! static tree. A change becomes public by being the [`PublicRecord`] of a
//! decision. Its JSON is stored with the journal's row and never recomputed.

mod advisory;
mod bundle;
mod catalog;
mod change;
mod counters;
mod feed;
mod history;
mod id;
mod keywords;
mod lists;
mod person;
mod provenance;
mod public_row;
mod published;
pub(crate) mod redacted;
mod row;
mod skill;
mod skill_name;
mod verdict;

pub use advisory::{
    Advisories, Advisory, AdvisoryId, AdvisoryIssuer, AdvisoryLevel, AdvisoryPublished, AdvisoryWithdrawn,
    MAX_ADVISORIES, MAX_ADVISORIES_OF_NAMESPACE, MAX_ADVISORY_TEXT, MAX_ADVISORY_TITLE, MAX_RANGES,
};
pub use bundle::{Bundle, BundleEntry, MAX_BUNDLES, MAX_MEMBERS};
pub use catalog::{Archive, CatalogClock, NamespaceEntry, PublicCatalog};
pub use change::{
    AuthorChanged, HistoryRestored, NamespaceKind, NamespaceState, NamespaceStatus, PublicChange,
    PublicRecord, Redacted, RowRedacted, Scanned, TagRemoved, TagSet, Unyanked, Yanked,
};
pub use counters::{CounterShard, CounterShards, Counters, Hundredths, ShardError};
pub use feed::{FeedIndex, FeedPage, ROWS_PER_PAGE};
pub use history::History;
pub use id::Id;
pub use lists::Sort;
pub use person::Person;
#[cfg(feature = "storage")]
pub(crate) use provenance::is_word;
pub use provenance::{JobProvenance, PublicProvenance, SourceProvenance};
pub use public_row::{Epoch, PublicRow, Revision};
pub use published::{Contents, PromotionSource, Published};
#[cfg(feature = "storage")]
pub(crate) use row::unknown_kind;
pub use row::{DecodeError, DecodedRow, encode};
pub use skill::{Skill, TagEntry, VersionEntry, VersionStatus};
pub use skill_name::SkillName;
pub(crate) use verdict::{MAX_SCANNER_VERSION, put_verdict};
pub use verdict::{MAX_SCANNERS, OWN_SCANNER, ScanVerdict, VerdictEntry, VerdictSummary, is_scanner_name};
