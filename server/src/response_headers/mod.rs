//! Response headers that every part of the server sets.

pub(crate) mod browser_policy;
pub mod cache_control;
pub mod request_id;
