//! People, and the ways in which they sign in.

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
