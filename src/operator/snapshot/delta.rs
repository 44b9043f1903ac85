//! `skillmirror snapshot delta`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use generator::snapshot::write_delta;

use super::Described;
use super::new_file::{Signature, write_file};
use crate::Failure;
use crate::config::Config;
use crate::output::Printer;
use crate::process::interrupt::clean_up_at_interrupt;
use crate::tree::snapshot_file::{limits, named, open};

/// What to compare, and what to write.
#[derive(Args)]
pub struct Arguments {
    /// The older snapshot
    old: PathBuf,
    /// The newer snapshot
    new: PathBuf,
    /// The file to write. Its usual name ends in `.tar.zst`
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    signature: Signature,
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let Arguments { old, new, out, signature } = arguments;
    signature.check(config)?;
    let ((older, _), (first, bar), (second, _)) = (open(old)?, open(new)?, open(new)?);
    let left = named(out, ".tmp");
    clean_up_at_interrupt(format!("{} was not written: run the command again", out.display()), move || {
        // A file that cannot be removed does no harm.
        let _ = std::fs::remove_file(&left);
    });
    let newer = [bar.wrap_read(first), bar.wrap_read(second)];
    bar.set_length(2 * bar.length().unwrap_or(0));
    let written = write_file(config, out, signature, |file| {
        write_delta(bar.wrap_read(older), newer, &limits(config), file)
    })?;
    bar.finish_and_clear();
    let (manifest, size) = written.ok_or("the snapshots change while they are read")?;
    let text = format!(
        "wrote {}: from revision {} to revision {} of the history {} ({} files, {size} bytes)\n",
        out.display(),
        manifest.base.as_ref().map_or(0, |base| base.revision),
        manifest.revision,
        manifest.epoch,
        manifest.files
    );
    printer.report(text, &Described::of(out, &manifest))?;
    Ok(ExitCode::SUCCESS)
}
