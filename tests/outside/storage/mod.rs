//! Registries whose rows are in a database, or whose packages are in an object store.
//!
//! `tests/run` runs other rooms on PostgreSQL, too: `TEST_STORAGE=postgres` makes each registry of
//! a test use a database of its own.

mod copying;
mod database;
mod packages;
mod servers;
