//! The file that a command writes. It appears when it is complete.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use clap::Args;
use generator::snapshot::{Manifest, SnapshotError};
use registry::transparency_log::minisign;

use crate::Failure;
use crate::config::Config;
use crate::tree::snapshot_file::named;

/// Whether to sign the file.
#[derive(Args)]
pub struct Signature {
    /// Also sign the file with the registry's key in the form of minisign, as FILE.minisig
    #[arg(long)]
    minisign: bool,
}

impl Signature {
    /// Refuses to sign without a key.
    pub fn check(&self, config: &Config) -> Result<(), Failure> {
        if self.minisign && config.keys.signing().is_empty() {
            return Err("no key signs here: make one with `skillmirror key new`".into());
        }
        Ok(())
    }
}

/// Writes what `write` makes to `out`, and signs it. Returns the number of bytes too. `None` if the tree
/// has changed meanwhile: then nothing is written.
pub fn write_file(
    config: &Config,
    out: &Path,
    signature: &Signature,
    write: impl FnOnce(BufWriter<File>) -> Result<(Manifest, BufWriter<File>), SnapshotError>,
) -> Result<Option<(Manifest, u64)>, Failure> {
    let temporary = named(out, ".tmp");
    let create =
        || File::create(&temporary).map_err(|why| format!("cannot write {}: {why}", temporary.display()));
    let written = match write(BufWriter::new(create()?)) {
        Err(SnapshotError::Changed) => Ok(None),
        Err(why) => Err(why.into()),
        Ok((manifest, file)) => {
            finish(config, out, signature, &manifest, file).map(|size| Some((manifest, size)))
        }
    };
    if !matches!(written, Ok(Some(_))) {
        // The first error matters more.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn finish(
    config: &Config,
    out: &Path,
    signature: &Signature,
    manifest: &Manifest,
    file: BufWriter<File>,
) -> Result<u64, Failure> {
    let mut file = file.into_inner().map_err(|why| why.into_error())?;
    file.flush()?;
    file.sync_all()?;
    let temporary = named(out, ".tmp");
    if let Some(key) = config.keys.signing().first().filter(|_| signature.minisign) {
        let unsigned = |why| format!("cannot sign {}: {why}", out.display());
        let comment = format!("revision {} of the history {}", manifest.revision, manifest.epoch);
        let text =
            File::open(&temporary).and_then(|file| minisign::sign(key, file, &comment)).map_err(unsigned)?;
        fs::write(named(out, ".minisig"), text).map_err(unsigned)?;
    }
    fs::rename(&temporary, out).map_err(|why| format!("cannot write {}: {why}", out.display()))?;
    Ok(file.metadata()?.len())
}
