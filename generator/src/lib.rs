//! Turns a registry's public catalog into documents, and keeps a static tree of them.
//!
//! This crate gets only the public half of a registry. It cannot read tokens, pending versions or
//! member lists.
//!
//! Clients leave out the feature `writer`: they only need addresses and the search of an index.

#[cfg_attr(not(feature = "writer"), expect(dead_code, reason = "only the writer uses all of it"))]
pub mod address;
#[cfg(feature = "writer")]
mod blobs;
#[cfg(feature = "writer")]
mod context;
#[cfg_attr(not(feature = "writer"), expect(dead_code, reason = "only the writer uses all of it"))]
mod documents;
#[cfg(feature = "writer")]
mod feed;
#[cfg(feature = "writer")]
pub mod follower;
#[cfg(feature = "writer")]
pub mod git;
pub mod gzip;
#[cfg(feature = "writer")]
pub mod hosts;
pub mod install_commands;
#[cfg(feature = "writer")]
mod json;
#[cfg(feature = "writer")]
pub mod marketplace_name;
#[cfg(feature = "writer")]
pub mod openapi;
pub mod pages;
#[cfg(feature = "writer")]
mod plan;
#[cfg(feature = "writer")]
mod progress;
#[cfg(feature = "writer")]
mod publisher;
#[cfg(feature = "writer")]
pub mod render;
pub mod script_language;
pub mod search;
#[cfg(feature = "writer")]
pub mod selection;
#[cfg(feature = "writer")]
pub mod settings;
#[cfg(feature = "writer")]
mod signing;
#[cfg(feature = "writer")]
pub mod snapshot;
#[cfg(feature = "writer")]
mod sources;
#[cfg(feature = "writer")]
pub mod tree;

#[cfg(feature = "writer")]
pub use feed::parse_head;
#[cfg(feature = "writer")]
pub use progress::WorkProgress;
#[cfg(feature = "writer")]
pub use publisher::{OwnProgress, Retention, TreeError, TreePublisher};
#[cfg(feature = "writer")]
pub use signing::{KnownLog, OwnSigning, ShownLog, SignedCheckpoint, SignedNotes, SignedStatement, Signing};
#[cfg(feature = "writer")]
pub use sources::Sources;

/// The version of the tree's format. A tree of another format is rebuilt. Raise it when a release
/// makes other bytes of the same journal than the last release, once for each release ("When a
/// format changes" in `CONTRIBUTING.md`).
pub const FORMAT: u32 = 9;
