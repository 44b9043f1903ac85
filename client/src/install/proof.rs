//! Verifies packages and installed skills against the signed history, from their proofs.

use std::path::Path;

use generator::address::Document;
use registry::names::{Coordinate, Digest, Slug, Version};
use registry::public::{DecodedRow, PublicChange, Published};
use registry::transparency_log::{Checkpoint, MAX_PROOF, RowProof, VerifierKey};
use serde::Deserialize;

use super::error::{InstallError, at};
use super::skills_folder::SkillsFolder;
use super::skills_folder::differences::{differences, foreign_code};
use super::skills_folder::file_marks::content_digest;
use super::skills_folder::folder_state::{FolderState, inspect};
use super::skills_folder::record::Installed;
use crate::history::SignedHistory;
use crate::regular_file::{self, Links};
use crate::skills::resolve::enumerate;
use crate::{SkillReference, Source};

/// A version that was verified.
#[derive(Debug, Clone)]
pub struct VerifiedVersion {
    /// What its row says.
    pub published: Published,
    /// The number of the row.
    pub revision: u64,
    /// The number of its leaf in the log, from 0.
    pub index: u64,
    /// The checkpoint that covers the row.
    pub checkpoint: Checkpoint,
}

/// Where a proof comes from.
pub enum ProofSource<'a> {
    /// Only from files, signed with one of these keys.
    Files(&'a [VerifierKey]),
    /// From files if there are any, or else from a registry.
    Registry(&'a [VerifierKey], &'a Source, &'a SignedHistory<'a>),
}

/// Reads a proof from a file.
pub fn read_proof(path: &Path) -> Result<RowProof, InstallError> {
    let text = regular_file::read(path, Links::Follow, MAX_PROOF).map_err(at("cannot read", path))?;
    let parsed = RowProof::parse(&String::from_utf8_lossy(&text));
    parsed.map_err(|why| InstallError::FalseProof { path: path.to_owned(), why })
}

/// Verifies a package: that its bytes are those of the row, and that a signed log has the row.
pub fn verify_package(
    path: &Path,
    proof: &RowProof,
    keys: &[VerifierKey],
) -> Result<VerifiedVersion, InstallError> {
    let file = regular_file::open(path, Links::Follow).map_err(at("cannot read", path))?;
    let (sha256, _) = Digest::of_reader(file).map_err(at("cannot read", path))?;
    let verified = check(path, proof, keys)?;
    let expected = verified.published.sha256;
    if sha256 != expected {
        let found = format!("its sha256 is {sha256}, but the package of {} has {expected}", verified.name());
        return Err(InstallError::NotTheRow { path: path.to_owned(), found });
    }
    Ok(verified)
}

/// Verifies an installed skill: that its files are those of the row, and that a signed log has the
/// row.
pub fn verify_with_proof(
    folder: &SkillsFolder,
    slug: &Slug,
    source: &ProofSource<'_>,
) -> Result<VerifiedVersion, InstallError> {
    let path = folder.skill(slug);
    let not_installed = || InstallError::NotInstalled {
        slug: slug.clone(),
        folder: folder.path().to_owned(),
        near: Vec::new(),
    };
    let installed = folder.record()?.skills.remove(slug).ok_or_else(not_installed)?;
    let (ProofSource::Files(keys) | ProofSource::Registry(keys, ..)) = source;
    let proof = match (folder.proof(slug)?, source) {
        (Some(proof), _) => proof,
        (None, ProofSource::Files(_)) => {
            let remedy = "leave out --offline to ask its registry".to_owned();
            return Err(InstallError::NoProof { path, remedy });
        }
        (None, ProofSource::Registry(_, source, history)) => {
            prove_version(source, history, &installed.coordinate, &installed.version)?
        }
    };
    let verified = check(&path, &proof, keys)?;
    verified.check_files(&path, &installed)?;
    Ok(verified)
}

/// The proof of a version, from the files of a registry's log.
pub fn prove_version(
    source: &Source,
    history: &SignedHistory<'_>,
    coordinate: &Coordinate,
    version: &Version,
) -> Result<RowProof, InstallError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Placed {
        sha256: Digest,
        log_index: Option<u64>,
    }
    let placed: Option<Placed> = source.document(&Document::Version(coordinate.clone(), version.clone()))?;
    let skill = format!("{} {version}", SkillReference::argument(coordinate));
    let Placed { sha256, log_index } = placed.ok_or_else(|| {
        let what = format!("{} does not have {skill}", source.address());
        source.missing(what, "name a version that it has")
    })?;
    Ok(history.prove(coordinate, version, &sha256, log_index)?.proof)
}

fn check(path: &Path, proof: &RowProof, keys: &[VerifierKey]) -> Result<VerifiedVersion, InstallError> {
    let path = || path.to_owned();
    let checkpoint = proof.check(keys).map_err(|why| InstallError::FalseProof { path: path(), why })?;
    match DecodedRow::decode(&proof.row).map(|row| row.change) {
        Ok(PublicChange::Published(published)) => Ok(VerifiedVersion {
            published: *published,
            revision: proof.row.revision,
            index: proof.inclusion.index,
            checkpoint,
        }),
        Ok(_) => {
            Err(InstallError::NotTheRow { path: path(), found: "the proof is not one of a version".into() })
        }
        Err(why) => Err(InstallError::NotTheRow { path: path(), found: why.cause.to_string() }),
    }
}

impl VerifiedVersion {
    /// The name in messages.
    pub fn name(&self) -> String {
        format!("{} {}", SkillReference::argument(&self.published.coordinate()), self.published.version)
    }

    fn check_files(&self, path: &Path, installed: &Installed) -> Result<(), InstallError> {
        let other = |found: String| Err(InstallError::NotTheRow { path: path.to_owned(), found });
        if (self.published.coordinate(), &self.published.version)
            != (installed.coordinate.clone(), &installed.version)
        {
            return other(format!("its proof is that of {}", self.name()));
        }
        let found = match inspect(path)? {
            FolderState::Folder(files) => files,
            FolderState::Missing => return other("the folder is gone".into()),
            FolderState::NotAFolder(found) => return other(format!("it is {found}")),
        };
        let foreign = foreign_code(&installed.files, &found);
        if !foreign.is_empty() {
            return other(format!("it has other files: {}", enumerate(&foreign.roots())));
        }
        if content_digest(&installed.files, &found) != Some(self.published.content_digest) {
            return other(differences(path, &installed.files, &found).to_string());
        }
        Ok(())
    }
}
