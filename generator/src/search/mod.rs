//! Search that needs no server: an index of static files, and its reader.
//!
//! `docs/search-index.md` specifies both. [`Index`] makes the files from the live
//! skills of a catalog; [`find`] answers a query from them, wherever they are.

mod block;
mod cut;
mod edge;
mod edges;
mod found_by;
mod index;
mod manifest;
mod members;
mod moved;
mod number;
mod packed;
mod piece;
mod piece_name;
mod pieces_read;
mod popularity;
mod posting_list;
mod postings;
mod precomputed;
mod query;
mod ranking;
mod scopes;
mod shared;
mod spelling;
mod stretches;
mod word_lists;
pub mod words;

pub use index::Index;
pub use manifest::Manifest;
pub use number::Damaged;
pub use piece_name::PieceName;
pub use precomputed::Stale;
pub use query::Query;
pub use ranking::{Files, Found, Hit, find};
pub use shared::Shared;
