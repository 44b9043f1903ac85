//! Whole packages, good and hostile.

mod hostile;
mod misplaced;
mod mistakes;
mod reading;
mod unpacking;
mod zip_builder;

use super::{Finding, Limits, LooseFile, Package, ReadOptions, Refusal, Strictness};

const SKILL: &str = "---\nname: a-skill\ndescription: Does things.\n---\n# A skill\n";

fn options(strictness: Strictness) -> ReadOptions<'static> {
    static LIMITS: std::sync::OnceLock<Limits> = std::sync::OnceLock::new();
    ReadOptions {
        source_name: None,
        strictness,
        limits: LIMITS.get_or_init(Limits::default),
        allowed_files: &[],
    }
}

fn file(path: &str, content: impl AsRef<[u8]>) -> LooseFile {
    LooseFile { path: path.into(), executable: false, content: content.as_ref().to_vec() }
}

fn strict(skill_md: &str) -> Result<Package, Refusal> {
    Package::from_files(vec![file("SKILL.md", skill_md)], &options(Strictness::Strict))
}

fn tolerant(skill_md: &str) -> Result<Package, Refusal> {
    Package::from_files(vec![file("SKILL.md", skill_md)], &options(Strictness::Tolerant))
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.code.as_str()).collect()
}

/// The codes and lines of a refusal.
fn refused(result: Result<Package, Refusal>) -> Vec<(String, Option<u64>)> {
    let findings = result.unwrap_err().findings;
    findings.into_iter().map(|finding| (finding.code, finding.line)).collect()
}
