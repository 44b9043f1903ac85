//! What the command asks of a registry from outside: it finds, resolves,
//! installs and publishes skills, of a write server, a static host or a folder.
//!
//! [`choice`] and [`discovery`] say which registry is meant, [`RegistryAddress`] where
//! it is; [`Source`] reads public documents there in whichever way it has them, and
//! [`http`] carries them: with limits, retries, and a token that goes to its own
//! registry only. Nothing here prints.

pub mod account;
pub mod choice;
mod client_error;
mod credentials;
pub mod describing;
pub mod discovery;
mod folder;
pub mod http;
pub mod install;
pub mod local_package;
mod loopback;
pub mod publishing;
mod read;
pub mod records;
mod registry_address;
pub mod resolving;
pub mod searching;
pub mod shown;
mod side_by_side;
mod skill_reference;
mod source;
mod standing;
mod token;

pub use client_error::ClientError;
pub use credentials::{Credentials, Login};
pub use registry_address::RegistryAddress;
pub use skill_reference::SkillReference;
pub use source::Source;
pub use token::Token;
