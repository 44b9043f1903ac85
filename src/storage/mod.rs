//! The data of a registry: which stores it has, and opening them.

pub mod access;
pub mod new_folders;
pub mod open_registry;
pub mod stores;
