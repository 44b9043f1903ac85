//! `skillmirror journal redact`: removes the text of a row for good.

use std::process::ExitCode;

use registry::maintenance::{RedactionPlan, RedactionSummary, RedactionTarget, check_reason, redact};

use crate::Failure;
use crate::arguments::confirmation::Confirmation;
use crate::arguments::skill_argument::SkillVersion;
use crate::config::Config;
use crate::output::Printer;
use crate::storage::open_registry::open_existing;
use crate::storage::stores::{open_storage, require_folder};

/// Runs the command.
pub fn run(
    config: &Config,
    target: &str,
    reason: &str,
    confirmation: &Confirmation,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    let target = parse(target).ok_or_else(|| {
        format!("`{target}` is neither the number of a row nor a version such as @team/hello@1.0.0")
    })?;
    check_reason(reason)
        .map_err(|why| format!("the reason in --reason, which everybody can read, is refused: {why}"))?;
    require_folder(
        config,
        "copy it into a folder with `skillmirror journal copy`, redact it there, and copy it into an empty database or \
         bucket",
    )?;
    let storage = open_storage(config)?;
    let plan = RedactionPlan::of(&*storage.journal, &target)?;
    drop(storage);
    let what = format!("remove {} (row {}) for good", plan.what, plan.revision);
    confirmation.ask(&what, "Nobody can undo this, except with a backup that has the text.")?;
    let redacted = redact(&config.data, &plan, reason)?;
    let RedactionSummary { epoch, revision, older } = &redacted;
    // Opening the registry makes the local store follow the new epoch.
    open_existing(config)?;
    let mut text = format!("removed the text of row {}; its digest stays in the log\n", plan.revision);
    text += &format!(
        "the history has the new epoch {epoch} and goes on at revision {revision}. Mirrors with --vkey follow it when it \
         is signed; start others once with --accept-new-history\n\
         the tree still has the text: it is regenerated at the next start of the server, or by `skillmirror generate`\n\
         backups and snapshots that were made before still have it, too\n"
    );
    for copy in &plan.copies {
        text += &format!("{copy} has the same content, and stays\n");
    }
    for folder in older {
        text +=
            &format!("{} is from an earlier restore and may have the text: remove it\n", folder.display());
    }
    printer.report(text, &redacted)?;
    Ok(ExitCode::SUCCESS)
}

fn parse(target: &str) -> Option<RedactionTarget> {
    if let Ok(revision) = target.parse() {
        return Some(RedactionTarget::Row(revision));
    }
    let SkillVersion { skill, version } = target.parse().ok()?;
    Some(RedactionTarget::Version(skill, version))
}
