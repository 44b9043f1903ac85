//! Tokens of others: who signs them, and whether one is valid.
//!
//! An [`Issuer`] is a provider of identities, such as the login of a company or the workflows of a host of
//! repositories. It names itself and its keys at addresses that [`Discovery`] describes. Nothing here knows
//! what a token is good for: the caller reads its claims.

mod claims;
mod issuer;
mod kept;
mod outbound;
mod provider;
mod refusal;
mod settings;
mod signature;

pub use self::issuer::{Discovery, Issuer, IssuerSettings};
pub use self::outbound::{MAX_ANSWER_BYTES, Outbound, TIMEOUT, check_address};
pub use self::provider::{Begun, Person, Provider, ProviderSettings};
pub use self::refusal::Refusal;
pub use self::settings::SignInSettings;

#[cfg(test)]
mod tests;
