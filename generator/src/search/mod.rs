//! Search without a server: an index of static files, and how a query is answered from them.
//!
//! `docs/search-index.md` specifies both. [`Index`] makes the files from the live skills of a
//! catalog. [`find`] answers a query from the files, wherever they are.

#[cfg(feature = "writer")]
mod builder;
#[cfg_attr(not(feature = "writer"), expect(dead_code, reason = "only the writer uses all of it"))]
mod format;
#[cfg(feature = "writer")]
mod index;
#[cfg(feature = "writer")]
mod popularity;
#[cfg(feature = "writer")]
mod precomputed;
mod query;
#[cfg(feature = "writer")]
mod shared_index;
pub mod words;

pub use format::codec::Damaged;
pub use format::manifest::{Manifest, PopularSkill};
pub use format::piece::{Card, Details, shortened};
pub use format::piece_file::unpack;
pub use format::piece_name::PieceName;
#[cfg(feature = "writer")]
pub use index::Index;
#[cfg(feature = "writer")]
pub use precomputed::StaleAnswers;
pub use query::Query;
pub use query::piece_reader::IndexFiles;
pub use query::ranking::{Hit, SearchResults, find};
pub use query::unknown_word::UnknownWord;
#[cfg(feature = "writer")]
pub use shared_index::SharedIndex;
