//! The target `archive`: the bytes of an upload.

use registry::package::{
    Finding, Limits, Manifest, Package, ReadOptions, Refusal, SKILL_MD, Strictness, Unpacked,
};

use super::checksums::corrected;

/// Small limits, which short inputs can reach.
const LIMITS: Limits = Limits {
    unpacked: 64 << 10,
    file: 16 << 10,
    files: 12,
    entries: 40,
    ratio: 200,
    front_matter: 4 << 10,
    depth: 8,
    nodes: 200,
};

/// Checks that an accepted package is within the limits, that its paths stay in its folder,
/// and that its canonical archive gives the same package without new warnings. Unpacking
/// without checks of contents must give the same files.
pub fn hold(bytes: &[u8]) {
    each_reading(bytes);
    let corrected = corrected(bytes);
    if corrected != bytes {
        each_reading(&corrected);
    }
}

fn each_reading(bytes: &[u8]) {
    let unpacked = Unpacked::from_zip(bytes, &LIMITS);
    for file in unpacked.iter().flat_map(|unpacked| &unpacked.files) {
        assert!(file.content.len() as u64 <= LIMITS.file);
        inside(file.path.as_str());
    }
    for strictness in [Strictness::Strict, Strictness::Tolerant] {
        match read(bytes, strictness) {
            Ok(package) => {
                let unpacked = unpacked.as_ref().expect("what was accepted can be unpacked");
                let is_named = unpacked.files.iter().any(|file| file.path.as_str() == SKILL_MD);
                // Another entry file is stored under this name.
                assert_eq!(unpacked.content_digest == package.content_digest, is_named);
                accepted(&package, strictness);
            }
            Err(refusal) => assert!(!refusal.findings.is_empty()),
        }
    }
}

fn read(bytes: &[u8], strictness: Strictness) -> Result<Package, Refusal> {
    Package::from_zip(
        bytes,
        &ReadOptions { source_name: None, strictness, limits: &LIMITS, allowed_files: &[] },
    )
}

fn accepted(package: &Package, strictness: Strictness) {
    assert!(package.files.len() <= LIMITS.files && package.unpacked_size() <= LIMITS.unpacked);
    for file in &package.files {
        let path = file.path.as_str();
        assert!(file.size <= LIMITS.file, "{path:?}");
        inside(path);
        assert_eq!(package.read(path).map(|content| content.len() as u64), Some(file.size));
    }
    let archive = package.archive().expect("what was accepted can be archived");
    let again = read(&archive, strictness).expect("a canonical archive is accepted");
    assert_eq!(again.content_digest, package.content_digest);
    assert_eq!(again.files, package.files);
    assert_eq!(again.archive().expect("it was archived before"), archive);
    assert_eq!(own(&again.manifest), own(&package.manifest));
    if package.warnings.len() < 100 {
        for warning in &again.warnings {
            assert!(package.warnings.iter().any(|known| is_same(known, warning)), "{warning} is new");
        }
    }
}

/// Checks that a path stays in its folder on all systems.
fn inside(path: &str) {
    assert!(path.len() <= 255 && !path.contains(['\\', ':', '\0']), "{path:?}");
    assert!(path.split('/').all(|piece| !matches!(piece, "" | "." | "..")), "{path:?}");
}

/// Removes the name of the top folder, which a canonical archive does not have.
fn own(manifest: &Manifest) -> Manifest {
    Manifest { slug_from_source: None, ..manifest.clone() }
}

/// Whether both findings have the same code and line. The name that replaces a missing one may differ, and the
/// entry file may have had another name.
fn is_same(one: &Finding, other: &Finding) -> bool {
    let path = |finding: &Finding| {
        let path = finding.path.clone()?;
        let is_entry_file = ["SKILL.md", "skills.md"].iter().any(|name| path.eq_ignore_ascii_case(name));
        Some(if is_entry_file { SKILL_MD.to_owned() } else { path })
    };
    (&one.code, path(one), one.line) == (&other.code, path(other), other.line)
}
