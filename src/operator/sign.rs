//! `skillmirror sign`: signs the history of a registry that has no key of its own.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use generator::LogReader;
use generator::tree::Tree;
use registry::transparency_log::Checkpoint;
use serde::Serialize;

use crate::Failure;
use crate::config::Config;
use crate::log::log_to_standard_error;
use crate::long_running::shutdown_signal;
use crate::mirror_source::MirrorSource;
use crate::open_registry::keeper;
use crate::output::{Printer, print};
use crate::signer::{
    LastSigned, Output, POLL_INTERVAL, Round, Signer, SignerParts, WITNESS_TIMEOUT, keep_signing,
};

/// The pause between two looks at the tree and at the answers of witnesses.
const ONCE_INTERVAL: Duration = Duration::from_millis(20);

/// What to sign.
#[derive(Args)]
pub struct Arguments {
    /// The tree to sign: its folder or URL [default: the output folder]
    #[arg(long, value_name = "DIR|URL")]
    tree: Option<MirrorSource>,
    /// Write the checkpoint to this folder instead of the tree
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The record of what was signed last [default: last-signed in the folder of the keys]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Go on signing until SIGTERM
    #[arg(long)]
    pub watch: bool,
    /// Sign even if the tree has another history than what was signed last, as after the restore of
    /// a backup. A later one is refused again
    #[arg(long)]
    accept_new_history: bool,
}

/// What was signed, for programs.
#[derive(Serialize)]
struct Signed {
    /// The name of the log.
    origin: String,
    /// Its rows.
    size: u64,
}

/// Runs the command.
pub fn run(config: &Config, arguments: Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let interval = match &arguments.tree {
        Some(MirrorSource::Address(_)) => config.mirror.feed_interval,
        _ => POLL_INTERVAL,
    };
    let watch = arguments.watch;
    let signer = signer(config, arguments)?;
    log_to_standard_error(config.log.format);
    if !watch {
        return sign_once(config, signer, printer);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let shutdown = runtime.block_on(async { shutdown_signal() })?;
    std::thread::spawn(move || {
        keep_signing(signer, interval, |signer| {
            // Without a reader, there is nobody to tell.
            let _ = print(&format!("signing {}\n", signer.name()));
        })
    });
    runtime.block_on(shutdown);
    Ok(ExitCode::SUCCESS)
}

fn signer(config: &Config, arguments: Arguments) -> Result<Signer, Failure> {
    let Arguments { tree, out, state, accept_new_history, .. } = arguments;
    let keys = config.signing_keys();
    if keys.verifiers().is_empty() {
        return Err("no key signs here: make one with `skillmirror key new`, or set `signing.command`".into());
    }
    let tree = tree.unwrap_or_else(|| MirrorSource::Folder(config.public.clone()));
    let output = match (&tree, out) {
        (_, Some(out)) => Output::Folder(out),
        (MirrorSource::Folder(folder), None) => Output::Tree(Tree::at(folder)),
        _ => return Err("a tree at a URL cannot be written: add --out DIR".into()),
    };
    let record = LastSigned::at(state.unwrap_or_else(|| config.keys.folder().join("last-signed")));
    Ok(Signer::new(SignerParts {
        reader: LogReader::of(tree.source()?),
        keys,
        output,
        record: Some(record),
        witnesses: config.witnesses().to_vec(),
        accepts_new_history: accept_new_history,
    }))
}

/// Signs, and waits for the witnesses and for the process that keeps the tree.
fn sign_once(config: &Config, mut signer: Signer, printer: Printer) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    loop {
        let Round { checkpoint, is_shown, awaits_witnesses } = signer.run()?;
        let (waits_for_keeper, waits_for_witnesses) =
            (start.elapsed() < config.mirror.wait_timeout, start.elapsed() < WITNESS_TIMEOUT);
        let Checkpoint { size, origin, .. } = checkpoint;
        match signer.output() {
            Output::Tree(tree) if !is_shown && !waits_for_keeper => {
                let keeper = keeper(tree);
                let why = format!(
                    "signed {size} rows of {origin}, but {keeper} keeps the tree and has not taken the checkpoint yet: \
                     does it have the same `signing.verifiers`?"
                );
                return Err(why.into());
            }
            _ if is_shown && !(awaits_witnesses && waits_for_witnesses) => {
                printer.report(
                    format!("signed {size} rows of {origin}\n"),
                    &Signed { origin: origin.to_string(), size },
                )?;
                return Ok(ExitCode::SUCCESS);
            }
            _ => std::thread::sleep(ONCE_INTERVAL),
        }
    }
}
