//! A journal in memory, and the tests that every journal has to pass.

#[cfg(test)]
mod contract;
mod memory;

pub use memory::MemoryJournal;
