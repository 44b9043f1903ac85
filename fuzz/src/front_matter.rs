//! The target `front_matter`: the text of a SKILL.md.

use registry::package::{Limits, LooseFile, Manifest, Package, ReadOptions, Refusal, Strictness};

/// Checks that a strictly valid text reads the same if tolerant, and that manifests are
/// within the limits of docs/api/packages.md.
pub fn hold(bytes: &[u8]) {
    let (strict, tolerant) = (read(bytes, Strictness::Strict), read(bytes, Strictness::Tolerant));
    for result in [&strict, &tolerant] {
        match result {
            Ok(package) => bounded(&package.manifest),
            Err(refusal) => assert!(!refusal.findings.is_empty()),
        }
    }
    if let Ok(strict) = strict {
        let tolerant = tolerant.expect("what is strictly good is tolerantly good");
        assert_eq!(strict.manifest, tolerant.manifest);
        assert_eq!(strict.warnings, tolerant.warnings);
    }
}

fn read(bytes: &[u8], strictness: Strictness) -> Result<Package, Refusal> {
    let file = LooseFile { path: "SKILL.md".into(), executable: false, content: bytes.to_vec() };
    // Smaller than the defaults, so that short inputs can reach them.
    let limits = Limits { front_matter: 4 << 10, depth: 8, nodes: 200, ..Limits::default() };
    Package::from_files(
        vec![file],
        &ReadOptions { source_name: Some("a-skill.zip"), strictness, limits: &limits, allowed_files: &[] },
    )
}

fn bounded(manifest: &Manifest) {
    let Manifest { description, title, license, homepage, keywords, requires, .. } = manifest;
    let length = |text: &str| text.chars().count();
    assert!((1..=1024).contains(&length(description)), "{description:?}");
    assert_eq!(description.trim(), description);
    for text in [title, license].into_iter().flatten() {
        assert!((1..=128).contains(&length(text)), "{text:?}");
    }
    if let Some(homepage) = homepage {
        let scheme = homepage.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        assert!(matches!(scheme.as_deref(), Some("http" | "https")), "{homepage:?}");
        assert!(length(homepage) <= 2048);
    }
    assert!(requires.len() <= 32);
    assert!(keywords.len() <= 32);
    for (at, keyword) in keywords.iter().enumerate() {
        assert!((1..=64).contains(&length(keyword)), "{keyword:?}");
        assert!(!keywords[..at].contains(keyword), "{keyword:?} twice");
    }
    assert!(manifest.slug().is_some());
}
