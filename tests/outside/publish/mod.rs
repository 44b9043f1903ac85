//! Publishing.

mod accepted;
mod apm;
mod refusals;
mod versioning;
