//! The bytes of the index's files: `docs/search-index.md`, "The search index".

pub mod codec;
pub mod keys;
pub mod logarithm;
pub mod manifest;
pub mod meaning;
pub mod piece;
pub mod piece_file;
pub mod piece_name;
pub mod posting;
pub mod spelling;
