//! The sections of `config.toml`, with their defaults and ranges.

use std::num::NonZeroU32;
use std::time::Duration;

use generator::settings::TreeSettings;
use registry::access::NamespaceCreation;
use registry::package::Limits;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};
use server::request::client_address::TrustedProxies;
use server::request::limits::{HttpLimits, MIN_HEADER_BYTES};

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

/// Reads a number from `MIN` to `MAX`.
fn number<'de, D, T, const MIN: u64, const MAX: u64>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let number = u64::deserialize(from)?;
    let in_range = T::try_from(number).ok().filter(|_| (MIN..=MAX).contains(&number));
    in_range.ok_or_else(|| {
        let range = match MAX {
            u64::MAX => format!("at least {MIN}"),
            _ => format!("a number from {MIN} to {MAX}"),
        };
        D::Error::invalid_value(Unexpected::Unsigned(number), &range.as_str())
    })
}

/// Reads a number of at least 1.
fn positive<'de, D: Deserializer<'de>, T: TryFrom<u64>>(from: D) -> Result<T, D::Error> {
    number::<D, T, 1, { u64::MAX }>(from)
}

/// Reads `MIN` to `MAX` seconds.
fn seconds<'de, D, const MIN: u64, const MAX: u64>(from: D) -> Result<Duration, D::Error>
where
    D: Deserializer<'de>,
{
    number::<D, u64, MIN, MAX>(from).map(Duration::from_secs)
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MirrorSection {
    #[serde(deserialize_with = "seconds::<_, 0, DAY>")]
    pub wait_timeout: Duration,
    pub list_depth: u64,
    pub gzip: bool,
    #[serde(deserialize_with = "seconds::<_, 1, DAY>")]
    pub feed_interval: Duration,
    #[serde(deserialize_with = "seconds::<_, 0, DAY>")]
    pub counter_interval: Duration,
    pub counter_batch: usize,
}

impl Default for MirrorSection {
    fn default() -> Self {
        let TreeSettings { list_depth, gzip, .. } = TreeSettings::default();
        let [wait_timeout, feed_interval, counter_interval] = [Duration::from_secs(5); 3];
        Self { wait_timeout, list_depth, gzip, feed_interval, counter_interval, counter_batch: 50 }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSection {
    pub precompute: u64,
    #[serde(deserialize_with = "seconds::<_, 0, YEAR>")]
    pub keep: Duration,
    pub keep_bytes: u64,
}

impl Default for SearchSection {
    fn default() -> Self {
        // A week, and 4 GiB: about what a minute of continuous changes leaves in a large registry.
        Self {
            precompute: TreeSettings::default().precompute,
            keep: Duration::from_secs(7 * DAY),
            keep_bytes: 4 << 30,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadsSection {
    pub memory: u64,
}

impl Default for ReadsSection {
    fn default() -> Self {
        Self { memory: 64 << 20 }
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NamespacesSection {
    pub creation: NamespaceCreation,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionsSection {
    #[serde(deserialize_with = "number::<_, _, 1, MAX_SESSION_DAYS>")]
    pub days: u64,
}

impl Default for SessionsSection {
    fn default() -> Self {
        Self { days: 14 }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsSection {
    #[serde(deserialize_with = "positive")]
    pub zip: usize,
    #[serde(deserialize_with = "positive")]
    pub unpacked: u64,
    #[serde(deserialize_with = "positive")]
    pub file: u64,
    #[serde(deserialize_with = "positive")]
    pub files: usize,
    #[serde(deserialize_with = "positive")]
    pub ratio: u64,
    #[serde(deserialize_with = "positive")]
    pub json: usize,
    #[serde(deserialize_with = "number::<_, _, { MIN_HEADER_BYTES as u64 }, MAX_HEADER_BYTES>")]
    pub header: usize,
    #[serde(deserialize_with = "positive")]
    pub uploads: usize,
    pub uploads_total: usize,
    #[serde(deserialize_with = "number::<_, _, 1, MAX_CONNECTIONS>")]
    pub connections: usize,
    pub writes_per_minute: NonZeroU32,
    pub trusted_proxies: TrustedProxies,
    #[serde(deserialize_with = "seconds::<_, 1, DAY>")]
    pub header_timeout: Duration,
    #[serde(deserialize_with = "seconds::<_, 1, DAY>")]
    pub body_timeout: Duration,
    #[serde(deserialize_with = "seconds::<_, 1, DAY>")]
    pub write_timeout: Duration,
    #[serde(deserialize_with = "seconds::<_, 0, DAY>")]
    pub shutdown_timeout: Duration,
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
            header_timeout: http.header_timeout,
            body_timeout: http.body_timeout,
            write_timeout: http.write_timeout,
            shutdown_timeout: http.shutdown_timeout,
        }
    }
}
