//! What holds for every input, however hostile: one function `hold` for each
//! fuzz target, which panics where it does not.
//!
//! The targets beside this call them with what libFuzzer makes up, and
//! `tests/outside/packages/fuzz_seeds.rs` with the seeds; it includes this file, so the
//! modules name each other by `super`.

pub mod archive;
mod checksums;
pub mod front_matter;
pub mod locate;
pub mod names;
