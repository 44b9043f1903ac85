//! For people who write skills: a first SKILL.md, everything that publishing would say, and the
//! package that it would send. All of it works without a registry, except [`foresight`].

pub mod check;
mod fix;
pub mod foresight;
mod left_out;
pub mod pack;
pub mod sarif;
pub use sarif::decoded_uri;
pub mod starter;

pub use check::{Accepted, CheckRequest, Checked, check};
pub use fix::{move_keys, rename_entry_file};
