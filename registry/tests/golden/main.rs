//! `registry/golden` has a row of every schema number ever written. These rows
//! must stay readable. A change of a shape needs a new number: keep the file of
//! the old number, and add a new one here.
//!
//! `UPDATE_GOLDEN=1` writes missing files. It never replaces one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod private;
mod public;

use std::path::PathBuf;

use registry::journal::{PublicRow, Row};
use registry::names::{Digest, WrittenRequired};
use registry::package::{FileRecord, Finding, Fingerprints, Level, finding_codes};
use registry::private as private_rows;
use registry::private::Job;
use registry::public::{
    Contents, DecodedRow, Id, NamespaceKind, NamespaceState, NamespaceStatus, Person, PromotionSource,
    PublicProvenance, Published, ScanVerdict, SourceProvenance, VerdictSummary,
};
use registry::time::Timestamp;

const REVISION: u64 = 41;

fn at() -> Timestamp {
    "2026-01-31T12:00:00Z".parse().unwrap()
}

fn golden_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.json"))
}

/// The golden row with this name.
fn stored(name: &str) -> String {
    let path = golden_path(name);
    let kept = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    kept.trim_end().to_owned()
}

fn golden(name: &str, json: &str) {
    let path = golden_path(name);
    if !path.exists() && std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, format!("{json}\n")).unwrap();
    }
    assert_eq!(json, stored(name), "{name} is encoded differently: it needs a new schema number");
}

fn namespace() -> NamespaceState {
    NamespaceState {
        slug: "team".parse().unwrap(),
        display_name: "The Team".into(),
        description: "Tools “for all”.".into(),
        kind: NamespaceKind::Team,
        status: NamespaceStatus::Frozen,
        review_required: true,
    }
}

fn published() -> (Published, Contents) {
    let person =
        |handle: &str, name: &str| Person { handle: handle.parse().unwrap(), display_name: name.into() };
    let digest = |text: &str| Digest::of(text.as_bytes());
    let published = Published {
        skill_id: Id(40),
        version_id: Id(41),
        namespace: "team".parse().unwrap(),
        slug: "hello".parse().unwrap(),
        version: "1.2.0-rc.1".parse().unwrap(),
        author: person("ann", "Ann"),
        published_by: person("bob", "Bob É."),
        name: "Hello".into(),
        description: "Says hello.".into(),
        keywords: vec!["greeting".into(), "挨拶".into()],
        headings: vec!["Say “hello”".into(), "使い方".into()],
        body_words: Vec::new(),
        license: Some("MIT".into()),
        homepage: Some("https://example.org/hello".into()),
        changelog: "First.\n".into(),
        tags: vec!["beta".parse().unwrap()],
        promoted_from: Some(PromotionSource {
            namespace: "other".parse().unwrap(),
            slug: "hello".parse().unwrap(),
            version: "1.0.0".parse().unwrap(),
        }),
        source_published_at: Some("2025-12-24T00:00:00Z".parse().unwrap()),
        file_count: 1,
        unpacked_size: 120,
        package_size: 260,
        sha256: digest("package"),
        content_digest: digest("content"),
        fingerprints: Fingerprints { text: digest("text"), all: digest("all") },
        provenance: None,
        attestation_sha256: None,
        requires: Vec::new(),
        verdicts: Vec::new(),
    };
    let metadata =
        serde_json::json!({ "name": "hello", "description": "Says hello.", "metadata": { "a": [1, null] } });
    let contents = Contents {
        metadata: metadata.as_object().unwrap().clone(),
        warnings: vec![Finding {
            path: Some("SKILL.md".into()),
            line: Some(3),
            column: None,
            code: "front_matter_repaired".into(),
            message: "was repaired".into(),
            level: None,
        }],
        files: vec![FileRecord {
            path: "SKILL.md".into(),
            size: 120,
            sha256: digest("file"),
            content_type: "text/markdown".into(),
            executable: false,
        }],
        attestation: None,
        scans: Vec::new(),
    };
    (published, contents)
}

/// A job of a private repository.
fn job() -> Job {
    Job {
        issuer: "https://gitlab.example.org".into(),
        host: "gitlab.example.org".into(),
        repository: "acme/skills".into(),
        owner_id: "77".into(),
        workflow: ".gitlab-ci.yml".into(),
        environment: Some("release".into()),
        commit: "0123456789abcdef0123456789abcdef01234567".into(),
        git_ref: Some("refs/tags/v1.2.0".into()),
        run: Some("4242".into()),
        is_public: false,
    }
}

/// What a scanner said.
fn scan() -> ScanVerdict {
    let found = Finding::new("odd/“rule”", "Is odd.").in_file("SKILL.md").at_line(2).at_level(Level::Warning);
    ScanVerdict { scanner: "judge".into(), scanner_version: "1.0 (α)".into(), findings: vec![found] }
}

/// A publication with findings of the own rules and of a scanner.
fn judged() -> (Published, Contents) {
    let (facts, contents) = published();
    let warnings = vec![Finding::new(finding_codes::PIPE_TO_SHELL, "Runs.").in_file("SKILL.md").at_line(3)];
    let own = VerdictSummary { scanner_version: "1".into(), ..VerdictSummary::of_own_rules(&warnings) };
    (
        Published { verdicts: vec![own, scan().summary()], ..facts },
        Contents { warnings, scans: vec![scan()], ..contents },
    )
}

/// A publication by a job, with an attestation and requirements.
fn built() -> (Published, Contents) {
    let (facts, contents) = published();
    let attestation = "{}".to_owned();
    let (provenance, attestation_sha256) = (job().public_provenance(true), Some(Digest::of(b"{}")));
    let requires = ["other/a@^1", "b"].map(|text| text.parse::<WrittenRequired>().unwrap());
    let requires = requires.map(|one| one.in_namespace(&facts.namespace)).to_vec();
    let facts = Published { provenance: provenance.map(Box::new), attestation_sha256, requires, ..facts };
    (facts, Contents { attestation: Some(attestation), ..contents })
}

/// A publication that was taken from a git repository.
fn followed() -> (Published, Contents) {
    let (facts, contents) = published();
    let source = SourceProvenance {
        address: "https://git.example.org/acme/skills".into(),
        commit: Some("0123456789abcdef0123456789abcdef01234567".into()),
        digest: None,
    };
    (Published { provenance: Some(Box::new(PublicProvenance::Source { source })), ..facts }, contents)
}

#[test]
fn decode_of_an_unknown_kind_names_the_revision() {
    for json in [
        r#"{"revision":41,"at":"2026-01-31T12:00:00Z","kind":"exploded","v":1}"#,
        r#"{"revision":41,"at":"2026-01-31T12:00:00Z","kind":"published","v":4}"#,
        r#"{"revision":40,"at":"2026-01-31T12:00:00Z","kind":"published","v":1}"#,
        r#"{"revision":41"#,
    ] {
        let why = DecodedRow::decode(&PublicRow::new(41, json.into())).unwrap_err().to_string();
        assert!(why.contains("revision 41"), "{why}");
    }
    for changes in [
        r#"[{"v":2,"kind":"user_disabled","handle":"ann"}]"#,
        r#"[{"v":3,"kind":"submitted"}]"#,
        r#"[{"v":1,"kind":"exploded"}]"#,
    ] {
        let private = format!(r#"{{"actor":null,"credential":null,"request":null,"changes":{changes}}}"#);
        let row = Row { revision: 41, at: at(), private, public: None };
        assert!(private_rows::decode(&row).unwrap_err().to_string().contains("revision 41"));
    }
}
