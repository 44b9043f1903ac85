//! The keys of a registry, what they sign, and what must not be written without them.

mod command;
pub mod keys;
pub mod older_data;
pub mod signed_tree;
pub mod signer;
mod witness;
