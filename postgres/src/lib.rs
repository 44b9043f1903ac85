//! The journal and the local data of a registry in PostgreSQL 15 or newer, for several
//! servers and for hosts without state.
//!
//! All tables are in the schema `skillmirror` of one database, which this crate makes and
//! migrates ([`Database::open`]). Every statement is sent with its types and without a
//! name, and nothing depends on the session but the wake-up of other servers, so a pooler such as PgBouncer may give each
//! transaction another connection.

mod address;
mod connection;
mod database;
mod error;
mod journal;
mod listener;
mod local;
mod params;
mod schema;
mod tls;
mod turns;

pub use address::{Address, AddressError};
pub use database::Database;
pub use journal::PostgresJournal;
pub use local::PostgresLocal;
pub use tls::Roots;
pub use turns::Turns;
