//! Turns a registry's public catalog into documents, and keeps a static tree of them.
//!
//! This crate gets only the public half of a registry. It cannot read tokens, pending versions or
//! member lists.

pub mod address;
mod feed;
pub mod follower;
pub mod git;
pub mod gzip;
pub mod hosts;
pub mod install_commands;
mod json;
mod log_reader;
pub mod openapi;
pub mod pages;
mod plan;
mod publisher;
pub mod render;
pub mod search;
pub mod selection;
pub mod settings;
mod signing;
pub mod snapshot;
mod sources;
pub mod tree;

pub use log_reader::{LogProver, LogReader};
pub use publisher::{Retention, TreeError, TreePublisher};
pub use signing::{SignedCheckpoint, SignedNotes, SignedStatement, Signing};
pub use sources::Sources;

/// The version of the tree's format. A tree of another format is rebuilt. Raise it when a release
/// makes other bytes of the same journal than the last release, once for each release ("When a
/// format changes" in `CONTRIBUTING.md`).
pub const FORMAT: u32 = 9;
