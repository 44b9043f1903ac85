//! The tree that a registry or a mirror writes, and what follows it.

pub mod followers;
pub mod mirror_source;
pub mod output_tree;
pub mod purger;
pub mod snapshot_file;
pub mod tree_progress;
pub mod update_tree;
