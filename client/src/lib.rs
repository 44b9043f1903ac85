//! The client side of a registry: finds, resolves, installs and publishes skills.
//! The registry may be a server, a static host or a folder.
//!
//! [`registry_choice`] and [`discovery`] find the address of the registry, a
//! [`RegistryAddress`]. [`Source`] reads public documents from it. [`http`] transports
//! them, with limits and retries, and sends a token only to the registry it belongs to.
//! Nothing here prints.

pub mod account;
mod client_error;
mod credentials;
pub mod discovery;
pub mod http;
pub mod info;
pub mod install;
pub mod local_package;
mod parallel;
pub mod publish;
pub mod records;
mod registry_address;
pub mod registry_choice;
mod regular_file;
pub mod resolve;
pub mod sanitize;
pub mod search;
mod skill_reference;
mod source;
mod token;

pub use client_error::{ClientError, Problem};
pub use credentials::{Credentials, Login};
pub use registry_address::RegistryAddress;
pub use skill_reference::SkillReference;
pub use source::Source;
pub use token::Token;
