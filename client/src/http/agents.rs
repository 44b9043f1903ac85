//! The ways that requests go: directly, or through a proxy.

use std::time::Duration;

use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Proxy};
use url::Url;

use crate::ClientError;

use super::CONNECTIONS;
use super::authorities::authorities;
use super::proxies::{Proxies, Variable};

/// How long a connection may take, with the names and the TLS behind it.
const CONNECT: Duration = Duration::from_secs(20);
/// How long nothing may come or go: a registry checks a large package before it
/// answers.
const SILENCE: Duration = Duration::from_secs(60);
/// How long a body may take as a whole: 128 MiB at 1.1 Mbit/s.
const BODY: Duration = Duration::from_secs(1000);

/// One agent, with connections of its own, for each way.
pub(super) struct Agents {
    proxies: Proxies,
    direct: Agent,
    /// Through the proxy for `http`, and that for `https`.
    plain: Option<Agent>,
    encrypted: Option<Agent>,
    /// What is wrong with the list of authorities that the environment names.
    unusable_authorities: Option<String>,
}

impl Agents {
    /// What the environment says.
    pub(super) fn new(variable: Variable<'_>) -> Self {
        let proxies = Proxies::read(variable);
        let (roots, unusable_authorities) = match authorities(variable) {
            Ok(roots) => (roots, None),
            Err(why) => (RootCerts::WebPki, Some(why)),
        };
        let through = |named: &Result<Option<Proxy>, String>| {
            named.as_ref().ok().cloned().flatten().map(|proxy| agent(&roots, Some(proxy)))
        };
        let (plain, encrypted) = (through(&proxies.plain), through(&proxies.encrypted));
        Self { direct: agent(&roots, None), plain, encrypted, proxies, unusable_authorities }
    }

    /// The way to that address. A setting of the environment that cannot be used is an error
    /// where it would be needed.
    pub(super) fn of(&self, url: &Url) -> Result<&Agent, ClientError> {
        let is_encrypted = url.scheme() == "https";
        let setting = |why: &String| ClientError::Environment(why.clone());
        let through = if self.proxies.are_not_for(url) {
            None
        } else if is_encrypted {
            self.proxies.encrypted.as_ref().map_err(setting)?;
            self.encrypted.as_ref()
        } else {
            self.proxies.plain.as_ref().map_err(setting)?;
            self.plain.as_ref()
        };
        match &self.unusable_authorities {
            Some(why) if is_encrypted || through.is_some() => Err(setting(why)),
            _ => Ok(through.unwrap_or(&self.direct)),
        }
    }
}

fn agent(roots: &RootCerts, proxy: Option<Proxy>) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        // Each is looked at here before it is followed.
        .max_redirects(0)
        .proxy(proxy)
        .tls_config(TlsConfig::builder().root_certs(roots.clone()).build())
        .timeout_connect(Some(CONNECT))
        .timeout_recv_response(Some(SILENCE))
        .timeout_per_read(Some(SILENCE))
        .timeout_send_body(Some(BODY))
        .timeout_recv_body(Some(BODY))
        .timeout_per_write(Some(SILENCE))
        .max_idle_connections_per_host(CONNECTIONS)
        .user_agent(concat!("skillmirror/", env!("CARGO_PKG_VERSION")))
        .build();
    config.into()
}
