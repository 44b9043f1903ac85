//! Search without a server: an index of static files, and how a query is answered from them.
//!
//! `docs/search-index.md` specifies both. [`Index`] makes the files from the live skills of a
//! catalog. [`find`] answers a query from the files, wherever they are.

mod build;
mod format;
mod index;
mod popularity;
mod precomputed;
mod query;
mod shared_index;
pub mod words;

pub use format::codec::Damaged;
pub use format::manifest::{Manifest, PopularSkill};
pub use format::piece::{Card, Details, shortened};
pub use format::piece_file::unpack;
pub use format::piece_name::PieceName;
pub use index::Index;
pub use precomputed::StaleAnswers;
pub use query::Query;
pub use query::piece_reader::IndexFiles;
pub use query::ranking::{Hit, SearchResults, find};
pub use shared_index::SharedIndex;
