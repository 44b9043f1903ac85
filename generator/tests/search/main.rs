//! The search index: what it finds, and that it is always the same files.
#![allow(clippy::unwrap_used, reason = "a test says no by panicking")]
#![allow(unreachable_pub, missing_docs)]

mod dice;
mod finding;
mod keeping;
mod shelf;
mod stale;
mod vectors;
mod world;
