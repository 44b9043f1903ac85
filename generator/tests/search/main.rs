//! The search index: its results, and that it always has the same files for the same catalog.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(unreachable_pub, missing_docs)]

mod dice;
mod ranking;
mod readers;
mod shelf;
mod stale_answers;
mod updates;
mod vectors;
mod world;
