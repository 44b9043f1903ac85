//! What a registry of agent skills is: names, packages, the catalog, the
//! operations and the journal they are computed from. No HTTP, no HTML.

pub mod journal;
pub mod local;
pub mod names;
pub mod package;
pub mod time;
