//! Everything the public may see, and nothing else.
//!
//! The generator is built on this module alone: what is not here cannot get
//! into the static tree. A change becomes public by being a [`PublicChange`]
//! in a decision; its JSON is stored with the journal's row and never
//! recomputed.

mod catalog;
mod change;
mod counters;
mod feed;
mod id;
mod lists;
pub mod record;
mod row_header;
mod skill;

pub use catalog::{Archive, NamespaceEntry, PublicCatalog};
pub use change::{
    Contents, DecodeError, DecodedRow, NamespaceKind, NamespaceState, NamespaceStatus, Origin, Person,
    PublicChange, PublicRecord, Published, encode,
};
pub use counters::{Counters, shard_of};
pub use feed::{FeedIndex, FeedPage};
pub use id::Id;
pub use lists::Sort;
pub use skill::{Skill, TagEntry, VersionEntry, VersionStatus};
