//! The settings: `config.toml`, checked once at start.

mod sections;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use generator::Retention;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use registry::names::PublicUrl;
use registry::package::Limits;
use serde::Deserialize;
use server::limits::{HttpLimits, MIN_HEADER_BYTES};
use server::publishing::{CounterTicks, PublisherSettings};
use server::state::Settings;

use self::sections::{
    LimitsSection, MirrorSection, NamespacesSection, ReadsSection, SearchSection, SessionsSection,
};

/// No span of time may be longer than a day. What is added to the clock must
/// not leave its range, and nobody waits longer for a client or for the tree.
const LONGEST: u64 = 24 * 60 * 60;

/// What nobody reads any more stays a year at most.
const LONGEST_KEPT: u64 = 365 * 24 * 60 * 60;

/// Browsers keep no cookie for longer (RFC 6265bis, section 5.5).
const MOST_DAYS: u64 = 400;

/// More connections than any process may have open files.
const MOST_CONNECTIONS: u64 = 1 << 20;

/// Each connection may hold as much, in bytes.
const MOST_HEADER_BYTES: u64 = 1 << 20;

/// The file, with the defaults of what it leaves out.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Where the write server listens.
    pub listen: SocketAddr,
    /// The data folder.
    pub data: PathBuf,
    /// The output folder.
    pub public: PathBuf,
    /// Where people reach the registry.
    pub public_url: Option<PublicUrl>,
    mirror: MirrorSection,
    search: SearchSection,
    reads: ReadsSection,
    namespaces: NamespacesSection,
    sessions: SessionsSection,
    limits: LimitsSection,
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
        }
    }
}

impl Config {
    /// Reads the file; without a name, `config.toml` where there is one, else
    /// the defaults. The error names file, key and what to do.
    pub fn load(file: Option<&Path>) -> Result<Self, String> {
        let path = file.unwrap_or(Path::new("config.toml"));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(why) if file.is_none() && why.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(why) => return Err(format!("{}: cannot be read: {why}", path.display())),
        };
        Self::parse(&text).map_err(|why| format!("{}: {why}", path.display()))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let from = toml::Deserializer::parse(text).map_err(|why| why.to_string())?;
        let config: Self = serde_path_to_error::deserialize(from).map_err(|why| {
            let key = why.path().to_string();
            let fix =
                "correct it, or remove it to use the default (config.toml in the project shows all settings)";
            format!("{key}: {}{fix}", why.into_inner())
        })?;
        config.check()?;
        Ok(config)
    }

    /// Looks at what the file's grammar cannot; again after command-line options.
    pub fn check(&self) -> Result<(), String> {
        let limits = &self.limits;
        let positive = [
            ("mirror.feed_interval", self.mirror.feed_interval),
            ("sessions.days", self.sessions.days),
            ("limits.zip", limits.zip as u64),
            ("limits.unpacked", limits.unpacked),
            ("limits.file", limits.file),
            ("limits.files", limits.files as u64),
            ("limits.ratio", limits.ratio),
            ("limits.json", limits.json as u64),
            ("limits.uploads", limits.uploads as u64),
            ("limits.connections", limits.connections as u64),
            ("limits.header_timeout", limits.header_timeout),
            ("limits.body_timeout", limits.body_timeout),
            ("limits.write_timeout", limits.write_timeout),
        ];
        if let Some((key, _)) = positive.iter().find(|(_, value)| *value == 0) {
            return Err(format!("{key}: must be at least 1: raise it, or remove it to use the default"));
        }
        let seconds = [
            ("mirror.wait_timeout", self.mirror.wait_timeout),
            ("mirror.counter_interval", self.mirror.counter_interval),
            ("mirror.feed_interval", self.mirror.feed_interval),
            ("limits.header_timeout", limits.header_timeout),
            ("limits.body_timeout", limits.body_timeout),
            ("limits.write_timeout", limits.write_timeout),
            ("limits.shutdown_timeout", limits.shutdown_timeout),
        ];
        if let Some((key, value)) = seconds.iter().find(|(_, value)| *value > LONGEST) {
            return Err(format!("{key}: is {value} seconds, but {LONGEST} (a day) is the most: lower it"));
        }
        let most = [
            ("search.keep", self.search.keep, LONGEST_KEPT),
            ("sessions.days", self.sessions.days, MOST_DAYS),
            ("limits.connections", limits.connections as u64, MOST_CONNECTIONS),
            ("limits.header", limits.header as u64, MOST_HEADER_BYTES),
        ];
        if let Some((key, value, most)) = most.iter().find(|(_, value, most)| value > most) {
            return Err(format!("{key}: is {value}, but {most} is the most: lower it"));
        }
        if limits.header < MIN_HEADER_BYTES {
            return Err(format!(
                "limits.header: is {}, but {MIN_HEADER_BYTES} is the least: raise it",
                limits.header
            ));
        }
        if limits.uploads_total < limits.zip {
            return Err(format!(
                "limits.uploads_total: is {}, less than one upload may have (limits.zip is {}): raise it",
                limits.uploads_total, limits.zip
            ));
        }
        Ok(())
    }

    /// The bounds of a package.
    pub fn package_limits(&self) -> Limits {
        let LimitsSection { unpacked, file, files, ratio, .. } = self.limits;
        Limits { unpacked, file, files, ratio, ..Limits::default() }
    }

    /// Bytes of a zip, wherever it comes from.
    pub fn zip_limit(&self) -> u64 {
        self.limits.zip as u64
    }

    /// When counters are published.
    pub fn ticks(&self) -> CounterTicks {
        let MirrorSection { counter_interval, counter_batch, .. } = self.mirror;
        // At least one: else they would never be.
        CounterTicks { interval: Duration::from_secs(counter_interval), batch: counter_batch.max(1) }
    }

    /// What a tree depends on. Where nobody has configured where people reach it,
    /// it goes on saying what it says, and a new one what the configured one says;
    /// the first one says where `serve` would listen.
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
        }
    }

    /// The address at which `serve` listens. None where that is another one each
    /// time, or all there are.
    fn listening_url(&self) -> Option<PublicUrl> {
        let is_definite = self.listen.port() != 0 && !self.listen.ip().is_unspecified();
        // One with a zone is no address for anybody else.
        is_definite.then(|| format!("http://{}", self.listen).parse().ok()).flatten()
    }

    /// How long superseded pieces of the search index stay in the tree.
    pub fn search_retention(&self) -> Retention {
        let SearchSection { keep, keep_bytes, .. } = self.search;
        Retention { time: Duration::from_secs(keep), bytes: keep_bytes }
    }

    /// How a tree is kept.
    pub fn publisher_settings(&self, tree: &Tree) -> PublisherSettings {
        PublisherSettings {
            tree: self.tree_settings(tree),
            ticks: self.ticks(),
            search_retention: self.search_retention(),
        }
    }

    /// How long a write waits for the tree.
    pub fn wait_timeout(&self) -> Duration {
        Duration::from_secs(self.mirror.wait_timeout)
    }

    /// How often a followed tree is looked at without being told.
    pub fn feed_interval(&self) -> Duration {
        Duration::from_secs(self.mirror.feed_interval)
    }

    /// How long what runs gets to finish.
    pub fn shutdown_timeout(&self) -> Duration {
        Duration::from_secs(self.limits.shutdown_timeout)
    }

    /// All that the write server is to know, which listens on `address`, beside a
    /// tree that it keeps, or does not. The error names the key.
    pub fn server_settings(
        &self,
        address: SocketAddr,
        tree: &Tree,
        mirror: bool,
    ) -> Result<Settings, String> {
        let limits = &self.limits;
        let http = HttpLimits {
            header_timeout: Duration::from_secs(limits.header_timeout),
            body_timeout: Duration::from_secs(limits.body_timeout),
            write_timeout: Duration::from_secs(limits.write_timeout),
            shutdown_timeout: self.shutdown_timeout(),
            connections: limits.connections,
            json: limits.json,
            header_bytes: limits.header,
            zip: limits.zip,
            uploads: limits.uploads,
            uploads_total: limits.uploads_total,
            trusted_proxies: limits.trusted_proxies.clone(),
            ..HttpLimits::default()
        };
        let listening = || format!("http://{address}").parse();
        let public_url = self.public_url.clone().map_or_else(listening, Ok);
        let tree = match (self.public_url.clone(), mirror) {
            (Some(url), _) => self.tree_settings_at(Some(url)),
            // Who keeps the tree knows where it is served; who does not asks the tree.
            (None, true) => match self.listening_url() {
                Some(url) => self.tree_settings_at(Some(url)),
                None => self.tree_settings(tree),
            },
            (None, false) => self.tree_settings_at(None),
        };
        Ok(Settings {
            http,
            package: self.package_limits(),
            creation: self.namespaces.creation,
            tree,
            public_url: public_url.map_err(|why| format!("listen: {why}"))?,
            session_lifetime: Duration::from_secs(self.sessions.days * 24 * 60 * 60),
            writes_per_minute: limits.writes_per_minute,
            wait_timeout: self.wait_timeout(),
            ticks: self.ticks(),
            search_retention: self.search_retention(),
            reads_memory: self.reads.memory,
            mirror,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shown_defaults_are_the_defaults() {
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
    fn errors_name_the_key() {
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
