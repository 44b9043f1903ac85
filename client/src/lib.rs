//! The client side of a registry: finds, resolves, installs, compares and publishes skills, and does
//! the work of a team.
//! The registry may be a server, a static host or a folder.
//!
//! [`registry_choice`] finds the address of the registry, a [`RegistryAddress`]. [`Source`]
//! reads public documents from it. [`http`] transports them, with limits and retries, and
//! sends a token only to the registry it belongs to. Nothing here prints.

mod advisories;
mod client_error;
pub mod diff;
pub mod fed_command;
mod file_lock;
pub mod history;
pub mod http;
pub mod install;
pub mod login;
mod merge_marks;
pub mod notice;
mod platform;
pub mod policy;
mod private_file;
pub mod project;
pub mod publish;
mod registry_address;
pub mod registry_choice;
mod regular_file;
pub mod skills;
pub mod source;
pub mod team;
mod user_path;
pub mod writing;

pub use advisories::{advisories_for, advisories_of_all, advisory_line, all_advisories};
pub use client_error::{ClientError, Problem};
pub use login::{Credentials, Login, ReadCredential, Token};
pub use registry::names::Requirement;
pub use registry_address::RegistryAddress;
pub use skills::SkillReference;
pub use source::Source;
pub use user_path::{home_folder, user_path};
pub use writing::decoded_uri;
