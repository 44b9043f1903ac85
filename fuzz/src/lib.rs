//! Properties of all inputs, even hostile ones: one function `hold` for each fuzz target,
//! which panics if the property is violated.
//!
//! The targets call them with inputs of libFuzzer. The test
//! `tests/outside/packages/fuzz_seeds.rs` calls them with the seeds: it includes this file,
//! so the modules refer to each other by `super`.

pub mod archive;
mod checksums;
pub mod cost;
pub mod front_matter;
pub mod locate;
pub mod names;
pub mod signed_texts;
