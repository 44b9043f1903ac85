//! A zip's files for who only wants them, as an installer does.

use crate::names::Digest;

use super::code;
use super::entry::{self, PlacedEntry};
use super::finding::{Finding, Findings, Refusal};
use super::fingerprint;
use super::limits::Limits;
use super::path::PackagePath;
use super::zip;

/// The files of an archive whose frame, paths and contents have passed every
/// check that a [`Package`](super::Package) passes. What is in them nobody has
/// judged: there may be no manifest, or something that looks like a secret.
pub struct Unpacked {
    files: Vec<UnpackedFile>,
    content_digest: Digest,
}

/// One of the files.
pub struct UnpackedFile {
    /// Where it belongs; it leads out of no folder that it is put in.
    pub path: PackagePath,
    /// Whether it may be run: mode 0755 rather than 0644.
    pub executable: bool,
    /// The digest of its bytes.
    pub sha256: Digest,
    /// Its bytes.
    pub content: Vec<u8>,
}

impl Unpacked {
    /// Unpacks `bytes` within `limits`, of which those of the front matter do not
    /// count. The refusal names every offending entry that can be told; an
    /// archive without files is refused too.
    pub fn from_zip(bytes: &[u8], limits: &Limits) -> Result<Self, Refusal> {
        let mut findings = Findings::default();
        let (layout, mut unpacker) = zip::open(bytes, limits, &mut findings)?;
        let loaded =
            entry::load_each(layout.files, |path, packed| unpacker.unpack(path, &packed, &mut findings));
        findings.check()?;
        if loaded.is_empty() {
            return Err(Refusal::one(Finding::new(code::SKILL_MD_MISSING, "the archive holds no files")));
        }
        let files: Vec<UnpackedFile> = loaded.into_iter().map(UnpackedFile::of).collect();
        let marks = files.iter().map(|file| (file.path.as_str(), file.executable, &file.sha256));
        Ok(Self { content_digest: fingerprint::content_digest(marks), files })
    }

    /// The files, sorted by path bytes.
    pub fn files(&self) -> &[UnpackedFile] {
        &self.files
    }

    /// What "the same content" means: over paths, modes and digests.
    pub fn content_digest(&self) -> Digest {
        self.content_digest
    }
}

impl UnpackedFile {
    /// Without an error every entry has its content.
    fn of(entry: PlacedEntry<Option<Vec<u8>>>) -> Self {
        let PlacedEntry { path, executable, body } = entry;
        let content = body.unwrap_or_default();
        Self { path, executable, sha256: Digest::of(&content), content }
    }
}
