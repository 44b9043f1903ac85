//! Packages: an untrusted zip or list of files becomes a validated [`Package`].
//!
//! Pure: no file system, no network, no clock. The steps, in order:
//!
//! 1. `zip` reads the headers of an archive and unpacks its entries within `limits`.
//! 2. `layout` checks the paths (`path`, `path_set`).
//! 3. `skill_md` reads the manifest from the front matter, and headings from the text.
//! 4. `secrets` looks for credentials, `tool_settings` for settings of tools, and `rules` for tricks.
//! 5. `fingerprint` computes digests, and `archive` writes the canonical archive.
//!
//! Every problem becomes a [`Finding`]. All errors together are one [`Refusal`]. [`Unpacked`]
//! takes steps 1 and 2 only. [`skill_md_text()`], [`archived_file()`] and [`packed_files`] read from a
//! canonical archive.

mod archive;
mod archived_file;
mod attestation;
mod content_type;
mod entry;
mod file_record;
mod finding;
pub mod finding_codes;
mod fingerprint;
mod largest_folder;
mod layout;
mod level;
mod limits;
mod litter;
mod packed;
mod path;
mod path_set;
pub mod portability;
mod rules;
mod secrets;
mod skill_md;
mod tool_settings;
mod unpacked;
mod zip;

#[cfg(test)]
mod tests;

pub use archive::ArchiveError;
pub use archived_file::{OpenArchive, archived_file};
pub use attestation::{Attestation, MAX_ATTESTATION};
pub use entry::LooseFile;
pub use finding::{Finding, MAX_FINDINGS, Refusal, bounded_findings};
pub use fingerprint::{Fingerprints, content_digest};
pub use level::Level;
pub use limits::Limits;
pub use litter::{Litter, LitterKind, litter};

pub use file_record::FileRecord;
pub use packed::{PackedData, PackedFile, packed_files};
pub use path::{PackagePath, is_invisible, is_unseen};
pub use path_set::folded;
pub use rules::{RULES_VERSION, findings_of_rules};
pub use secrets::{scan_changelog, secret_file, secret_in_text};
pub(crate) use skill_md::limits as skill_md_limits;
pub use skill_md::{
    Manifest, ReadOptions, RequestedName, SKILL_MD, SkillText, Strictness, is_web_address,
    move_keys_to_metadata, placeholders, skill_md_text, slugified, with_line_feeds,
};
pub use unpacked::{Unpacked, UnpackedFile};

use crate::names::{Digest, Slug};

use entry::{PlacedEntry, RawEntry};
use finding::Findings;
use layout::{Layout, Origin};
use portability::{CLIENTS, Obstacle, Portable};
use skill_md::PackageNames;

/// A package that has passed all checks, with its content in memory.
pub struct Package {
    /// The files, sorted by path bytes.
    pub files: Vec<FileRecord>,
    /// The contents, in the order of `files`.
    contents: Vec<Vec<u8>>,
    /// The digest over paths, modes and contents.
    pub content_digest: Digest,
    /// The hashes by which ClawHub clients recognise the content.
    pub fingerprints: Fingerprints,
    /// The manifest.
    pub manifest: Manifest,
    /// The warnings, sorted by path and line.
    pub warnings: Vec<Finding>,
}

impl Package {
    /// Reads a zip of one skill. The refusal names all invalid entries. If the structure of
    /// the archive is damaged, contents are not read.
    pub fn from_zip(bytes: &[u8], options: &ReadOptions<'_>) -> Result<Self, Refusal> {
        let mut findings = Findings::default();
        let (layout, mut unpacker) = zip::open(bytes, Origin::Publisher, options.limits, &mut findings)?;
        Self::assemble(layout, options, findings, |path, packed, findings| {
            unpacker.unpack(path, &packed, findings)
        })
    }

    /// Reads a skill from files in memory.
    pub fn from_files(files: Vec<LooseFile>, options: &ReadOptions<'_>) -> Result<Self, Refusal> {
        let mut findings = Findings::default();
        let named = |file: LooseFile| RawEntry {
            name: file.path,
            folder: false,
            executable: file.executable,
            body: file.content,
        };
        let layout = layout::arrange(
            files.into_iter().map(named).collect(),
            Origin::Publisher,
            options.limits,
            &mut findings,
        );
        let limits = options.limits;
        let sizes: Vec<_> =
            layout.files.iter().map(|file| (file.path.as_str(), file.body.len() as u64)).collect();
        limits.check_together(&sizes).into_iter().for_each(|finding| findings.error(finding));
        Self::assemble(layout, options, findings, |path, content: Vec<u8>, findings| {
            match limits.check_file(content.len() as u64) {
                Some(finding) => findings.error(finding.in_file(path)),
                None => return Some(content),
            }
            None
        })
    }

    /// Loads the contents of the files and checks them.
    fn assemble<B>(
        layout: Layout<B>,
        options: &ReadOptions<'_>,
        mut findings: Findings,
        mut load: impl FnMut(&str, B, &mut Findings) -> Option<Vec<u8>>,
    ) -> Result<Self, Refusal> {
        let Layout { files, top, may_lack_skill_md, .. } = layout;
        let mut files = entry::load_each(files, |path, body| load(path, body, &mut findings));
        let entry_file = skill_md::find(&files, may_lack_skill_md, options.strictness, &mut findings);
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let names = PackageNames { top: top.as_deref(), paths: &paths };
        let manifest = entry_file.and_then(|file| {
            skill_md::read(file.path.as_str(), file.body.as_deref()?, &names, options, &mut findings)
        });
        for file in &files {
            secrets::check_path(file.path.as_str(), options.allowed_files, &mut findings);
        }
        let contents =
            files.iter().map(|file| (file.path.as_str(), file.body.as_deref().unwrap_or_default()));
        secrets::scan(contents, &mut findings);
        secrets::check_names(paths.iter().copied(), &mut findings);
        if let Some((file, manifest)) = entry_file.zip(manifest.as_ref()) {
            let content = file.body.as_deref().unwrap_or_default();
            secrets::check_front_matter(file.path.as_str(), content, &manifest.front_matter, &mut findings);
        }
        tool_settings::check(paths.iter().copied(), &mut findings);
        for file in &files {
            rules::check(file.path.as_str(), file.body.as_deref().unwrap_or_default(), &mut findings);
        }
        if let Some(path) = entry_file.map(|file| file.path.clone()) {
            skill_md::name_as_clients_do(&mut files, &path, &mut findings);
        }
        findings.take_errors()?;
        // Without errors the manifest is always there.
        let unread =
            || Finding::new(finding_codes::SKILL_MD_MISSING, "there is no readable SKILL.md: add one");
        let manifest = manifest.ok_or_else(|| Refusal::one(unread()))?;
        let (mut records, mut contents) = (Vec::new(), Vec::new());
        for PlacedEntry { path, executable, body } in files {
            let content = body.unwrap_or_default();
            records.push(FileRecord::new(path.as_str(), &content, executable));
            contents.push(content);
        }
        let marks = records.iter().map(|file| (file.path.as_str(), file.executable, &file.sha256));
        Ok(Self {
            content_digest: content_digest(marks),
            fingerprints: Fingerprints::of(&records, contents.iter().map(Vec::as_slice)),
            files: records,
            contents,
            manifest,
            warnings: findings.into_warnings(),
        })
    }

    /// Writes the canonical archive. Its bytes depend only on the content.
    pub fn archive(&self) -> Result<Vec<u8>, ArchiveError> {
        let contents = self.contents.iter().map(Vec::as_slice);
        let members =
            self.files.iter().zip(contents).map(|(f, content)| (f.path.as_str(), f.executable, content));
        archive::write(&members.collect::<Vec<_>>())
    }

    /// Bytes of all files.
    pub fn unpacked_size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Describes front matter without a `name`. `used` says which name was used in its place.
    pub fn missing_name(&self, used: &str) -> Option<Finding> {
        let name = self.manifest.front_matter.get("name");
        if name.is_some_and(|name| !name.is_null() && name != "") {
            return None;
        }
        let paths: Vec<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        let path = skill_md::path(&paths).unwrap_or_default();
        let why = format!("the front matter has no `name`: {used}; add one");
        Some(Finding::new(finding_codes::NAME_MISSING, why).in_file(path).at_line(1))
    }

    /// Warns about what other clients refuse in the package of the skill `slug`. The rules are those of
    /// others, so these warnings are in no record.
    pub fn portability(&self, slug: &Slug) -> Vec<Finding> {
        let paths: Vec<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        let path = skill_md::path(&paths).unwrap_or_default();
        let Manifest { front_matter, lines, .. } = &self.manifest;
        let obstacles = Portable { front_matter, files: &self.files, slug }.obstacles();
        let finding = |Obstacle { key, why, remedy, clients }: Obstacle| {
            let names: Vec<_> = clients.iter().map(|client| client.name).collect();
            let (count, all, names) = (names.len(), CLIENTS.len(), names.join(", "));
            let why = format!("{why} (refused by {count} of {all} clients: {names}): {remedy}");
            let finding = Finding::new(finding_codes::NOT_PORTABLE, why);
            match key {
                Some(key) => finding.in_file(path).at_line(lines.get(&key).copied().unwrap_or(1)),
                None => finding,
            }
        };
        obstacles.into_iter().map(finding).collect()
    }

    /// The content of the file with exactly this path.
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
