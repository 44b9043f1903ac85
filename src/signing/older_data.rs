//! Refuses data that is older than its tree or its bucket, such as an old copy of the data
//! folder. Its next numbers would mean two things, and a key would sign two histories.

use generator::KnownLog;
use generator::tree::Tree;
use registry::Registry;
#[cfg(feature = "engines")]
use registry::api::public::Head;

use crate::Failure;
use crate::config::Config;

/// Refuses a journal that lacks rows which the output folder shows.
pub fn refuse_older_than_tree(config: &Config, registry: &Registry, tree: &Tree) -> Result<(), Failure> {
    refuse_older(config, registry, tree.known_logs())
}

/// Refuses a journal that lacks rows which a bucket shows.
#[cfg(feature = "engines")]
pub fn refuse_older_than_bucket(
    config: &Config,
    registry: &Registry,
    name: &str,
    head: Option<&Head>,
) -> Result<(), Failure> {
    let head = head.map(|head| KnownLog::of_head(format!("the bucket {name}"), head));
    refuse_older(config, registry, head)
}

/// Read `known` before you call this: other processes may append rows and show them meanwhile.
fn refuse_older(
    config: &Config,
    registry: &Registry,
    known: impl IntoIterator<Item = KnownLog>,
) -> Result<(), Failure> {
    let known: Vec<_> = known.into_iter().collect();
    registry.catch_up()?;
    let public = registry.public();
    let catalog = public.read();
    let Some(KnownLog { place, size, .. }) = known.iter().find(|known| !known.fits(&catalog)) else {
        return Ok(());
    };
    let (journal, own) = (config.journal_name()?, catalog.log().size());
    let how = match own < *size {
        true => format!("has {own} public rows, but {place} has {size} of the same history"),
        false => format!("has other public rows than {place} of the same history"),
    };
    Err(format!(
        "the journal in {journal} {how}, so it is an older copy, and its next numbers are used already: put the newer \
         data back. If they are lost, begin a new history with this copy: `skillmirror journal backup copy.zip`, then \
         `skillmirror journal restore copy.zip`"
    )
    .into())
}
