//! Attestations are kept beside the versions that have one.

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::harness::{Project, Registry, Skill};

/// A Sigstore bundle about a file with this digest.
fn bundle(sha256: &str) -> Value {
    let statement = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "hello.zip", "digest": {"sha256": sha256}}],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {},
    });
    json!({
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": {"certificate": {"rawBytes": "AA=="}, "tlogEntries": []},
        "dsseEnvelope": {
            "payload": BASE64.encode(statement.to_string().as_bytes()),
            "payloadType": "application/vnd.in-toto+json",
            "signatures": [{"sig": "AA=="}],
        },
    })
}

#[test]
fn attestation_is_a_file_of_the_version_that_has_one() {
    let registry = Registry::start();
    let admin = registry.admin();
    let project = Project::new();
    let text = "---\nname: hello\ndescription: Greets people by name. Use it for greetings.\n---\n\nHello.\n";
    std::fs::create_dir_all(project.path("hello")).unwrap();
    std::fs::write(project.path("hello/SKILL.md"), text).unwrap();
    project.run("pack hello --out hello.zip").ok();
    let digest = crate::harness::sha256(&std::fs::read(project.path("hello.zip")).unwrap());
    let attestation = bundle(&digest).to_string();
    std::fs::write(project.path("good.json"), &attestation).unwrap();
    std::fs::write(project.path("bad.json"), bundle(&"0".repeat(64)).to_string()).unwrap();
    std::fs::write(project.path("large.json"), " ".repeat(70_000)).unwrap();
    std::fs::write(project.path("odd.json"), "{}").unwrap();
    let words = format!("publish hello --registry {}", registry.base());
    let variables = [("SKILLMIRROR_TOKEN", admin.token.as_str())];
    for (file, said) in [
        ("bad.json", "skillmirror pack"),
        ("large.json", "65536"),
        ("odd.json", "Sigstore"),
        ("none", "none"),
    ] {
        let output = project.run_in(&variables, &format!("{words} --attestation {file}"));
        assert!(output.code == 1 && output.stderr.contains(said), "{file}: {output:?}");
    }
    project.run_in(&variables, &format!("{words} --attestation good.json")).ok();

    let path = "/api/v1/skills/global/hello/versions/1.0.0";
    let shown = registry.get(&format!("{path}/attestation")).expect(200);
    assert_eq!(shown.text(), attestation, "to the byte");
    assert_eq!(registry.tree_bytes()[&format!("{}/attestation.json", &path[1..])], attestation.as_bytes());
    let record = registry.read(path);
    assert_eq!(record["sha256"], digest, "it is about the package that everybody gets");
    assert_eq!(record["attestationSha256"], crate::harness::sha256(attestation.as_bytes()));
    assert!(registry.get("/global/hello/1.0.0/").text().contains("its attestation"));

    // The others have none, and no file either.
    registry.publish(Skill::named("other")).by(&admin).expect(201);
    let other = "/api/v1/skills/global/other/versions/1.0.0";
    registry.get(&format!("{other}/attestation")).detail(404, "not_found");
    assert!(!registry.tree_bytes().keys().any(|path| path.contains("other") && path.contains("attestation")));
    let wrong = registry.publish(Skill::named("third")).field("attestation", &attestation).by(&admin);
    let why = wrong.detail(400, "invalid_request");
    assert!(why.contains("`attestation`") || why.contains("attestation:"), "{why}");
}
