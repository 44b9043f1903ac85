//! Which request is which operation, and a file for each resource.

pub(crate) mod account;
mod fields;
mod find;
pub(crate) mod health;
pub(crate) mod members;
pub(crate) mod namespaces;
pub(crate) mod publish;
pub(crate) mod session;
mod table;
pub(crate) mod tokens;

pub use self::find::{Found, Match, Params, find};
pub use self::table::{Access, Operation, ROUTES, Route};
