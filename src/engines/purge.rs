//! What tells a CDN in front of the tree or the bucket which documents have changed.

use bucket::Purger;
use bucket::purge::{PurgeService, PurgeSettings};
use serde::Deserialize;

use super::target::agents;
use crate::Failure;
use crate::config::Config;

/// The services by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PurgeKind {
    /// Cloudflare.
    Cloudflare,
    /// Fastly.
    Fastly,
    /// CloudFront.
    Cloudfront,
    /// A command.
    Command,
}

/// What the settings say. None if they name no service.
fn settings(config: &Config) -> Result<Option<PurgeSettings>, String> {
    let purge = &config.purge;
    let Some(kind) = purge.service else { return Ok(None) };
    let is_plain =
        |id: &&String| id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) && !id.is_empty();
    let id = |what: &str| {
        let id = purge.id.as_ref().filter(is_plain).cloned();
        id.ok_or_else(|| format!("purge.id: name the id of the {what}, of letters and digits"))
    };
    let token = |variable: &str| {
        let token = std::env::var(variable).ok().filter(|token| !token.trim().is_empty());
        let token = token.map(|token| token.trim().to_owned());
        token.ok_or_else(|| {
            format!("purge.service: put a token into the variable {variable} of the environment")
        })
    };
    let service = match kind {
        PurgeKind::Cloudflare => {
            PurgeService::Cloudflare { zone: id("zone")?, token: token("CLOUDFLARE_API_TOKEN")? }
        }
        PurgeKind::Fastly => {
            PurgeService::Fastly { service: id("service")?, token: token("FASTLY_API_TOKEN")? }
        }
        PurgeKind::Cloudfront => PurgeService::CloudFront { distribution: id("distribution")? },
        PurgeKind::Command if purge.command.first().is_some_and(|program| !program.is_empty()) => {
            PurgeService::Command(purge.command.clone())
        }
        PurgeKind::Command => return Err("purge.command: name a program".to_owned()),
    };
    let public_url = config.public_url.clone();
    let public_url =
        public_url.ok_or("purge.service: set public_url, because a CDN is told the URLs of its readers")?;
    let endpoint = purge.endpoint.as_ref().map(|endpoint| endpoint.trim_end_matches('/').to_owned());
    Ok(Some(PurgeSettings { service, endpoint, by: purge.by, public_url, interval: purge.interval }))
}

/// Starts what tells the CDN of the settings. None if they name none.
pub(super) fn start_purger(config: &Config) -> Result<Option<Purger>, Failure> {
    let Some(settings) = settings(config)? else { return Ok(None) };
    Ok(Some(Purger::start(settings, agents()?)?))
}
