//! Registries whose rows are in a database, or whose packages are in an object store.
//!
//! `tests/storage/run` runs tests of other rooms on these stores, too: `TEST_STORAGE` names what each registry
//! of a test uses.

mod any_server;
mod copying;
mod database;
mod packages;
mod private_namespaces;
mod servers;
mod tree_writers;
mod trusted;
