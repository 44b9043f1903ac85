//! `skillmirror verify PATH`: proves that packages and installed skills are in a signed history.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use client::history::{SignedHistory, TrustedRegistries};
use client::http::ReadAccess;
use client::install::{
    InstallError, LockedEntries, ProofSource, SkillsFolder, VerifiedVersion, list_installed, prove_version,
    read_proof, verify_package, verify_with_proof,
};
use client::project::read_lock;
use client::{ClientError, RegistryAddress, Requirement, SkillReference, Source};
use registry::names::Slug;
use registry::transparency_log::VerifierKey;
use serde_json::json;

use super::batch_report::BatchReport;
use crate::output::escape_line;

/// Verify packages and installed skills
///
/// It proves that they are in the signed history of their registry.
#[derive(Args)]
#[command(after_help = "
    verify skills --offline               # Installed skills, without a network
    verify hello.zip --proof hello.proof  # A package with its proof
    verify skills/hello skills/lint       # Several installed skills
")]
pub struct Arguments {
    /// Packages (.zip), installed skills, or folders of them [default: the skills of this project]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The proof of a package, from its registry [default: the package's name with .proof]
    ///
    /// The registry has the proof at /api/v1/skills/NAMESPACE/SKILL/versions/VERSION/proof.
    #[arg(long, value_name = "FILE", requires = "paths")]
    proof: Option<PathBuf>,
    /// The key that must have signed. Repeat it if one of several is enough [default: the trusted ones]
    #[arg(long, value_name = "KEY")]
    vkey: Vec<VerifierKey>,
    /// The skill and version of a package without a proof: ask the registry for it
    #[arg(long, value_name = "SKILL@VERSION", requires = "registry")]
    skill: Option<SkillReference>,
    /// The registry of --skill
    #[arg(long, value_name = "URL", requires = "skill")]
    registry: Option<RegistryAddress>,
    /// Ask no registry: use only the proofs that were kept
    #[arg(long, conflicts_with = "skill")]
    offline: bool,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Whether it can only be about packages and installed skills, because a path or an option says so.
    #[cfg(feature = "operator")]
    pub fn is_about_skills(&self) -> bool {
        !self.paths.is_empty() || !self.vkey.is_empty() || self.offline || self.skill.is_some()
    }

    /// Verifies the paths, or the skills of this project.
    pub fn run(&self) -> ExitCode {
        let mut report = BatchReport::default();
        let paths = match self.paths.as_slice() {
            [] => match of_project() {
                Ok(folders) => folders,
                Err(why) => return BatchReport::of_failure(&why).finish(self.json),
            },
            named => named.to_vec(),
        };
        for path in &paths {
            let verified = if !path.exists() {
                let why = "there is no such file or folder".to_owned();
                Err(ClientError::File { path: path.clone(), why }.into())
            } else if path.is_dir() {
                self.folder(path, &mut report)
            } else {
                self.package(path).map(|verified| done(&mut report, path, &verified))
            };
            if let Err(why) = verified {
                report.failed(&path.to_string_lossy(), &why);
            }
        }
        report.finish(self.json)
    }

    fn package(&self, path: &Path) -> Result<VerifiedVersion, InstallError> {
        if let (Some(skill), Some(registry)) = (&self.skill, &self.registry) {
            let Some(Requirement::Exact(version)) = &skill.requirement else {
                let why = "--skill names no version: write @namespace/skill@1.0.0";
                return Err(ClientError::Unsupported(why.into()).into());
            };
            let source = Source::with(ReadAccess::named(registry.clone()));
            let keys = self.keys(&source.address().to_string())?;
            let history = SignedHistory::with_keys(&source, keys.clone(), None);
            let proof = prove_version(&source, &history, &skill.coordinate, version)?;
            return verify_package(path, &proof, &keys);
        }
        let beside = || {
            let mut name = path.as_os_str().to_owned();
            name.push(".proof");
            PathBuf::from(name)
        };
        let proof = self.proof.clone().unwrap_or_else(beside);
        if !proof.exists() {
            let remedy = format!(
                "there is no file {}. Name the file of its proof with --proof, or ask its registry with \
                 `--skill NAME@VERSION --registry URL`",
                proof.display()
            );
            return Err(InstallError::NoProof { path: path.to_owned(), remedy });
        }
        let proof = read_proof(&proof)?;
        let keys = match self.vkey.as_slice() {
            // A package does not say which registry it comes from, so each trusted key counts.
            [] => TrustedRegistries::load()?.registries().flat_map(|(_, keys)| keys.to_vec()).collect(),
            given => given.to_vec(),
        };
        let name = proof.log_name();
        let keys: Vec<_> = keys.into_iter().filter(|key| Some(key.name()) == name.as_ref()).collect();
        if keys.is_empty() {
            return Err(no_key(&name.map_or("its registry".into(), |name| name.to_string())));
        }
        verify_package(path, &proof, &keys)
    }

    /// Verifies an installed skill, or all skills of a folder.
    fn folder(&self, path: &Path, report: &mut BatchReport) -> Result<(), InstallError> {
        let skills = SkillsFolder::new(path);
        let listed = list_installed(&skills, &LockedEntries::new())?;
        if !listed.is_empty() {
            for skill in listed {
                let slug = &skill.name;
                match self.installed(&skills, slug, &skill.installed.registry) {
                    Ok(verified) => done(report, &skills.skill(slug), &verified),
                    Err(why) => report.failed(&skill.installed.coordinate.scoped(), &why),
                }
            }
            return Ok(());
        }
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let slug =
            whole.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse::<Slug>().ok());
        let (Some(slug), Some(parent)) = (slug, whole.parent()) else { return Err(nothing_installed(path)) };
        let skills = SkillsFolder::new(parent);
        let known =
            list_installed(&skills, &LockedEntries::new())?.into_iter().find(|skill| skill.name == slug);
        let known = known.ok_or_else(|| nothing_installed(path))?;
        let verified = self.installed(&skills, &slug, &known.installed.registry)?;
        done(report, path, &verified);
        Ok(())
    }

    fn installed(
        &self,
        skills: &SkillsFolder,
        slug: &Slug,
        registry: &str,
    ) -> Result<VerifiedVersion, InstallError> {
        let keys = self.keys(registry)?;
        if self.offline {
            return verify_with_proof(skills, slug, &ProofSource::Files(&keys));
        }
        let source = Source::open(registry.parse()?);
        let history = SignedHistory::with_keys(&source, keys.clone(), None);
        verify_with_proof(skills, slug, &ProofSource::Registry(&keys, &source, &history))
    }

    /// The keys of a registry: those that were given, or else the trusted ones.
    fn keys(&self, registry: &str) -> Result<Vec<VerifierKey>, InstallError> {
        if !self.vkey.is_empty() {
            return Ok(self.vkey.clone());
        }
        let keys = TrustedRegistries::load()?.keys(&registry.parse()?).to_vec();
        if keys.is_empty() { Err(no_key(registry)) } else { Ok(keys) }
    }
}

/// The folders with the skills of this project.
fn of_project() -> Result<Vec<PathBuf>, InstallError> {
    let mut folders: Vec<PathBuf> =
        read_lock()?.unwrap_or_default().skills.into_keys().map(|place| place.folder()).collect();
    let usual = PathBuf::from("skills");
    if !list_installed(&SkillsFolder::new(&usual), &LockedEntries::new())?.is_empty() {
        folders.push(usual);
    }
    folders.sort();
    folders.dedup();
    if folders.is_empty() {
        let why = "there is nothing to verify here: go to the folder of your project, or name packages (.zip) or folders \
                   of installed skills. To compare the tree of a registry with its journal, name its data folder with \
                   --data";
        return Err(ClientError::Unsupported(why.into()).into());
    }
    Ok(folders)
}

fn nothing_installed(path: &Path) -> InstallError {
    let why = format!(
        "{} has nothing that skillmirror has installed: name a package (.zip), an installed skill, or a folder of them",
        path.display()
    );
    ClientError::Unsupported(why).into()
}

fn no_key(registry: &str) -> InstallError {
    let why = format!(
        "no key of {registry} is trusted, so nothing can be proved: use `skillmirror trust add`, or name the key with --vkey. \
         `skillmirror list --verify` compares with the registry without a key"
    );
    ClientError::Unsupported(why).into()
}

fn done(report: &mut BatchReport, path: &Path, verified: &VerifiedVersion) {
    let (checkpoint, provenance) = (&verified.checkpoint, verified.published.provenance.as_deref());
    let text = format!(
        "{} is {}, as {} has signed it (row {} of {}){}",
        path.display(),
        verified.name(),
        checkpoint.origin,
        verified.index + 1,
        checkpoint.size,
        provenance.map(|of| format!(", {} {}", of.verb(), escape_line(of.summary()))).unwrap_or_default()
    );
    let item = json!({
        "path": path.to_string_lossy(), "coordinate": verified.published.coordinate().scoped(),
        "version": verified.published.version, "sha256": verified.published.sha256,
        "provenance": provenance,
        "log": {"name": checkpoint.origin.to_string(), "revision": verified.revision, "size": checkpoint.size},
    });
    report.done(&text, item);
}
