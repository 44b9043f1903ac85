//! The HTTP agents of stores.

use std::fmt;
use std::sync::Arc;

use ureq::Agent;
use ureq::http::Uri;

type Choose = dyn Fn(&Uri) -> Result<Agent, String> + Send + Sync;

/// Chooses the agent for a request by its address, because not every host is behind the same proxy.
#[derive(Clone)]
pub struct Agents(Arc<Choose>);

impl Agents {
    /// `choose` returns the agent for an address, or the reason why no agent can reach it.
    pub fn new(choose: impl Fn(&Uri) -> Result<Agent, String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(choose))
    }

    pub(crate) fn of(&self, uri: &Uri) -> Result<Agent, String> {
        (self.0)(uri)
    }
}

impl fmt::Debug for Agents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Agents")
    }
}
