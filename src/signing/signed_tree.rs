//! A tree that was signed stays signed: clients and mirrors that trust its key refuse it otherwise.

use clap::Args;
use generator::settings::{RegistryKey, TreeSettings};

use crate::Failure;
use crate::config::Config;

/// The option of commands that write the tree of a registry.
#[derive(Debug, Clone, Copy, Args)]
pub struct Unsigned {
    /// Write the tree even if none of the keys that have signed it is here. Clients and mirrors that trust them
    /// refuse it then
    #[arg(long)]
    pub unsigned: bool,
}

/// Refuses if keys sign the tree that has these settings, and this registry knows none of them. `place` names the
/// tree.
pub fn require_signer(
    config: &Config,
    settings: Option<&TreeSettings>,
    place: &str,
    unsigned: Unsigned,
) -> Result<(), Failure> {
    let signing: Vec<_> =
        settings.iter().flat_map(|shown| &shown.keys).filter(|key| key.retired.is_none()).collect();
    let is_known = |key: &&RegistryKey| config.keys.published().any(|known| known.key == key.key);
    let (Some(first), false) = (signing.first(), unsigned.unsigned || signing.iter().any(is_known)) else {
        return Ok(());
    };
    let folder = std::path::absolute(config.keys.folder())?;
    let has = if config.keys.published().next().is_none() { "has no key" } else { "has another key" };
    Err(format!(
        "{place} is signed with {}, but {} {has}: name the folder with its key in signing.keys (or the key of \
         signing.command in signing.verifiers). Without that key, clients and mirrors that trust it refuse the tree: \
         --unsigned writes it all the same",
        first.key.short(),
        folder.display()
    )
    .into())
}
