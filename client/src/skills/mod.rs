//! Finds skills at a registry: by name, by version or tag, and by search.

pub mod bundle;
pub mod closure;
pub mod info;
mod needed;
mod page_address;
mod reference;
pub mod resolve;
pub mod search;
mod similar;
mod yank;

pub use needed::{Needed, link, unneeded};
pub use reference::SkillReference;
pub(crate) use similar::similar_skills;
pub use yank::Yank;
