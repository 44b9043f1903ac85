//! How people may sign in.

use std::sync::Arc;
use std::time::Duration;

use super::Provider;

/// How people may sign in.
#[derive(Debug, Clone)]
pub struct SignInSettings {
    /// Whether passwords count.
    pub passwords: bool,
    /// How long a session lasts that began with a provider. None: as long as any other.
    pub session_ttl: Option<Duration>,
    /// How long the tokens of a person work after a sign-in with a provider, if the account is linked to one. None: as
    /// long as they are valid.
    pub reconfirm: Option<Duration>,
    /// The providers, by name.
    pub providers: Arc<Vec<Provider>>,
}

impl Default for SignInSettings {
    fn default() -> Self {
        Self { passwords: true, session_ttl: None, reconfirm: None, providers: Arc::default() }
    }
}

impl SignInSettings {
    /// The provider with this name.
    pub fn provider(&self, name: &str) -> Option<&Provider> {
        self.providers.iter().find(|provider| provider.settings.name == name)
    }
}
