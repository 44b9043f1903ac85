//! Logins: the tokens and other credentials saved for registries, and the users that registries know them as.

mod account;
mod credentials;
mod device;
mod read_credential;
mod token;

pub(crate) use account::not_a_server;
pub use account::{missing_login, revoke, whoami};
pub use credentials::{Credentials, Login, Reads};
pub use device::DeviceLogin;
pub use read_credential::ReadCredential;
pub use token::Token;
