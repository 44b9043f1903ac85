//! The HTTP connections: one for direct connections, one for each proxy.

use std::time::Duration;

use registry::user_agent::USER_AGENT;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{Connector, DefaultConnector};
use ureq::{Agent, Proxy};
use url::Url;

use crate::ClientError;

use super::CONNECTIONS;
use super::early_answer::EarlyAnswerConnector;
use super::proxies::{NoProxy, Variable, proxy};
use super::revisions::Revisions;
use super::root_certs::root_certs;

/// The time limit for a connection, including DNS and TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// The time limit without any data. A registry checks a large package before it answers.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// The time limit for a whole body: 128 MiB at 1.1 Mbit/s.
const BODY_TIMEOUT: Duration = Duration::from_secs(1000);

/// One ureq agent, with connections of its own, for each way to a host. Invalid settings are kept as error texts,
/// and reported only when a request needs them.
pub(super) struct Connections {
    direct: Agent,
    /// For `http` and `https`. None if the environment names no proxy.
    http_proxy: Result<Option<Agent>, String>,
    https_proxy: Result<Option<Agent>, String>,
    no_proxy: NoProxy,
    /// What this process has written.
    pub(super) revisions: Revisions,
    root_certs_error: Option<String>,
}

impl Connections {
    /// Reads the settings from environment variables. ureq's own `Proxy::try_from_env` does
    /// not do: it uses one proxy for both schemes and ignores invalid settings.
    pub(super) fn new(variable: Variable<'_>) -> Self {
        let (roots, root_certs_error) = match root_certs(variable) {
            Ok(roots) => (roots, None),
            Err(why) => (RootCerts::WebPki, Some(why)),
        };
        let through = |name: &str| Ok(proxy(name, variable)?.map(|proxy| agent(roots.clone(), Some(proxy))));
        Self {
            http_proxy: through("http_proxy"),
            https_proxy: through("https_proxy"),
            no_proxy: NoProxy::read(variable),
            revisions: Revisions::default(),
            direct: agent(roots.clone(), None),
            root_certs_error,
        }
    }

    /// The agent for a request to `url`.
    pub(super) fn of(&self, url: &Url) -> Result<&Agent, ClientError> {
        let is_https = url.scheme() == "https";
        let setting = |why: &String| ClientError::Environment(why.clone());
        let through = if self.no_proxy.applies_to(url) {
            None
        } else {
            let agent = if is_https { &self.https_proxy } else { &self.http_proxy };
            agent.as_ref().map_err(setting)?.as_ref()
        };
        match &self.root_certs_error {
            Some(why) if is_https || through.is_some() => Err(setting(why)),
            _ => Ok(through.unwrap_or(&self.direct)),
        }
    }
}

fn agent(roots: RootCerts, proxy: Option<Proxy>) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        // The `redirect` module checks each redirect.
        .max_redirects(0)
        .proxy(proxy)
        .tls_config(TlsConfig::builder().root_certs(roots).build())
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_recv_response(Some(IDLE_TIMEOUT))
        .timeout_per_read(Some(IDLE_TIMEOUT))
        .timeout_send_body(Some(BODY_TIMEOUT))
        .timeout_recv_body(Some(BODY_TIMEOUT))
        .timeout_per_write(Some(IDLE_TIMEOUT))
        .max_idle_connections_per_host(CONNECTIONS)
        .user_agent(USER_AGENT)
        .build();
    let connector = DefaultConnector::new().chain(EarlyAnswerConnector);
    Agent::with_parts(config, connector, DefaultResolver::default())
}
