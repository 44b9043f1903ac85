//! The settings of a server.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use registry::access::NamespaceCreation;
use registry::names::PublicUrl;
use registry::package::{Level, Limits};
use registry::quotas::Quotas;

use super::App;
use crate::identity::{Outbound, SignInSettings};
use crate::observation::access_log::AccessLog;
use crate::private_namespaces::OpenPrivate;
use crate::request::http_limits::HttpLimits;
use crate::scan_status::ScanStatus;
use crate::tree_updates::PublisherSettings;
use crate::trusted::TrustedIssuers;

/// Settings of a server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Limits on connections and requests.
    pub http: HttpLimits,
    /// Limits on packages.
    pub package: Limits,
    /// What one person may use.
    pub quotas: Quotas,
    /// The lowest level of a finding of the own rules with which a publication waits for a person.
    pub wait_level: Option<Level>,
    /// Which scanners there are, and which of their runs failed.
    pub scans: Arc<ScanStatus>,
    /// Whether every user may create namespaces, or platform admins alone.
    pub creation: NamespaceCreation,
    /// Settings of the tree and of the thread that writes it.
    pub publisher: PublisherSettings,
    /// The address at which people reach the registry.
    pub public_url: PublicUrl,
    /// How long a session lasts, in whole seconds.
    pub session_lifetime: Duration,
    /// How long the token of a client lives that a person has logged in, in whole seconds.
    pub client_login_lifetime: Duration,
    /// Writes per minute of each person, or of each client without a credential.
    pub writes_per_minute: NonZeroU32,
    /// How long the response to a public write waits for the tree; zero for not at
    /// all.
    pub wait_timeout: Duration,
    /// Bytes of documents that are cached in memory; 0 for none.
    pub reads_memory: u64,
    /// Whether this process writes the tree. If not, reads are rendered.
    pub mirror: bool,
    /// Whether requests are counted for metrics.
    pub metrics: bool,
    /// The log of all requests, if there is one.
    pub access_log: Option<AccessLog>,
    /// Whether a read key may be the start of a path.
    pub key_in_path: bool,
    /// The issuers whose jobs may publish.
    pub trusted: Arc<TrustedIssuers>,
    /// Opens private namespaces. Without it, the server has none.
    pub private: Option<Arc<dyn OpenPrivate<App>>>,
    /// Sends requests to issuers of identities. Without it, no issuer can be asked for its keys.
    pub outbound: Option<Arc<dyn Outbound>>,
    /// How people may sign in.
    pub sign_in: SignInSettings,
}
