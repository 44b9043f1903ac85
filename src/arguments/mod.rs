//! What several commands take.

pub mod confirmation;
pub mod duration_arg;
#[cfg(feature = "operator")]
pub mod folders;
pub mod skill_argument;
#[cfg(feature = "operator")]
pub mod time_arg;
