//! The sections of `config.toml` and their defaults.

use std::num::NonZeroU32;

use generator::settings::TreeSettings;
use registry::access::Creation;
use registry::package::Limits;
use serde::Deserialize;
use server::client_address::TrustedProxies;
use server::limits::HttpLimits;

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct MirrorSection {
    pub(super) wait_timeout: u64,
    pub(super) list_depth: u64,
    pub(super) gzip: bool,
    pub(super) feed_interval: u64,
    pub(super) counter_interval: u64,
    pub(super) counter_batch: usize,
}

impl Default for MirrorSection {
    fn default() -> Self {
        let TreeSettings { list_depth, gzip, .. } = TreeSettings::default();
        Self { wait_timeout: 5, list_depth, gzip, feed_interval: 5, counter_interval: 5, counter_batch: 50 }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SearchSection {
    pub(super) precompute: u64,
    pub(super) keep: u64,
    pub(super) keep_bytes: u64,
}

impl Default for SearchSection {
    fn default() -> Self {
        // A week, and 4 GiB: about what a minute of continuous changes leaves in a large registry.
        Self { precompute: TreeSettings::default().precompute, keep: 604_800, keep_bytes: 4 << 30 }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ReadsSection {
    pub(super) memory: u64,
}

impl Default for ReadsSection {
    fn default() -> Self {
        Self { memory: 64 << 20 }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct NamespacesSection {
    pub(super) creation: Creation,
}

impl Default for NamespacesSection {
    fn default() -> Self {
        Self { creation: Creation::Open }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SessionsSection {
    pub(super) days: u64,
}

impl Default for SessionsSection {
    fn default() -> Self {
        Self { days: 14 }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LimitsSection {
    pub(super) zip: usize,
    pub(super) unpacked: u64,
    pub(super) file: u64,
    pub(super) files: usize,
    pub(super) ratio: u64,
    pub(super) json: usize,
    pub(super) header: usize,
    pub(super) uploads: usize,
    pub(super) uploads_total: usize,
    pub(super) connections: usize,
    pub(super) writes_per_minute: NonZeroU32,
    pub(super) trusted_proxies: TrustedProxies,
    pub(super) header_timeout: u64,
    pub(super) body_timeout: u64,
    pub(super) write_timeout: u64,
    pub(super) shutdown_timeout: u64,
}

impl Default for LimitsSection {
    fn default() -> Self {
        let (http, package) = (HttpLimits::default(), Limits::default());
        Self {
            zip: http.zip,
            unpacked: package.unpacked,
            file: package.file,
            files: package.files,
            ratio: package.ratio,
            json: http.json,
            header: http.header_bytes,
            uploads: http.uploads,
            uploads_total: http.uploads_total,
            connections: http.connections,
            writes_per_minute: NonZeroU32::new(6000).unwrap_or(NonZeroU32::MAX),
            trusted_proxies: http.trusted_proxies,
            header_timeout: http.header_timeout.as_secs(),
            body_timeout: http.body_timeout.as_secs(),
            write_timeout: http.write_timeout.as_secs(),
            shutdown_timeout: http.shutdown_timeout.as_secs(),
        }
    }
}
