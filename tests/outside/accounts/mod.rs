//! Users and their credentials.

mod credentials;
mod display_name;
mod login;
mod login_failures;
mod me;
mod password_change;
mod rate_limits;
mod session_origins;
mod sessions;
mod tokens;
