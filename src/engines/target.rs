//! The bucket that follows the output folder.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bucket::store::Agents;
use bucket::upload::{ShownTree, check_claim, upload};
use bucket::{BucketSource, Claim, KeyStyle, Target, TargetSettings, TargetUrl, UploadError};
use client::http::Connections;
use generator::follower::FeedSource;
use generator::tree::{Claimant, Tree, TreeTarget};
use registry::{Registry, with_causes};
use server::tree_updates::claimant;

use super::database::turns;
use crate::Failure;
use crate::config::Config;
use crate::output::{print_error, print_note};
use crate::signing::older_data::refuse_older_than_bucket;
use crate::signing::signed_tree::{Unsigned, require_signer};
use crate::tree::output_tree::{TakeOver, keeper};
use crate::tree::purger::Purger;

/// Connections that are kept for the next requests.
const MAX_IDLE_CONNECTIONS: usize = 32;

/// Time limits for a connection, the start of an answer, and a body.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
const BODY_TIMEOUT: Duration = Duration::from_secs(600);

/// The bucket of the settings. None if they name none.
pub(super) fn target(config: &Config) -> Result<Option<Target>, Failure> {
    let mirror = &config.mirror;
    let Some(url) = &mirror.target else { return Ok(None) };
    let settings = TargetSettings {
        url: url.clone(),
        endpoint: mirror.target_endpoint.clone(),
        region: mirror.target_region.clone(),
        keys: mirror.target_keys,
        interval: mirror.target_interval,
    };
    let target = connect(&settings, "mirror.target")?;
    Ok(Some(match config.storage.database()? {
        Some(address) => target.with_turns(turns(address)?),
        None => target,
    }))
}

/// The bucket for packages at this address, in the store of the settings.
pub(super) fn packages_target(config: &Config, url: &TargetUrl) -> Result<Target, Failure> {
    let (endpoint, region) = (config.storage.endpoint.clone(), config.storage.region.clone());
    connect(&TargetSettings { endpoint, region, ..of_environment(url) }, "storage.packages")
}

/// A store about which the environment says everything but its address.
fn of_environment(url: &TargetUrl) -> TargetSettings {
    let (keys, interval) = (KeyStyle::Files, Duration::ZERO);
    TargetSettings { url: url.clone(), endpoint: None, region: None, keys, interval }
}

fn connect(settings: &TargetSettings, setting: &str) -> Result<Target, Failure> {
    let connected = bucket::store::connect(settings, agents()?);
    Ok(connected.map_err(|why| format!("{setting}: {}: {}", settings.url, with_causes(&why)))?)
}

/// The tree in a bucket, as the source of a mirror. Everything but its address comes from the
/// environment.
pub fn bucket_source(url: &TargetUrl) -> Result<Arc<dyn FeedSource>, String> {
    let target = connect(&of_environment(url), "--feed").map_err(|why| why.to_string())?;
    Ok(Arc::new(BucketSource::of(target).map_err(|why| why.to_string())?))
}

/// The agents for requests to stores, by the environment.
///
/// Errors: the root certificates cannot be read.
fn agents() -> Result<Agents, String> {
    let connections = Connections::of_environment(|config| {
        config
            .max_idle_connections(MAX_IDLE_CONNECTIONS)
            .max_idle_connections_per_host(MAX_IDLE_CONNECTIONS)
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_recv_response(Some(ANSWER_TIMEOUT))
            .timeout_send_body(Some(BODY_TIMEOUT))
            .timeout_recv_body(Some(BODY_TIMEOUT))
    });
    connections.check_root_certs().map_err(|why| why.to_string())?;
    Ok(Agents::new(move |uri| connections.agent(&uri.to_string()).cloned().map_err(|why| why.to_string())))
}

/// The bucket that follows the tree of a registry. After an object is put, `purger` is told.
///
/// Errors: see [`check_bucket`].
pub fn registry_target(
    config: &Config,
    registry: &Registry,
    take_over: TakeOver,
    unsigned: Unsigned,
    purger: Option<&Purger>,
) -> Result<Option<Arc<dyn TreeTarget>>, Failure> {
    let Some(target) = target(config)? else { return Ok(None) };
    check_own_target(config, &target, registry, take_over, unsigned)?;
    Ok(Some(told(target, purger)))
}

/// Like [`registry_target`], for the tree of a mirror.
pub fn mirror_target(
    config: &Config,
    tree: &Tree,
    take_over: TakeOver,
    purger: Option<&Purger>,
) -> Result<Option<Arc<dyn TreeTarget>>, Failure> {
    let Some(target) = target(config)? else { return Ok(None) };
    check_target(&target, tree, Claimant::Mirror, take_over)?;
    Ok(Some(told(target, purger)))
}

fn told(target: Target, purger: Option<&Purger>) -> Arc<dyn TreeTarget> {
    Arc::new(match purger.cloned() {
        Some(purger) => target.with_on_change(Arc::new(move |document| purger.add(document))),
        None => target,
    })
}

/// Refuses the bucket of the settings if it is somebody else's, if its store cannot be trusted, if its tree is ahead
/// of the journal, or if it was signed with a key that is not here. One that does not answer is tried again later.
pub fn check_bucket(
    config: &Config,
    registry: &Registry,
    take_over: TakeOver,
    unsigned: Unsigned,
) -> Result<(), Failure> {
    match target(config)? {
        Some(target) => check_own_target(config, &target, registry, take_over, unsigned),
        None => Ok(()),
    }
}

fn check_own_target(
    config: &Config,
    target: &Target,
    registry: &Registry,
    take_over: TakeOver,
    unsigned: Unsigned,
) -> Result<(), Failure> {
    let shown = check_target(target, &Tree::at(&config.public), claimant(registry), take_over)?;
    refuse_older_than_bucket(config, registry, target.name(), shown.head.as_ref())?;
    require_signer(config, shown.settings.as_ref(), &format!("the bucket {}", target.name()), unsigned)
}

/// Returns the tree that the bucket shows.
fn check_target(
    target: &Target,
    tree: &Tree,
    claimant: Claimant,
    take_over: TakeOver,
) -> Result<ShownTree, Failure> {
    let claim = Claim { claimant, replaces: take_over.replace_tree };
    match check_claim(target, tree, &claim) {
        Err(why) if why.is_refusal() => Err(why.to_string().into()),
        Err(UploadError::Incomplete) => Ok(ShownTree::default()),
        Ok(shown) => Ok(shown),
        Err(why) => {
            let why = with_causes(&why);
            print_error(format_args!("warning: the bucket {} cannot be used yet: {why}", target.name()));
            Ok(ShownTree::default())
        }
    }
}

/// Brings the bucket of the settings up to date with the tree in `folder`, after a command has
/// generated that.
pub fn upload_tree(
    config: &Config,
    folder: &Path,
    claimant: Claimant,
    take_over: TakeOver,
) -> Result<(), Failure> {
    let Some(target) = target(config)?.filter(|_| folder == config.public) else { return Ok(()) };
    let (name, claim) = (target.name().to_owned(), Claim { claimant, replaces: take_over.replace_tree });
    let failed = |why: UploadError| match why {
        why if why.is_refusal() => why.to_string(),
        why => format!("the bucket {name} is behind the tree: {}. Run the command again", with_causes(&why)),
    };
    let tree = Tree::at(folder);
    // Nobody changes the tree meanwhile, and no other process of this folder writes the bucket.
    let _locked = tree.lock()?.ok_or_else(|| {
        let keeper = keeper(&tree);
        format!("{keeper} keeps the tree now, so this command has not written the bucket {name}. Run it again if that process does not")
    })?;
    let done = upload(target, &tree, claim).map_err(failed)?;
    let (written, deleted, left) = (done.written, done.deleted, done.left);
    let left = if left == 0 { String::new() } else { format!("; {left} that no registry has put stay") };
    print_note(format_args!("{name} is up to date: wrote {written} objects, deleted {deleted}{left}"));
    Ok(())
}
