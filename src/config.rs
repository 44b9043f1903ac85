//! The settings of `config.toml`, checked at start.

mod bytes;
mod listen;
mod sections;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use generator::Retention;
use generator::follower::{FollowOptions, SourceLimits};
use generator::selection::Selection;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use registry::names::PublicUrl;
use registry::package::Limits;
use registry::quotas::Quotas;
use registry::time::Timestamp;
use serde::Deserialize;
use server::app::Settings;
use server::request::http_limits::HttpLimits;
use server::tree_updates::{CounterTicks, PublisherSettings};

use crate::signer::{Keys, SigningCommand, WitnessAddress};
use crate::signing_keys::SigningKeys;

pub use self::listen::listen_address;
use self::sections::{
    LimitsSection, MirrorSection, NamespacesSection, ReadsSection, SearchSection, SessionsSection,
    SigningSection,
};

/// All settings, with defaults for those that the file leaves out.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The address that the server listens on.
    #[serde(deserialize_with = "listen::deserialize")]
    pub listen: SocketAddr,
    /// The data folder.
    pub data: PathBuf,
    /// The output folder.
    pub public: PathBuf,
    /// The public address of the registry.
    pub public_url: Option<PublicUrl>,
    /// The section `mirror`.
    pub mirror: MirrorSection,
    search: SearchSection,
    reads: ReadsSection,
    namespaces: NamespacesSection,
    sessions: SessionsSection,
    /// The section `limits`.
    pub limits: LimitsSection,
    signing: SigningSection,
    /// The keys that sign the history.
    #[serde(skip)]
    pub keys: SigningKeys,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data: "data".into(),
            public: "public".into(),
            public_url: None,
            mirror: MirrorSection::default(),
            search: SearchSection::default(),
            reads: ReadsSection::default(),
            namespaces: NamespacesSection::default(),
            sessions: SessionsSection::default(),
            limits: LimitsSection::default(),
            signing: SigningSection::default(),
            keys: SigningKeys::default(),
        }
    }
}

impl Config {
    /// Reads the settings from `file`, or else from `config.toml` if it exists. The error names
    /// the file, the key and the remedy.
    pub fn load(file: Option<&Path>) -> Result<Self, String> {
        let path = file.unwrap_or(Path::new("config.toml"));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(why) if file.is_none() && why.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(why) => return Err(format!("cannot read {}: {why}", path.display())),
        };
        let mut config = Self::parse(&text).map_err(|why| format!("{}: {why}", path.display()))?;
        if config.signing.command.is_empty() != config.signing.command.join("").is_empty() {
            return Err(format!("{}: signing.command: the first item is the program", path.display()));
        }
        if !config.signing.command.is_empty() && config.signing.verifiers.is_empty() {
            return Err(format!(
                "{}: signing.command: name its public key in signing.verifiers",
                path.display()
            ));
        }
        config.keys = SigningKeys::read(&config.signing.keys, &config.signing.verifiers)?;
        Ok(config)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let from = toml::Deserializer::parse(text).map_err(|why| why.to_string())?;
        let config: Self = serde_path_to_error::deserialize(from).map_err(|why| {
            let key = why.path().to_string();
            let remedy =
                "correct it, or remove it to use the default (the project's config.toml lists all settings)";
            format!("{key}: {}{remedy}", why.into_inner())
        })?;
        let LimitsSection { zip, uploads_total, .. } = config.limits;
        if uploads_total < zip {
            return Err(format!(
                "limits.uploads_total: {uploads_total} is too small for one upload: use at least limits.zip ({zip})"
            ));
        }
        Ok(config)
    }

    /// The keys that sign here, in files or with a command.
    pub fn signing_keys(&self) -> Keys {
        let SigningSection { command, command_timeout, .. } = &self.signing;
        let command = (!command.is_empty() && !self.keys.elsewhere().is_empty()).then(|| SigningCommand {
            arguments: command.clone(),
            keys: self.keys.elsewhere().to_vec(),
            timeout: *command_timeout,
        });
        Keys { here: self.keys.signing().to_vec(), command }
    }

    /// The witnesses of the history.
    pub fn witnesses(&self) -> &[WitnessAddress] {
        &self.signing.witnesses
    }

    /// The limits of a package.
    pub fn package_limits(&self) -> Limits {
        let LimitsSection { unpacked, file, files, ratio, .. } = self.limits;
        Limits { unpacked, file, files, ratio, ..Limits::default() }
    }

    /// What one person may use.
    fn quotas(&self) -> Quotas {
        let LimitsSection { pending_per_person, pending_bytes_per_person, tokens_per_person, .. } =
            self.limits;
        Quotas {
            pending: pending_per_person,
            pending_bytes: pending_bytes_per_person,
            tokens: tokens_per_person,
        }
    }

    /// When counters are published.
    pub fn ticks(&self) -> CounterTicks {
        let MirrorSection { counter_interval, counter_batch, .. } = self.mirror;
        // With 0, counters would never be published.
        CounterTicks { interval: counter_interval, batch: counter_batch.max(1) }
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
            precompute: self.search.precompute,
            public_url,
            keys: self.keys.published().collect(),
            partial: None,
        }
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

    /// How a mirror follows its source, signed or not.
    pub fn follow_options(&self, accepts_new_history: bool) -> FollowOptions {
        let MirrorSection { feed_max_package: package, feed_max_total: total, .. } = self.mirror;
        FollowOptions {
            retention: self.search_retention(),
            public_url: self.public_url.clone(),
            limits: SourceLimits { package, total },
            accepts_new_history,
            keys: Vec::new(),
            policy: None,
            selection: Selection::default(),
            now: Timestamp::now,
        }
    }

    /// How a tree with these settings is kept.
    pub fn publisher_settings(&self, tree: TreeSettings) -> PublisherSettings {
        let (ticks, search_retention) = (self.ticks(), self.search_retention());
        let lists_interval = self.mirror.lists_interval;
        let signing = self.keys.as_signer();
        PublisherSettings { tree, signing, ticks, lists_interval, search_retention, replaces_tree: false }
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
            ..HttpLimits::default()
        };
        let listening = || format!("http://{address}").parse();
        let public_url = self.public_url.clone().map_or_else(listening, Ok);
        // A server that keeps the tree knows where it is served. Another one asks the tree.
        let tree = match self.public_url.clone().or_else(|| self.listening_url().filter(|_| mirror)) {
            None if mirror => self.tree_settings(tree),
            public_url => self.tree_settings_at(public_url),
        };
        Ok(Settings {
            http,
            package: self.package_limits(),
            quotas: self.quotas(),
            creation: self.namespaces.creation,
            publisher: self.publisher_settings(tree),
            public_url: public_url.map_err(|why| format!("listen: {why}"))?,
            session_lifetime: Duration::from_secs(self.sessions.days * 24 * 60 * 60),
            writes_per_minute: limits.writes_per_minute,
            wait_timeout: self.mirror.wait_timeout,
            reads_memory: self.reads.memory,
            mirror,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn config_toml_shows_the_defaults() {
        let shown = include_str!("../config.toml");
        let uncommented: String = shown
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|l| l.contains(" = ")).unwrap_or(line))
            .fold(String::new(), |text, line| text + line + "\n");
        let mut config = Config::parse(&uncommented).unwrap();
        assert_eq!(
            config.public_url.take().as_ref().map(PublicUrl::as_str),
            Some("https://skills.example.org")
        );
        assert_eq!(format!("{config:?}"), format!("{:?}", Config::default()));
        Config::parse(shown).unwrap();
    }

    #[test]
    fn invalid_setting_is_refused_with_its_key() {
        for (text, key) in [
            ("lisen = 1", "lisen"),
            ("[mirror]\nwait_timout = 5", "wait_timout"),
            ("[mirror]\nwait_timeout = -5", "mirror.wait_timeout"),
            ("[namespaces]\ncreation = \"closed\"", "namespaces.creation"),
            ("[limits]\nfiles = 0", "limits.files"),
            ("[limits]\nuploads = 0", "limits.uploads"),
            ("[sessions]\ndays = 0", "sessions.days"),
            ("[sessions]\ndays = 401", "sessions.days"),
            ("[search]\nkeep = 31536001", "search.keep"),
            ("[search]\nkeep = -1", "search.keep"),
            ("[limits]\nuploads_total = 1", "limits.uploads_total"),
            ("[mirror]\nwait_timeout = 86401", "mirror.wait_timeout"),
            ("[limits]\nbody_timeout = 9223372036854775807", "limits.body_timeout"),
            ("[limits]\nconnections = 9223372036854775807", "limits.connections"),
            ("[limits]\ntrusted_proxies = [\"proxy\"]", "limits.trusted_proxies"),
            ("public_url = \"skills.example.org\"", "public_url"),
            ("public_url = \"https://a.example/$(id)\"", "public_url"),
            ("listen = \"localhost\"", "listen"),
        ] {
            let why = Config::parse(text).unwrap_err();
            assert!(why.contains(key), "{text}: {why}");
        }
    }
}
