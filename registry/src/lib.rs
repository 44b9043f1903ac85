//! The core of a registry of agent skills: names, packages, the journal, the
//! catalogs computed from it, and the operations on them. No HTTP, no HTML.
//!
//! Clients leave out the feature `storage`: they only read what is public.

#[cfg(feature = "storage")]
pub mod access;
pub mod api;
#[cfg(feature = "storage")]
pub mod audit;
#[cfg(feature = "storage")]
pub mod catalog;
mod causes;
pub mod connection_fault;
pub mod data_fault;
#[cfg(feature = "storage")]
mod disk_health;
#[cfg(feature = "storage")]
pub mod fair_share;
#[cfg(feature = "storage")]
pub mod journal;
#[cfg(feature = "openapi")]
mod json_schemas;
#[cfg(feature = "storage")]
mod live_counters;
#[cfg(feature = "storage")]
pub mod local;
#[cfg(feature = "storage")]
pub mod maintenance;
pub mod names;
#[cfg(feature = "storage")]
pub mod ops;
pub mod package;
#[cfg(feature = "storage")]
pub mod private;
pub mod public;
#[cfg(feature = "storage")]
pub mod publishing;
#[cfg(feature = "storage")]
pub mod quotas;
mod random;
#[cfg(feature = "storage")]
pub mod read_key;
#[cfg(feature = "storage")]
mod registry;
#[cfg(feature = "storage")]
mod replay;
pub mod roles;
pub mod sanitize;
#[cfg(feature = "storage")]
mod submissions;
mod text_rules;
pub mod time;
pub mod transparency_log;
pub mod user_agent;

pub use causes::with_causes;
#[cfg(feature = "storage")]
pub use registry::{Caller, CommitError, Committed, Registry};
