//! Response headers that every part of the server sets.

pub(crate) mod browser_policy;
pub mod cache_control;
pub(crate) mod request_id;
