//! Search that needs no server: an index of static files, and its reader.
//!
//! `docs/mirror.md` specifies both. [`Index`] makes the files from the live
//! skills of a catalog, [`find`] answers a query from them.

mod index;
mod piece_name;
mod shared;

pub use index::{Hit, Index};
pub use piece_name::PieceName;
pub use shared::Shared;
