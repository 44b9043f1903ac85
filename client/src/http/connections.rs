//! The HTTP connections: one agent for direct ones, and one for each proxy.

use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use registry::user_agent::USER_AGENT;
use ureq::config::ConfigBuilder;
use ureq::http::{Request, Response};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::AgentScope;
use ureq::unversioned::transport::{
    ConnectProxyConnector, ConnectionDetails, Connector, RustlsConnector, SocksConnector, TcpConnector,
    Transport,
};
use ureq::{Agent, AsSendBody, Body, Proxy};
use url::Url;

use crate::ClientError;

use super::CONNECTIONS;
use super::early_answer::EarlyAnswerConnector;
use super::failure::{Failure, ProxyFailure};
use super::no_proxy::NoProxy;
use super::proxies::{ProxyName, proxy};
use super::public_addresses::CheckingResolver;
use super::root_certs::root_certs_of_environment;

/// The time limit for a connection, including DNS and TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// The time limit without any data. A registry checks a large package before it answers.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// The time limit for a whole body: 128 MiB at 1.1 Mbit/s.
const BODY_TIMEOUT: Duration = Duration::from_secs(1000);

/// The settings of an agent.
pub type AgentConfig = ConfigBuilder<AgentScope>;

/// Changes the settings of an agent.
type Tune = Box<dyn Fn(AgentConfig) -> AgentConfig + Send + Sync>;

/// A proxy with its name, or the error text of an unusable variable.
type Proxied = Result<Option<(Proxy, ProxyName)>, String>;

/// One ureq agent, with connections of its own, for each way to a host: directly, or through a proxy that
/// the environment names. Unusable variables are reported only when a request needs them.
pub struct Connections {
    /// For `http` and `https`.
    proxies: [Proxied; 2],
    no_proxy: NoProxy,
    /// Read for the first connection that may need them, because they can be hundreds of files.
    roots: LazyLock<Result<RootCerts, String>>,
    tune: Tune,
    only_public: bool,
    /// For `http` and `https`, directly and through a proxy.
    agents: [[OnceLock<Agent>; 2]; 2],
}

/// A way to a host.
pub(super) struct Way<'a> {
    pub agent: &'a Agent,
    /// The proxy, if it leads through one.
    pub proxy: Option<&'a ProxyName>,
}

impl Connections {
    /// Reads proxies and root certificates from the environment. `tune` changes the settings of each
    /// agent, such as its time limits. ureq's own `Proxy::try_from_env` does not do: it uses one proxy
    /// for both schemes and ignores invalid settings.
    pub fn of_environment(tune: impl Fn(AgentConfig) -> AgentConfig + Send + Sync + 'static) -> Self {
        let variable = |name: &str| std::env::var_os(name);
        Self {
            proxies: ["http_proxy", "https_proxy"].map(|name| proxy(name, &variable)),
            no_proxy: NoProxy::read(&variable),
            roots: LazyLock::new(root_certs_of_environment),
            tune: Box::new(tune),
            only_public: false,
            agents: Default::default(),
        }
    }

    /// Refuses addresses that are [not public](super::is_public_address). Behind a proxy, that is the proxy's work.
    #[must_use]
    pub fn only_to_public_addresses(self, only_public: bool) -> Self {
        Self { only_public, ..self }
    }

    /// Fails if the variables that name root certificates have unusable values.
    pub fn check_root_certs(&self) -> Result<(), ClientError> {
        self.roots.as_ref().map(drop).map_err(|why| ClientError::Environment(why.clone()))
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
        let scheme = usize::from(url.scheme() == "https");
        let setting = |why: &String| ClientError::Environment(why.clone());
        let through = match &self.proxies[scheme] {
            _ if self.no_proxy.applies_to(url) => None,
            proxied => proxied.as_ref().map_err(setting)?.as_ref(),
        };
        let needs_roots = scheme == 1 || through.is_some();
        let roots = if needs_roots { self.roots.as_ref().map_err(setting)? } else { &RootCerts::WebPki };
        let agent =
            self.agents[usize::from(through.is_some())][scheme].get_or_init(|| self.agent_of(roots, through));
        Ok(Way { agent, proxy: through.map(|(_, name)| name) })
    }

    fn agent_of(&self, roots: &RootCerts, through: Option<&(Proxy, ProxyName)>) -> Agent {
        let (proxy, name) = through.cloned().unzip();
        let connector = NamedProxyConnector { inner: SocksConnector::default(), name: name.clone() }
            .chain(NamedProxyConnector { inner: ConnectProxyConnector::default(), name })
            .chain(TcpConnector::default())
            .chain(RustlsConnector::default())
            .chain(EarlyAnswerConnector);
        let config = (self.tune)(config(roots)).proxy(proxy).build();
        let only_public = self.only_public && through.is_none();
        Agent::with_parts(config, connector, CheckingResolver { only_public })
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
struct NamedProxyConnector<C> {
    inner: C,
    name: Option<ProxyName>,
}

impl<In: Transport, C: Connector<In>> Connector<In> for NamedProxyConnector<C> {
    type Out = C::Out;

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
