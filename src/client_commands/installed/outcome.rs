//! The outcome of an installation, for people and for programs.

use client::SkillReference;
use client::install::{Change, InstallError, Outcome};
use client::registry_choice::RegistryChoice;
use serde_json::{Value, json};

use super::{lossy, unremovable_note};

/// Adds the setting that named the registry to an error, if that may help.
pub fn explain(chosen: &RegistryChoice, why: InstallError) -> InstallError {
    match why {
        InstallError::Source(why) => chosen.explain(why).into(),
        why => why,
    }
}

/// What was done, for people.
pub fn sentence(outcome: &Outcome) -> String {
    let installed = &outcome.installed;
    let skill = format!("{} {}", SkillReference::argument(&installed.coordinate), installed.version);
    let path = outcome.path.display();
    let done = match &outcome.change {
        Change::Installed => format!("installed {skill} in {path}"),
        Change::Replaced(old) if *old == installed.version => format!("reinstalled {skill} in {path}"),
        Change::Replaced(old) => format!("installed {skill} in {path} (replaced {old})"),
        Change::AlreadyThere => format!("{skill} is already installed in {path}"),
    };
    let signed =
        installed.log.as_ref().map(|log| format!(", as {} has signed it", log.name)).unwrap_or_default();
    done + &signed + &unremovable_note(&outcome.unremovable)
}

/// The record of an installation, for programs.
pub fn record(outcome: &Outcome) -> Value {
    let installed = &outcome.installed;
    let (status, replaced) = match &outcome.change {
        Change::Installed => ("installed", None),
        Change::Replaced(old) => ("replaced", Some(old)),
        Change::AlreadyThere => ("already_there", None),
    };
    json!({
        "coordinate": installed.coordinate.scoped(),
        "version": installed.version,
        "status": status,
        "replaced": replaced,
        "path": outcome.path.to_string_lossy(),
        "sha256": installed.sha256,
        "contentDigest": installed.content_digest,
        "registry": installed.registry,
        "log": installed.log,
        "requested": installed.requested,
        "advisories": outcome.advisories,
        "left": lossy(&outcome.unremovable),
    })
}
