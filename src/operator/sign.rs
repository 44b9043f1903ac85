//! `skillmirror sign`: signs the history of a registry that has no key of its own.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use generator::LogReader;
use generator::tree::Tree;
use registry::with_causes;

use crate::Failure;
use crate::config::Config;
use crate::long_running::{log_to_standard_error, shutdown_signal};
use crate::mirror_source::MirrorSource;
use crate::open_registry::keeper;
use crate::output::print;
use crate::signer::{LastSigned, Output, Round, Signer};

/// The pause between two looks at a tree on this machine.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

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
    watch: bool,
    /// Sign even if the tree has another history than what was signed last, as after the restore of
    /// a backup. A later one is refused again
    #[arg(long)]
    accept_new_history: bool,
}

/// Runs the command.
pub fn run(config: &Config, arguments: Arguments) -> Result<ExitCode, Failure> {
    let interval = match &arguments.tree {
        Some(MirrorSource::Address(_)) => config.mirror.feed_interval,
        _ => POLL_INTERVAL,
    };
    let watch = arguments.watch;
    let signer = signer(config, arguments)?;
    if watch {
        return keep_signing(signer, interval);
    }
    sign_once(config, signer)
}

fn signer(config: &Config, arguments: Arguments) -> Result<Signer, Failure> {
    let Arguments { tree, out, state, accept_new_history, .. } = arguments;
    let keys = config.keys.signing().to_vec();
    if keys.is_empty() {
        return Err("no key signs here: make one with `skillmirror key new`".into());
    }
    let tree = tree.unwrap_or_else(|| MirrorSource::Folder(config.public.clone()));
    let output = match (&tree, out) {
        (_, Some(out)) => Output::Folder(out),
        (MirrorSource::Folder(folder), None) => Output::Tree(Tree::at(folder)),
        _ => return Err("a tree at a URL cannot be written: add --out DIR".into()),
    };
    let record = LastSigned::at(state.unwrap_or_else(|| config.keys.folder().join("last-signed")));
    let reader = LogReader::of(tree.source()?);
    Ok(Signer { reader, keys, output, record, accepts_new_history: accept_new_history, statement: None })
}

fn sign_once(config: &Config, mut signer: Signer) -> Result<ExitCode, Failure> {
    let deadline = Instant::now() + config.mirror.wait_timeout;
    loop {
        let Round { checkpoint, is_shown } = signer.run()?;
        if is_shown {
            print(&format!("signed {} rows of {}\n", checkpoint.size, checkpoint.origin))?;
            return Ok(ExitCode::SUCCESS);
        }
        if Instant::now() >= deadline {
            let Output::Tree(tree) = &signer.output else { return Ok(ExitCode::SUCCESS) };
            let why = format!(
                "signed {} rows of {}, but {} keeps the tree and has not taken the checkpoint yet: does it have the same \
                 `signing.verifiers`?",
                checkpoint.size,
                checkpoint.origin,
                keeper(tree)
            );
            return Err(why.into());
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Signs until SIGTERM or SIGINT. A failure is logged once, and tried again.
fn keep_signing(mut signer: Signer, interval: Duration) -> Result<ExitCode, Failure> {
    log_to_standard_error();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let shutdown = runtime.block_on(async { shutdown_signal() })?;
    let (mut failure, mut has_signed) = (None, false);
    std::thread::spawn(move || {
        loop {
            let why = signer.run().err().map(|why| with_causes(&*why));
            if let Some(why) = why.as_ref().filter(|why| failure.as_ref() != Some(*why)) {
                tracing::error!(why, "cannot sign; trying again");
            }
            if why.is_none() && !has_signed {
                has_signed = true;
                // Without a reader, there is nobody to tell.
                let _ = print(&format!("signing {}\n", signer.name()));
            }
            failure = why;
            std::thread::sleep(interval);
        }
    });
    runtime.block_on(shutdown);
    Ok(ExitCode::SUCCESS)
}
