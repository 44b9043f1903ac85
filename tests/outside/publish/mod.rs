//! Publishing.

mod accepted;
mod refusals;
mod versioning;
