//! The record of what was signed last. A key that signs must not sign two histories.

use std::fs::{self, DirBuilder, File};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

use generator::SignedCheckpoint;
use registry::transparency_log::Checkpoint;

/// A file with the epoch in its first line, and the signed checkpoint after it.
pub struct LastSigned {
    path: PathBuf,
}

/// What was signed, and of which history.
#[derive(Debug, Clone)]
pub struct Signed {
    /// The name of the history.
    pub epoch: String,
    /// The checkpoint.
    pub checkpoint: SignedCheckpoint,
}

impl LastSigned {
    /// The record in a file, which need not exist yet.
    pub fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Reads the record. None before the first signature.
    pub fn read(&self) -> Result<Option<Signed>, String> {
        let shown = self.path.display();
        let text = match fs::read_to_string(&self.path) {
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|why| format!("cannot read {shown}: {why}"))?,
        };
        let parse = || {
            let (epoch, text) = text.strip_prefix("epoch ")?.split_once('\n')?;
            let checkpoint = Checkpoint::read_unverified(text.as_bytes()).ok()?;
            let checkpoint = SignedCheckpoint { checkpoint, text: text.to_owned() };
            Some(Signed { epoch: epoch.to_owned(), checkpoint })
        };
        let damaged = || {
            format!(
                "{shown} is damaged, so nobody knows what was signed last: restore it from a copy. If you remove it, \
                 any history is signed"
            )
        };
        parse().map(Some).ok_or_else(damaged)
    }

    /// Replaces the record, on stable storage.
    pub fn write(&self, signed: &Signed) -> Result<(), String> {
        let text = format!("epoch {}\n{}", signed.epoch, signed.checkpoint.text);
        if fs::read_to_string(&self.path).is_ok_and(|known| known == text) {
            return Ok(());
        }
        let write = || {
            if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
            let temporary = self.path.with_extension("tmp");
            let mut file = File::create(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, &self.path)
        };
        write().map_err(|why| format!("cannot write {}: {why}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use registry::transparency_log::{LogIndex, SigningKey};

    use super::*;

    #[test]
    fn record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let record = LastSigned::at(folder.path().join("keys/last-signed"));
        assert!(record.read().unwrap().is_none());
        let key = SigningKey::generate(&"skills.example.org".parse().unwrap()).unwrap();
        let checkpoint = Checkpoint::of(key.verifier().name().clone(), &LogIndex::default());
        let text = checkpoint.sign(&[key]).unwrap();
        let signed = Signed { epoch: "e".into(), checkpoint: SignedCheckpoint { checkpoint, text } };
        record.write(&signed).unwrap();
        let read = record.read().unwrap().unwrap();
        assert_eq!((read.epoch, read.checkpoint.text), (signed.epoch, signed.checkpoint.text));
        for damaged in ["", "epoch e\n", "e\na\n0\n"] {
            fs::write(&record.path, damaged).unwrap();
            assert!(record.read().unwrap_err().contains("is damaged"), "{damaged}");
        }
    }
}
