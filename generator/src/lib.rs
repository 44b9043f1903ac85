//! Public catalog to documents to static tree.
//!
//! This crate is given the public half of a registry and nothing more: it
//! cannot meet a token, a pending version or a member list.

pub mod address;
mod basis;
mod encoding;
pub mod feed;
mod mirror;
pub mod openapi;
pub mod pages;
mod plan;
pub mod render;
pub mod search;
pub mod settings;
pub mod tree;

pub use basis::Basis;
pub use mirror::{Mirror, MirrorError, Retention};

/// Raised whenever the bytes of a document change for the same registry: a
/// tree of another number is generated anew.
pub const FORMAT: u32 = 8;
