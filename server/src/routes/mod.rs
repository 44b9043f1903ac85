//! Which request is which operation.

mod find;
mod table;

pub use self::find::{Found, Match, Params, find, route};
pub use self::table::{Access, Operation, ROUTES, Route};
