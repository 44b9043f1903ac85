//! The sections of `config.toml`. Each setting has its type, its range and its default.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use generator::marketplace_name::MarketplaceName;
use generator::pages::{Accent, SiteLink, SiteName};
use generator::settings::{NamespaceRepositories, RequiredCredential, TreeSettings};
use registry::access::NamespaceCreation;
use registry::journal::Revision;
use registry::names::Namespace;
use registry::package::Limits;
use registry::quotas::Quotas;
use registry::transparency_log::VerifierKey;
use serde::Deserialize;
use server::request::client_address::TrustedProxies;
use server::request::http_limits::{HttpLimits, MIN_HEADER_BYTES};
use server::tree_updates::CounterTicks;

use super::bytes::bytes;
use super::listen;
use super::number::{number, positive, seconds};
use super::path::{command, path};
use super::witness_address::WitnessAddress;
use crate::engines::{KeyStyle, TargetUrl};
use crate::process::log::LogFormat;

/// The maximum of settings in seconds. Larger numbers could overflow the clock, and no longer
/// wait makes sense.
const DAY: u64 = 24 * 60 * 60;

/// The maximum of `search.keep`.
const YEAR: u64 = 365 * DAY;

/// The maximum of `sessions.days`: the longest time that browsers keep a cookie (RFC 6265bis,
/// section 5.5).
const MAX_SESSION_DAYS: u64 = 400;

/// The maximum of `limits.connections`, more than a process can have open files.
const MAX_CONNECTIONS: u64 = 1 << 20;

/// The maximum of `limits.header`, because each connection may use as much memory.
const MAX_HEADER_BYTES: u64 = 1 << 20;

/// The maximum of `git.namespace_bytes`: making a pack takes twice its size in memory.
const MAX_REPOSITORY_BYTES: u64 = 64 << 20;

/// Defines a section: its settings with their types, ranges and defaults.
macro_rules! section {
    ($name:ident { $($(#[$range:meta])* $setting:ident: $kind:ty = $default:expr,)* }) => {
        #[derive(Debug, Clone, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[$range])* pub $setting: $kind,)*
        }

        impl $name {
            /// The names of its settings.
            pub const SETTINGS: &[&str] = &[$(stringify!($setting),)*];
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($setting: $default,)* }
            }
        }
    };
}

section! {
    MirrorSection {
        #[serde(deserialize_with = "seconds::<_, 0, DAY>")]
        wait_timeout: Duration = Duration::from_secs(5),
        #[serde(deserialize_with = "seconds::<_, 0, DAY>")]
        lists_interval: Duration = Duration::from_secs(1),
        list_depth: u64 = TreeSettings::default().list_depth,
        gzip: bool = TreeSettings::default().gzip,
        git: bool = TreeSettings::default().git,
        #[serde(deserialize_with = "seconds::<_, 1, DAY>")]
        feed_interval: Duration = Duration::from_secs(5),
        #[serde(deserialize_with = "bytes::<_, _, 1, { u64::MAX }>")]
        feed_max_package: u64 = 256 << 20,
        #[serde(deserialize_with = "bytes::<_, _, 1, { u64::MAX }>")]
        feed_max_total: u64 = 64 << 30,
        #[serde(deserialize_with = "positive")]
        feed_max_rows: u64 = 1_000_000,
        feed_max_files: u64 = 0,
        feed_keys: Vec<VerifierKey> = Vec::new(),
        feed_namespaces: Vec<Namespace> = Vec::new(),
        feed_since: Revision = 0,
        #[serde(deserialize_with = "seconds::<_, 0, YEAR>")]
        feed_min_age: Duration = Duration::ZERO,
        #[serde(deserialize_with = "path")]
        feed_deny: Option<PathBuf> = None,
        #[serde(deserialize_with = "path")]
        feed_token_file: Option<PathBuf> = None,
        #[serde(deserialize_with = "seconds::<_, 0, DAY>")]
        counter_interval: Duration = Duration::from_secs(5),
        counter_batch: usize = 1000,
        target: Option<TargetUrl> = None,
        target_endpoint: Option<String> = None,
        target_region: Option<String> = None,
        target_keys: KeyStyle = KeyStyle::default(),
        #[serde(deserialize_with = "seconds::<_, 0, DAY>")]
        target_interval: Duration = Duration::from_secs(1),
    }
}

impl MirrorSection {
    /// When counters are published.
    pub fn ticks(&self) -> CounterTicks {
        // With 0, counters would never be published.
        CounterTicks { interval: self.counter_interval, batch: self.counter_batch.max(1) }
    }
}

section! {
    GitSection {
        namespace_skills: u64 = NamespaceRepositories::default().skills,
        #[serde(deserialize_with = "bytes::<_, _, 0, { MAX_REPOSITORY_BYTES }>")]
        namespace_bytes: u64 = NamespaceRepositories::default().bytes,
    }
}

impl GitSection {
    /// The largest namespaces that are one repository.
    pub fn namespaces(&self) -> NamespaceRepositories {
        NamespaceRepositories { skills: self.namespace_skills, bytes: self.namespace_bytes }
    }
}

section! {
    PurgeSection {
        #[serde(deserialize_with = "command")]
        command: Vec<String> = Vec::new(),
        #[serde(deserialize_with = "seconds::<_, 0, DAY>")]
        interval: Duration = Duration::from_secs(2),
    }
}

section! {
    SearchSection {
        precompute: u64 = TreeSettings::default().precompute,
        #[serde(deserialize_with = "seconds::<_, 0, YEAR>")]
        keep: Duration = Duration::from_secs(60 * 60),
        // About what a minute of continuous changes leaves in a large registry.
        #[serde(deserialize_with = "bytes::<_, _, 0, { u64::MAX }>")]
        keep_bytes: u64 = 4 << 30,
    }
}

section! {
    ReadsSection {
        #[serde(deserialize_with = "bytes::<_, _, 0, { u64::MAX }>")]
        memory: u64 = 64 << 20,
        require: RequiredCredential = RequiredCredential::None,
        key_in_path: bool = false,
    }
}

section! {
    LogSection {
        format: LogFormat = LogFormat::default(),
        #[serde(deserialize_with = "path")]
        access: Option<PathBuf> = None,
    }
}

section! {
    MetricsSection {
        #[serde(deserialize_with = "listen::deserialize_some")]
        listen: Option<SocketAddr> = None,
    }
}

section! {
    SiteSection {
        name: SiteName = SiteName::default(),
        marketplace: Option<MarketplaceName> = None,
        accent: Option<Accent<false>> = None,
        accent_dark: Option<Accent<true>> = None,
        #[serde(deserialize_with = "path")]
        logo: Option<PathBuf> = None,
        links: Vec<SiteLink> = Vec::new(),
        #[serde(deserialize_with = "path")]
        about: Option<PathBuf> = None,
        #[serde(deserialize_with = "path")]
        publishing: Option<PathBuf> = None,
        #[serde(deserialize_with = "path")]
        templates: Option<PathBuf> = None,
    }
}

section! {
    NamespacesSection {
        creation: NamespaceCreation = NamespaceCreation::default(),
    }
}

section! {
    SessionsSection {
        #[serde(deserialize_with = "number::<_, _, 1, MAX_SESSION_DAYS>")]
        days: u64 = 14,
        #[serde(deserialize_with = "number::<_, _, 1, MAX_SESSION_DAYS>")]
        client_days: u64 = 90,
    }
}

section! {
    SigningSection {
        #[serde(deserialize_with = "path")]
        keys: PathBuf = "keys".into(),
        verifiers: Vec<VerifierKey> = Vec::new(),
        #[serde(deserialize_with = "command")]
        command: Vec<String> = Vec::new(),
        #[serde(deserialize_with = "seconds::<_, 1, DAY>")]
        command_timeout: Duration = Duration::from_secs(10),
        witnesses: Vec<WitnessAddress> = Vec::new(),
    }
}

impl SigningSection {
    /// The folder of the keys. A relative one is beside the data folder, wherever the command is run.
    pub fn keys_folder(&self, data: &Path) -> PathBuf {
        // `.` and `..` are no names that another one could replace.
        let named = data.file_name().is_none().then(|| data.canonicalize().ok()).flatten();
        let folder = named.as_deref().unwrap_or(data).with_file_name(&self.keys);
        // Messages show it as people here would type it.
        let here = std::env::current_dir().unwrap_or_default();
        let shorter = folder.strip_prefix(here).ok().filter(|path| !path.as_os_str().is_empty());
        shorter.unwrap_or(&folder).to_owned()
    }
}

section! {
    LimitsSection {
        #[serde(deserialize_with = "bytes::<_, _, 1, { u64::MAX }>")]
        zip: usize = HttpLimits::default().zip,
        #[serde(deserialize_with = "bytes::<_, _, 1, { u64::MAX }>")]
        unpacked: u64 = Limits::default().unpacked,
        #[serde(deserialize_with = "bytes::<_, _, 1, { u64::MAX }>")]
        file: u64 = Limits::default().file,
        #[serde(deserialize_with = "positive")]
        files: usize = Limits::default().files,
        #[serde(deserialize_with = "positive")]
        ratio: u64 = Limits::default().ratio,
        #[serde(deserialize_with = "bytes::<_, _, 1, { u64::MAX }>")]
        json: usize = HttpLimits::default().json,
        #[serde(deserialize_with = "bytes::<_, _, { MIN_HEADER_BYTES as u64 }, MAX_HEADER_BYTES>")]
        header: usize = HttpLimits::default().header_bytes,
        #[serde(deserialize_with = "positive")]
        uploads: usize = HttpLimits::default().uploads,
        #[serde(deserialize_with = "bytes::<_, _, 0, { u64::MAX }>")]
        uploads_total: usize = HttpLimits::default().uploads_total,
        #[serde(deserialize_with = "positive")]
        uploads_per_person: usize = HttpLimits::default().uploads_per_person,
        #[serde(deserialize_with = "number::<_, _, 1, MAX_CONNECTIONS>")]
        connections: usize = HttpLimits::default().connections,
        #[serde(deserialize_with = "number::<_, _, 1, MAX_CONNECTIONS>")]
        connections_per_client: usize = HttpLimits::default().connections_per_client,
        writes_per_minute: NonZeroU32 = NonZeroU32::new(6000).unwrap_or(NonZeroU32::MAX),
        #[serde(deserialize_with = "positive")]
        pending_per_person: usize = Quotas::default().pending,
        #[serde(deserialize_with = "bytes::<_, _, 1, { u64::MAX }>")]
        pending_bytes_per_person: u64 = Quotas::default().pending_bytes,
        #[serde(deserialize_with = "positive")]
        tokens_per_person: usize = Quotas::default().tokens,
        #[serde(deserialize_with = "positive")]
        skills_per_person: usize = Quotas::default().skills,
        #[serde(deserialize_with = "positive")]
        versions_per_skill: usize = Quotas::default().versions,
        #[serde(deserialize_with = "positive")]
        namespaces_per_person: usize = Quotas::default().namespaces,
        trusted_proxies: TrustedProxies = HttpLimits::default().trusted_proxies,
        #[serde(deserialize_with = "seconds::<_, 1, DAY>")]
        header_timeout: Duration = HttpLimits::default().header_timeout,
        #[serde(deserialize_with = "seconds::<_, 1, DAY>")]
        body_timeout: Duration = HttpLimits::default().body_timeout,
        #[serde(deserialize_with = "seconds::<_, 1, DAY>")]
        write_timeout: Duration = HttpLimits::default().write_timeout,
        #[serde(deserialize_with = "seconds::<_, 0, DAY>")]
        shutdown_timeout: Duration = HttpLimits::default().shutdown_timeout,
    }
}

impl LimitsSection {
    /// What one person may use.
    pub fn quotas(&self) -> Quotas {
        Quotas {
            pending: self.pending_per_person,
            pending_bytes: self.pending_bytes_per_person,
            tokens: self.tokens_per_person,
            skills: self.skills_per_person,
            versions: self.versions_per_skill,
            namespaces: self.namespaces_per_person,
        }
    }
}
