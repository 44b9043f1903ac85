//! The HTTP connections: one agent for direct ones, and one for each proxy.

use std::time::Duration;

use registry::user_agent::USER_AGENT;
use ureq::config::ConfigBuilder;
use ureq::http::{Request, Response};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::AgentScope;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    ConnectProxyConnector, ConnectionDetails, Connector, RustlsConnector, TcpConnector, Transport,
};
use ureq::{Agent, AsSendBody, Body, Proxy};
use url::Url;

use crate::ClientError;

use super::CONNECTIONS;
use super::early_answer::EarlyAnswerConnector;
use super::failure::{Failure, ProxyFailure};
use super::no_proxy::NoProxy;
use super::proxies::{ProxyName, Variable, proxy};
use super::root_certs::root_certs;

/// The time limit for a connection, including DNS and TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// The time limit without any data. A registry checks a large package before it answers.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// The time limit for a whole body: 128 MiB at 1.1 Mbit/s.
const BODY_TIMEOUT: Duration = Duration::from_secs(1000);

/// The settings of an agent.
pub type AgentConfig = ConfigBuilder<AgentScope>;

/// One ureq agent, with connections of its own, for each way to a host: directly, or through a proxy that
/// the environment names. Invalid variables are kept as error texts, and reported only when a request
/// needs them.
pub struct Connections {
    direct: Agent,
    /// For `http` and `https`. None if the environment names no proxy.
    http_proxy: Result<Option<Proxied>, String>,
    https_proxy: Result<Option<Proxied>, String>,
    no_proxy: NoProxy,
    root_certs_error: Option<String>,
}

struct Proxied {
    agent: Agent,
    name: ProxyName,
}

/// A way to a host.
pub(super) struct Way<'a> {
    pub agent: &'a Agent,
    /// The proxy, if it leads through one.
    pub proxy: Option<&'a ProxyName>,
}

impl Connections {
    /// Reads proxies and root certificates from the environment. `tune` changes the settings of each
    /// agent, such as its time limits.
    pub fn of_environment(tune: impl Fn(AgentConfig) -> AgentConfig) -> Self {
        Self::new(&|name| std::env::var_os(name), tune)
    }

    /// Reads the settings from environment variables. ureq's own `Proxy::try_from_env` does
    /// not do: it uses one proxy for both schemes and ignores invalid settings.
    fn new(variable: Variable<'_>, tune: impl Fn(AgentConfig) -> AgentConfig) -> Self {
        let (roots, root_certs_error) = match root_certs(variable) {
            Ok(roots) => (roots, None),
            Err(why) => (RootCerts::WebPki, Some(why)),
        };
        let agent = |proxy: Option<(Proxy, ProxyName)>| {
            let (proxy, name) = proxy.unzip();
            let config = tune(config(&roots)).proxy(proxy).build();
            let connector = NamedProxyConnector { inner: ConnectProxyConnector::default(), name }
                .chain(TcpConnector::default())
                .chain(RustlsConnector::default())
                .chain(EarlyAnswerConnector);
            Agent::with_parts(config, connector, DefaultResolver::default())
        };
        let through = |name: &str| {
            let found = proxy(name, variable)?;
            Ok(found.map(|(proxy, name)| Proxied { agent: agent(Some((proxy, name.clone()))), name }))
        };
        Self {
            http_proxy: through("http_proxy"),
            https_proxy: through("https_proxy"),
            no_proxy: NoProxy::read(variable),
            direct: agent(None),
            root_certs_error,
        }
    }

    /// Fails if the variables that name root certificates have unusable values.
    pub fn check_root_certs(&self) -> Result<(), ClientError> {
        self.root_certs_error.clone().map_or(Ok(()), |why| Err(ClientError::Environment(why)))
    }

    /// The agent for a request to an address.
    ///
    /// Errors: a variable that the request needs has an unusable value.
    pub fn agent(&self, address: &str) -> Result<&Agent, ClientError> {
        Ok(self.way(&parse(address)?)?.agent)
    }

    /// Sends a request to another host than a registry. The caller reads the body within limits.
    ///
    /// Errors: the host cannot be reached.
    pub fn send(&self, request: Request<impl AsSendBody>) -> Result<Response<Body>, ClientError> {
        let url = parse(&request.uri().to_string())?;
        let Way { agent, proxy } = self.way(&url)?;
        agent.run(request).map_err(|why| Failure::before_answer(&url, &why, proxy).into())
    }

    /// The way of a request to `url`.
    pub(super) fn way(&self, url: &Url) -> Result<Way<'_>, ClientError> {
        let is_https = url.scheme() == "https";
        let setting = |why: &String| ClientError::Environment(why.clone());
        let through = if self.no_proxy.applies_to(url) {
            None
        } else {
            let proxied = if is_https { &self.https_proxy } else { &self.http_proxy };
            proxied.as_ref().map_err(setting)?.as_ref()
        };
        match &self.root_certs_error {
            Some(why) if is_https || through.is_some() => Err(setting(why)),
            _ => Ok(through.map_or(Way { agent: &self.direct, proxy: None }, |Proxied { agent, name }| {
                Way { agent, proxy: Some(name) }
            })),
        }
    }
}

fn parse(address: &str) -> Result<Url, ClientError> {
    Url::parse(address).map_err(|_| ClientError::Unreachable {
        url: address.to_owned(),
        why: "it is not an address".to_owned(),
    })
}

fn config(roots: &RootCerts) -> AgentConfig {
    Agent::config_builder()
        .http_status_as_error(false)
        // The `redirect` module checks each redirect.
        .max_redirects(0)
        .tls_config(TlsConfig::builder().root_certs(roots.clone()).build())
        // Digests are of plain bytes.
        .accept_encoding("identity")
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_recv_response(Some(IDLE_TIMEOUT))
        .timeout_per_read(Some(IDLE_TIMEOUT))
        .timeout_send_body(Some(BODY_TIMEOUT))
        .timeout_recv_body(Some(BODY_TIMEOUT))
        .timeout_per_write(Some(IDLE_TIMEOUT))
        .max_idle_connections_per_host(CONNECTIONS)
        .user_agent(USER_AGENT)
}

/// Connects through a proxy. Marks its errors, so that they differ from those of the host behind it.
#[derive(Debug)]
struct NamedProxyConnector {
    inner: ConnectProxyConnector,
    name: Option<ProxyName>,
}

impl<In: Transport> Connector<In> for NamedProxyConnector {
    type Out = <ConnectProxyConnector as Connector<In>>::Out;

    fn connect(
        &self,
        details: &ConnectionDetails,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, ureq::Error> {
        self.inner.connect(details, chained).map_err(|why| match &self.name {
            Some(proxy) => ureq::Error::Other(Box::new(ProxyFailure { proxy: proxy.clone(), why })),
            None => why,
        })
    }
}
