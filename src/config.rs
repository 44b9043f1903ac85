//! The settings of `config.toml`, checked at start.

mod bytes;
mod defaults;
mod environment;
pub mod folder_overlap;
mod following;
mod listen;
mod load;
mod mistake;
mod number;
mod path;
mod private;
mod restart;
pub mod scan;
mod sections;
mod sign_in;
mod signing_keys;
mod site;
pub mod source;
pub mod source_file;
mod storage;
mod trusted;
pub mod unusable_path;
mod witness_address;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use generator::pages::Site;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use generator::{Retention, Signing, WorkProgress};
use registry::names::{Namespace, PublicUrl};
use registry::package::Limits;
use serde::Deserialize;
use server::app::Settings;
use server::request::http_limits::HttpLimits;
use server::scan_status::ScanStatus;
use server::tree_updates::PublisherSettings;

pub use self::listen::listen_address;
pub use self::load::{Source, is_here};
use self::private::PrivateSection;
use self::scan::{ReviewSection, ScanSection};
pub use self::sections::SigningSection;
use self::sections::{
    GitSection, LimitsSection, LogSection, MetricsSection, MirrorSection, NamespacesSection, PurgeSection,
    ReadsSection, SearchSection, SessionsSection, SiteSection,
};
use self::sign_in::{SignInSection, TokensSection};
use self::signing_keys::SigningKeys;
use self::source::SourceSection;
pub use self::storage::StorageSection;
use self::trusted::TrustedSection;
pub use self::witness_address::WitnessAddress;

/// The settings outside of sections.
const SETTINGS: &[&str] = &["listen", "data", "public", "public_url"];

/// The sections, and the settings of each.
const SECTIONS: &[(&str, &[&str])] = &[
    ("storage", StorageSection::SETTINGS),
    ("mirror", MirrorSection::SETTINGS),
    ("git", GitSection::SETTINGS),
    ("purge", PurgeSection::SETTINGS),
    ("search", SearchSection::SETTINGS),
    ("reads", ReadsSection::SETTINGS),
    ("namespaces", NamespacesSection::SETTINGS),
    ("private", PrivateSection::SETTINGS),
    ("sessions", SessionsSection::SETTINGS),
    ("sign_in", SignInSection::SETTINGS),
    ("tokens", TokensSection::SETTINGS),
    ("limits", LimitsSection::SETTINGS),
    ("signing", SigningSection::SETTINGS),
    ("trusted", &[]),
    ("review", ReviewSection::SETTINGS),
    ("scan", &[]),
    ("source", &[]),
    ("log", LogSection::SETTINGS),
    ("metrics", MetricsSection::SETTINGS),
    ("site", SiteSection::SETTINGS),
];

/// All settings, with defaults for those that the file leaves out.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The address that the server listens on.
    #[serde(deserialize_with = "listen::deserialize")]
    pub listen: SocketAddr,
    /// The data folder.
    #[serde(deserialize_with = "path::path")]
    pub data: PathBuf,
    /// The output folder.
    #[serde(deserialize_with = "path::path")]
    pub public: PathBuf,
    /// The public address of the registry.
    pub public_url: Option<PublicUrl>,
    /// The section `storage`.
    pub storage: StorageSection,
    /// The section `mirror`.
    pub mirror: MirrorSection,
    git: GitSection,
    /// The section `purge`.
    pub purge: PurgeSection,
    search: SearchSection,
    /// The section `reads`.
    pub reads: ReadsSection,
    namespaces: NamespacesSection,
    private: PrivateSection,
    sessions: SessionsSection,
    sign_in: SignInSection,
    tokens: TokensSection,
    /// The section `limits`.
    pub limits: LimitsSection,
    /// The section `signing`.
    pub signing: SigningSection,
    /// The sections `trusted.NAME`.
    pub trusted: BTreeMap<String, TrustedSection>,
    /// The section `review`.
    pub review: ReviewSection,
    /// The sections `scan.NAME`.
    pub scan: BTreeMap<String, ScanSection>,
    /// The sections `source.NAME`.
    #[serde(rename = "source")]
    pub sources: BTreeMap<String, SourceSection>,
    /// The section `log`.
    pub log: LogSection,
    /// The section `metrics`.
    pub metrics: MetricsSection,
    site: SiteSection,
    /// The look of pages.
    #[serde(skip)]
    look: Site,
    /// The keys that sign the history.
    #[serde(skip)]
    pub keys: SigningKeys,
    /// The private namespace whose registry these settings are of.
    #[serde(skip)]
    pub private_namespace: Option<Namespace>,
    /// Where the settings come from.
    #[serde(skip)]
    source: Source,
}

impl Config {
    /// The file of the settings. It need not exist.
    pub fn file(&self) -> &Path {
        self.source.file.as_deref().unwrap_or(Path::new(load::DEFAULT_FILE))
    }

    /// Names the place of the journal, for messages: a folder, or an address without a password.
    pub fn journal_name(&self) -> Result<String, String> {
        let database = self.storage.database()?;
        Ok(database.map_or_else(|| self.data.display().to_string(), |address| address.to_string()))
    }

    /// The keys that sign the tree of this registry.
    pub fn signing(&self) -> Signing {
        let (keys, of_command) = (self.keys.signing().to_vec(), self.keys.of_command().to_vec());
        Signing::own(keys, of_command, !self.signing.witnesses.is_empty())
    }

    /// The limits of a package.
    pub fn package_limits(&self) -> Limits {
        let LimitsSection { unpacked, file, files, ratio, .. } = self.limits;
        Limits { unpacked, file, files, ratio, ..Limits::default() }
    }

    /// The settings that determine the content of a tree. If no public address is configured,
    /// the tree keeps its own. A new tree takes that of the configured tree, or else the address
    /// that `serve` would listen on.
    pub fn tree_settings(&self, tree: &Tree) -> TreeSettings {
        let known = || tree.settings().or_else(|| Tree::at(&self.public).settings());
        let said = || known().map_or_else(|| self.listening_url(), |settings| settings.public_url);
        self.tree_settings_at(self.public_url.clone().or_else(said))
    }

    fn tree_settings_at(&self, public_url: Option<PublicUrl>) -> TreeSettings {
        TreeSettings {
            list_depth: self.mirror.list_depth,
            gzip: self.mirror.gzip,
            git: self.mirror.git,
            namespace_repositories: self.git.namespaces(),
            precompute: self.search.precompute,
            public_url,
            keys: self.keys.published().collect(),
            partial: None,
            reads: self.reads.require,
            marketplace: self.site.marketplace.clone(),
            site: self.look.clone(),
        }
    }

    /// Whether reads need a credential.
    pub fn is_closed(&self) -> bool {
        !self.reads.require.is_none()
    }

    /// The address that `serve` listens on. None for port 0 and for unspecified addresses.
    fn listening_url(&self) -> Option<PublicUrl> {
        let is_definite = self.listen.port() != 0 && !self.listen.ip().is_unspecified();
        // An address with a zone is not a valid URL, so parsing it fails.
        is_definite.then(|| format!("http://{}", self.listen).parse().ok()).flatten()
    }

    /// How long superseded pieces of the search index stay in the tree.
    pub fn search_retention(&self) -> Retention {
        let SearchSection { keep, keep_bytes, .. } = self.search;
        Retention { time: keep, bytes: keep_bytes }
    }

    /// How a tree with these settings is kept.
    pub fn publisher_settings(&self, tree: TreeSettings) -> PublisherSettings {
        PublisherSettings {
            tree,
            signing: self.signing(),
            ticks: self.mirror.ticks(),
            lists_interval: self.mirror.lists_interval,
            search_retention: self.search_retention(),
            target: None,
            purger: None,
            replaces_tree: false,
            progress: WorkProgress::default(),
        }
    }

    /// The settings of the server on `address`. `mirror` says whether the server keeps the
    /// tree. The error names the key.
    pub fn server_settings(
        &self,
        address: SocketAddr,
        tree: &Tree,
        mirror: bool,
    ) -> Result<Settings, String> {
        let limits = &self.limits;
        let http = HttpLimits {
            header_timeout: limits.header_timeout,
            body_timeout: limits.body_timeout,
            write_timeout: limits.write_timeout,
            shutdown_timeout: limits.shutdown_timeout,
            connections: limits.connections,
            connections_per_client: limits.connections_per_client,
            json: limits.json,
            header_bytes: limits.header,
            zip: limits.zip,
            uploads: limits.uploads,
            uploads_total: limits.uploads_total,
            uploads_per_person: limits.uploads_per_person,
            trusted_proxies: limits.trusted_proxies.clone(),
        };
        let public_url = self.public_url.clone().map_or_else(|| format!("http://{address}").parse(), Ok);
        // A server that keeps the tree knows where it is served. Another one asks the tree.
        let tree = match self.public_url.clone().or_else(|| self.listening_url().filter(|_| mirror)) {
            None if mirror => self.tree_settings(tree),
            public_url => self.tree_settings_at(public_url),
        };
        Ok(Settings {
            http,
            package: self.package_limits(),
            quotas: limits.quotas(),
            wait_level: self.review.wait_level(),
            scans: Arc::new(ScanStatus::new(self.scan.keys().cloned())),
            creation: self.namespaces.creation,
            publisher: self.publisher_settings(tree),
            public_url: public_url.map_err(|why| format!("listen: {why}"))?,
            session_lifetime: Duration::from_secs(self.sessions.days * 24 * 60 * 60),
            client_login_lifetime: Duration::from_secs(self.sessions.client_days * 24 * 60 * 60),
            writes_per_minute: limits.writes_per_minute,
            wait_timeout: self.mirror.wait_timeout,
            reads_memory: self.reads.memory,
            mirror,
            metrics: self.metrics.listen.is_some(),
            access_log: None,
            key_in_path: self.reads.key_in_path,
            private: None,
            trusted: Arc::default(),
            outbound: None,
            sign_in: server::identity::SignInSettings::default(),
        })
    }
}
