//! The commands for people who write skills.

mod check;
mod diff;
mod init;
mod pack;
mod portable;
mod publish_dry_run;
mod receipt;
