//! Users and their credentials.

mod administration;
mod credentials;
mod display_name;
mod login;
mod login_failures;
mod me;
mod operator;
mod password_change;
mod quotas;
mod rate_limits;
mod session_origins;
mod sessions;
mod token_families;
mod tokens;
