//! `skillmirror journal backup`: a file for the registry, and one for each private namespace.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use registry::Registry;
use registry::journal::Storage;
use registry::maintenance::{self, BackupSummary};
use registry::names::Namespace;
use registry::with_causes;
use serde::Serialize;

use crate::Failure;
use crate::config::Config;
use crate::config::folder_overlap::keep_private;
use crate::output::{Printer, print_note};
use crate::process::interrupt::explain_interrupt;
use crate::storage::stores::{is_registry_there, open_local_undamaged, open_storage};

/// What was written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    #[serde(flatten)]
    summary: BackupSummary,
    /// The files of private namespaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    private_namespaces: Vec<PrivateBackup>,
}

#[derive(Serialize)]
struct PrivateBackup {
    namespace: Namespace,
    file: PathBuf,
    #[serde(flatten)]
    summary: BackupSummary,
}

/// Runs the command.
pub fn run(config: &Config, file: &Path, journal_only: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let storage = open_storage(config)?;
    let summary = write(config, &storage, file, journal_only)?;
    let private_namespaces = write_private_namespaces(config, storage, file, journal_only)?;
    let (also, without) = match journal_only {
        false => (", passwords (as hashes) and download counts", ""),
        true => ("", "passwords, download counts, "),
    };
    let mut text = format!(
        "{} has revisions 1 to {}, their packages ({}){also}. It leaves out {without}sessions, `admin-token`, the \
         configuration and the signing keys. Keep it private\n",
        file.display(),
        summary.head,
        summary.packages
    );
    for PrivateBackup { namespace, file, summary } in &private_namespaces {
        let (shown, packages) = (file.display(), summary.packages);
        text += &format!(
            "{shown} has the private namespace {namespace}: revisions 1 to {}, packages ({packages})\n",
            summary.head
        );
    }
    printer.report(text, &Report { summary, private_namespaces })?;
    if !config.keys.signing().is_empty() {
        print_note(format_args!(
            "copy the signing keys in {} by themselves, to a place that is as private and not beside the backup: \
             without them a restored registry cannot sign, and clients that trust its key refuse it",
            config.keys.folder().display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn write(
    config: &Config,
    storage: &Storage,
    file: &Path,
    journal_only: bool,
) -> Result<BackupSummary, Failure> {
    keep_private(file, &config.public)?;
    let local = if journal_only { Ok(None) } else { open_local_undamaged(config) };
    let local = local.map_err(|why| {
        format!("{}. With --journal-only, the backup is made without it", with_causes(&*why))
    })?;
    explain_interrupt(format!(
        "{} was not written: remove the folder `.skillmirror-backup-…` beside it, and run the command again",
        file.display()
    ));
    Ok(maintenance::back_up(storage, local.as_ref(), file)?)
}

/// Writes a file for each private namespace of a main registry, beside its own.
fn write_private_namespaces(
    config: &Config,
    storage: Storage,
    file: &Path,
    journal_only: bool,
) -> Result<Vec<PrivateBackup>, Failure> {
    if config.private_namespace.is_some() {
        return Ok(Vec::new());
    }
    let names: Vec<Namespace> = Registry::open(storage)?
        .read(|catalog| catalog.private.private_namespaces().map(|(name, _)| name.clone()).collect());
    let mut written = Vec::new();
    for namespace in names {
        let config = config.of_private_namespace(&namespace, None)?;
        // It may have been noted, and not begun.
        if is_registry_there(&config)? {
            let mut file = file.as_os_str().to_owned();
            file.push(format!(".{namespace}.private"));
            let file = PathBuf::from(file);
            let summary = write(&config, &open_storage(&config)?, &file, journal_only)
                .map_err(|why| format!("the private namespace {namespace}: {}", with_causes(&*why)))?;
            written.push(PrivateBackup { namespace, file, summary });
        }
    }
    Ok(written)
}
