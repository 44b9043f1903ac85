//! Skills as git repositories, for clients that clone.
//!
//! A repository has one commit without parents: the latest version, on the branch `main` and with
//! a tag. Everything in it follows from the package and its row, so every copy of a registry has
//! the same commit.
//!
//! Two responses are enough for git's smart HTTP protocol, version 0 (gitprotocol-http(5)): the
//! refs, and the pack. Contents are not compressed again: the pack takes the deflate streams of
//! the package.

mod object;
mod pack;
mod pkt_line;
mod repository;
mod tree_builder;

pub use object::{InvalidObjectId, ObjectId};
pub use pkt_line::{FLUSH, NAK, error};
pub use repository::Repository;
