//! Unpacking a zip without checking its contents, for installers.

use crate::names::Digest;

use super::entry::{self, PlacedEntry};
use super::finding::{Finding, Findings, Refusal};
use super::finding_codes;
use super::fingerprint;
use super::layout::Origin;
use super::limits::Limits;
use super::path::PackagePath;
use super::zip;

/// The files of an archive whose structure and paths are as valid as those of a
/// [`Package`](super::Package). The contents are not checked: the manifest may be missing,
/// and there may be secrets.
pub struct Unpacked {
    /// The files, sorted by path bytes.
    pub files: Vec<UnpackedFile>,
    /// The digest over paths, modes and contents.
    pub content_digest: Digest,
}

/// An unpacked file.
pub struct UnpackedFile {
    /// The path. It never leads out of the folder that the package is unpacked to.
    pub path: PackagePath,
    /// Whether the file is executable: mode 0755 instead of 0644.
    pub executable: bool,
    /// The digest of the content.
    pub sha256: Digest,
    /// The content.
    pub content: Vec<u8>,
}

impl Unpacked {
    /// Unpacks a zip within `limits`, except for those of the front matter. The refusal
    /// names all invalid entries. An archive without files is refused.
    pub fn from_zip(bytes: &[u8], limits: &Limits) -> Result<Self, Refusal> {
        let mut findings = Findings::default();
        let (layout, mut unpacker) = zip::open(bytes, Origin::Registry, limits, &mut findings)?;
        let loaded =
            entry::load_each(layout.files, |path, packed| unpacker.unpack(path, &packed, &mut findings));
        findings.take_errors()?;
        if loaded.is_empty() {
            return Err(Refusal::one(Finding::new(
                finding_codes::SKILL_MD_MISSING,
                "the archive holds no files",
            )));
        }
        let unpacked = |PlacedEntry { path, executable, body }: PlacedEntry<Option<Vec<u8>>>| {
            // Without errors every entry has its content.
            let content = body.unwrap_or_default();
            UnpackedFile { path, executable, sha256: Digest::of(&content), content }
        };
        let files: Vec<_> = loaded.into_iter().map(unpacked).collect();
        let marks = files.iter().map(|file| (file.path.as_str(), file.executable, &file.sha256));
        Ok(Self { content_digest: fingerprint::content_digest(marks), files })
    }
}
