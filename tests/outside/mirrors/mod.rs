//! Mirrors that follow the feed of a tree.

mod addresses;
mod feed;
mod following;
mod signed;
