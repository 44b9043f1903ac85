//! The core of a registry of agent skills: names, packages, the journal, the
//! catalogs computed from it, and the operations on them. No HTTP, no HTML.

pub mod access;
pub mod audit;
pub mod catalog;
mod causes;
mod disk_health;
pub mod journal;
#[cfg(feature = "openapi")]
mod json_schemas;
mod live_counters;
pub mod local;
pub mod maintenance;
pub mod names;
pub mod ops;
pub mod package;
pub mod private;
pub mod public;
pub mod publishing;
pub mod quotas;
mod random;
mod registry;
mod replay;
pub mod sanitize;
mod submissions;
pub mod time;
pub mod transparency_log;

pub use causes::with_causes;
pub use registry::{Caller, CommitError, Committed, Registry};
