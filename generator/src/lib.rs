//! Public catalog to documents to static tree.
//!
//! This crate is given the public half of a registry and nothing more: it
//! cannot meet a token, a pending version or a member list.

pub mod address;
mod encoding;
pub mod feed;
pub mod openapi;
pub mod pages;
mod plan;
mod publisher;
pub mod render;
pub mod search;
pub mod settings;
mod sources;
pub mod tree;

pub use publisher::{Retention, TreeError, TreePublisher};
pub use sources::Sources;

/// Raised whenever the bytes of a document change for the same registry: a
/// tree of another number is generated anew.
pub const FORMAT: u32 = 8;
