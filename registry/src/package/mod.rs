//! Packages: an untrusted zip or list of files becomes a validated [`Package`].
//!
//! Pure: no file system, no network, no clock. The way of a package through
//! this module is the order of its files: `zip_open` reads a zip's frame
//! (`zip_structure`, `zip_entry`, `zip_span`, `zip_end`), `layout` places the files (`path`,
//! `path_set`), `zip_content` unpacks them within `limits`, `skill_md` reads the manifest
//! (`front_matter`, `yaml`, `repair`, `fields`) and the text below it (`prose`, `headings`,
//! `fence`, `inline`), `secrets` looks for credentials, and `fingerprint` and `archive` give
//! the package its digests and its bytes. [`Unpacked`] goes the same way, and leaves out to
//! judge what the files say; `skill_md_text` reads the text out of an archive again.
//! Whatever is wrong on the way becomes a [`Finding`]; at the end all errors
//! together are one [`Refusal`].

mod archive;
pub mod code;
mod entry;
mod finding;
mod fingerprint;
mod layout;
mod limits;
mod path;
mod path_set;
mod record;
mod secrets;
mod skill_md;
mod unpacked;
mod zip;

#[cfg(test)]
mod tests;

pub use archive::ArchiveError;
pub use entry::LooseFile;
pub use finding::{Finding, Refusal};
pub use fingerprint::Fingerprints;
pub use limits::Limits;

pub use path::{PackagePath, is_invisible};
pub use record::FileRecord;
pub use skill_md::{Manifest, ReadOptions, RequestedName, SkillText, Strictness, skill_md_text};
pub use unpacked::{Unpacked, UnpackedFile};

use crate::names::Digest;

use entry::{PlacedEntry, RawEntry};
use finding::Findings;
use layout::Layout;
use limits::shown_size;

/// A skill that has passed every check, with its content in memory.
pub struct Package {
    files: Vec<FileRecord>,
    /// The files' bytes, in the order of `files`.
    contents: Vec<Vec<u8>>,
    content_digest: Digest,
    fingerprints: Fingerprints,
    manifest: Manifest,
    warnings: Vec<Finding>,
}

impl Package {
    /// Reads a zip of one skill. The refusal names every offending entry that
    /// can be told; where the archive's frame is broken, contents are not read.
    pub fn from_zip(bytes: &[u8], options: &ReadOptions<'_>) -> Result<Self, Refusal> {
        let mut findings = Findings::default();
        let (layout, mut unpacker) = zip::open(bytes, options.limits, &mut findings)?;
        Self::assemble(layout, options, findings, |path, packed, findings| {
            unpacker.unpack(path, &packed, findings)
        })
    }

    /// Reads a skill from files that are in memory already.
    pub fn from_files(files: Vec<LooseFile>, options: &ReadOptions<'_>) -> Result<Self, Refusal> {
        let mut findings = Findings::default();
        let named = |file: LooseFile| RawEntry {
            name: file.path,
            folder: false,
            executable: file.executable,
            body: file.content,
        };
        let layout = layout::arrange(files.into_iter().map(named).collect(), options.limits, &mut findings);
        let limits = options.limits;
        let together: u64 = layout.files.iter().map(|file| file.body.len() as u64).sum();
        if together > limits.unpacked {
            let why =
                format!("the files are larger than {} together: leave some out", shown_size(limits.unpacked));
            findings.error(Finding::new(code::PACKAGE_TOO_LARGE, why));
        }
        Self::assemble(layout, options, findings, |path, content: Vec<u8>, findings| {
            if content.len() as u64 > limits.file {
                let why = format!(
                    "the file is larger than {}: shorten it or leave it out",
                    shown_size(limits.file)
                );
                findings.error(Finding::new(code::FILE_TOO_LARGE, why).at(path));
                return None;
            }
            Some(content)
        })
    }

    /// Loads the contents of the files in their places and judges them.
    fn assemble<B>(
        layout: Layout<B>,
        options: &ReadOptions<'_>,
        mut findings: Findings,
        mut load: impl FnMut(&str, B, &mut Findings) -> Option<Vec<u8>>,
    ) -> Result<Self, Refusal> {
        let Layout { files, top, .. } = layout;
        let files = entry::load_each(files, |path, body| load(path, body, &mut findings));
        let entry_file = skill_md::find(&files, options.strictness, &mut findings);
        let manifest = entry_file.and_then(|file| {
            skill_md::read(file.path.as_str(), file.body.as_deref()?, top.as_deref(), options, &mut findings)
        });
        for file in &files {
            secrets::scan(file.path.as_str(), file.body.as_deref().unwrap_or_default(), &mut findings);
        }
        findings.check()?;
        // Without an error there is a manifest.
        let unread = || Finding::new(code::SKILL_MD_MISSING, "there is no readable SKILL.md: add one");
        let manifest = manifest.ok_or_else(|| Refusal::one(unread()))?;
        let (mut records, mut contents) = (Vec::new(), Vec::new());
        for PlacedEntry { path, executable, body } in files {
            let content = body.unwrap_or_default();
            records.push(FileRecord::new(path.as_str(), &content, executable));
            contents.push(content);
        }
        let marks = records.iter().map(|file| (file.path.as_str(), file.executable, &file.sha256));
        Ok(Self {
            content_digest: fingerprint::content_digest(marks),
            fingerprints: Fingerprints::of(&records, contents.iter().map(Vec::as_slice)),
            files: records,
            contents,
            manifest,
            warnings: findings.into_warnings(),
        })
    }

    /// Makes the canonical archive, whose bytes depend on the content alone.
    pub fn archive(&self) -> Result<Vec<u8>, ArchiveError> {
        let contents = self.contents.iter().map(Vec::as_slice);
        let members =
            self.files.iter().zip(contents).map(|(f, content)| (f.path.as_str(), f.executable, content));
        archive::write(&members.collect::<Vec<_>>())
    }

    /// The files, sorted by path bytes.
    pub fn files(&self) -> &[FileRecord] {
        &self.files
    }

    /// What "the same content" means: over paths, modes and digests.
    pub fn content_digest(&self) -> Digest {
        self.content_digest
    }

    /// The hashes by which ClawHub clients recognise the content.
    pub fn fingerprints(&self) -> &Fingerprints {
        &self.fingerprints
    }

    /// What the package says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What was repaired, dropped or looks odd, sorted by path and line.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// Bytes of all files together.
    pub fn unpacked_size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// The content of one file, by its exact path.
    pub fn read(&self, path: &str) -> Option<&[u8]> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        self.contents.get(at).map(Vec::as_slice)
    }
}

impl std::fmt::Debug for Package {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Package").field("contentDigest", &self.content_digest).finish_non_exhaustive()
    }
}
