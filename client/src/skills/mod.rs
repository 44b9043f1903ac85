//! Finds skills at a registry: by name, by version or tag, and by search.

pub mod info;
mod page_address;
mod reference;
mod requirement;
pub mod resolve;
pub mod search;

pub use reference::SkillReference;
pub use requirement::Requirement;
