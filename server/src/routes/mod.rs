//! Which request is which operation, and a file for each resource.

pub(crate) mod account;
mod fields;
pub(crate) mod health;
mod matching;
pub(crate) mod me;
pub(crate) mod members;
pub(crate) mod namespaces;
pub(crate) mod publish;
pub(crate) mod reviews;
pub(crate) mod session;
pub(crate) mod skills;
pub(crate) mod social;
mod table;
pub(crate) mod tags;
pub(crate) mod tokens;
pub(crate) mod transfers;

pub use self::matching::{Found, Match, Params, find};
pub use self::table::{Access, Operation, ROUTES, Route};
