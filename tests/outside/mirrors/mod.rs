//! Mirrors that follow the feed of a tree.

mod feed;
mod following;
