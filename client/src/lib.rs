//! What the command asks of a registry from outside: it finds, resolves,
//! installs and publishes skills, of a write server, a static host or a folder.
//!
//! [`RegistryAddress`] says where, [`Source`] reads public documents there in
//! whichever way it has them, and [`http`] carries them: with limits, retries,
//! and a token that goes to its own registry only. Nothing here prints.

mod client_error;
mod folder;
pub mod http;
mod registry_address;
mod skill_reference;
mod source;
mod token;

pub use client_error::ClientError;
pub use registry_address::RegistryAddress;
pub use skill_reference::SkillReference;
pub use source::Source;
pub use token::Token;
