//! Several clients or processes at the same time.

mod first_start;
mod mixed_writes;
mod processes;
mod races;
mod reads_during_writes;
