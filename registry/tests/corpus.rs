//! Reads real packages from the folder `zips` in `SKILLMIRROR_CORPUS`, if that is set.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use registry::package::{FileRecord, Level, Limits, Package, ReadOptions, Refusal, Strictness};

fn read(bytes: &[u8], name: &str, strictness: Strictness) -> Result<Package, Refusal> {
    Package::from_zip(
        bytes,
        &ReadOptions { source_name: Some(name), strictness, limits: &Limits::default(), allowed_files: &[] },
    )
}

#[test]
fn real_packages_are_accepted_and_survive_their_archive() {
    let Some(corpus) = std::env::var_os("SKILLMIRROR_CORPUS") else {
        println!("SKILLMIRROR_CORPUS is not set: the test was skipped");
        return;
    };
    let folder = PathBuf::from(corpus).join("zips");
    let mut zips: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    zips.sort();
    let (mut accepted, mut strictly, mut held) = (0, 0, 0);
    for zip in &zips {
        let bytes = std::fs::read(zip).unwrap();
        let name = zip.file_name().unwrap().to_string_lossy();
        strictly += usize::from(read(&bytes, &name, Strictness::Strict).is_ok());
        match read(&bytes, &name, Strictness::Tolerant) {
            Ok(package) => {
                accepted += 1;
                held += usize::from(package.warnings.iter().any(|found| found.level == Some(Level::Error)));
                if !package.warnings.is_empty() {
                    for warning in &package.warnings {
                        println!("{:?} {name}: [{}] {warning}", warning.level, warning.code);
                    }
                }
                survives(&package, &name);
            }
            Err(refusal) => {
                for finding in &refusal.findings {
                    println!("REFUSED {name}: [{}] {finding}", finding.code);
                }
            }
        }
    }
    println!("{accepted} of {} accepted tolerantly, {strictly} strictly", zips.len());
    println!("{held} have a finding of the level that waits for a person");
    assert!(held * 100 <= zips.len() * 3, "{held} of {}", zips.len());
    assert!(accepted * 100 >= zips.len() * 95, "{accepted} of {}", zips.len());
}

/// Checks that the canonical archive has the same files and is its own canonical form.
fn survives(package: &Package, name: &str) {
    let archive = package.archive().unwrap();
    let again = read(&archive, name, Strictness::Tolerant).unwrap();
    let files: &[FileRecord] = &package.files;
    assert_eq!(again.files, files, "{name}");
    assert_eq!(again.content_digest, package.content_digest, "{name}");
    assert_eq!(again.fingerprints, package.fingerprints, "{name}");
    assert_eq!(again.archive().unwrap(), archive, "{name}");
    for file in files {
        assert_eq!(again.read(&file.path), package.read(&file.path), "{name}: {}", file.path);
    }
}
