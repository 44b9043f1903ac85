//! Registries whose rows are in a database or an object store, or whose packages are in one.
//!
//! `tests/storage/run` runs other rooms on these stores, too: `TEST_STORAGE` names what each registry of a
//! test uses.

mod any_server;
mod bucket_alone;
mod copying;
mod database;
mod packages;
mod servers;
mod tree_writers;
