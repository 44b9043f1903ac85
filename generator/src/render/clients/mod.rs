//! Documents for clients and agents that others made. `docs/clients.md` says which reads what.

mod agent_skills;
pub(crate) mod apm;
mod found_skills;
mod llms_txt;
mod marketplace;
mod namespace_repository;
pub(crate) mod raw_files;

pub(crate) use agent_skills::{of_bundle, of_namespace, of_skill};
pub use found_skills::FoundSkillList;
pub(crate) use found_skills::{found_list, found_skills};
pub(crate) use llms_txt::llms_txt;
pub(crate) use marketplace::{bundle_marketplace, marketplace};
pub(crate) use namespace_repository::{bundle_repository, repository};
