//! Private namespaces: each is a registry of its own below `/-/{namespace}/`, with its own journal and tree. The
//! accounts are those of the main registry.

mod accounts;
mod gate;
mod open;
mod opening;

pub use self::accounts::Accounts;
pub(crate) use self::gate::{at_once, dispatch};
pub use self::open::{Beginning, OpenPrivate, OpenRegistries};
pub(crate) use self::opening::keep_open;
