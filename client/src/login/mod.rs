//! Logins: the tokens saved for registries, and the users that registries know them as.

mod account;
mod credentials;
mod token;

pub(crate) use account::not_a_server;
pub use account::{missing_login, revoke, whoami};
pub use credentials::{Credentials, Login};
pub use token::Token;
