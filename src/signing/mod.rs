//! What the keys of a registry sign, and what must not be written without them.

mod command;
pub mod older_data;
pub mod signed_tree;
pub mod signer;
mod witness;
