//! Reviews: submissions and decisions.

mod decisions;
mod submissions;
mod warnings;
