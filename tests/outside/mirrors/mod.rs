//! Mirrors that follow the feed of a tree.

mod addresses;
mod epochs;
mod feed;
mod following;
mod hostile_rows;
mod missing_packages;
mod once;
mod partial;
mod sign_with_command;
mod signed;
mod witnesses;
