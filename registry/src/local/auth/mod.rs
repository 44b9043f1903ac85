//! What signing in needs: passwords, sessions, failed logins, and when tokens
//! were used.

pub(super) mod login_failures;
pub(super) mod password;
mod session_key;
pub(super) mod sessions;
pub(super) mod token_use;

pub use session_key::SessionKey;
pub use sessions::{PasswordChange, Session};
