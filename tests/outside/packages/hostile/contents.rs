//! Contents that are refused, and unusual ones that are accepted.

use super::{RawEntry, RawZip, Row, refused, skill, with};
use crate::outside::harness::{Registry, Skill, extra, tree};

#[test]
fn secrets_are_refused() {
    // In parts, so that this file has no secret.
    let key = ["-----BEGIN ", "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n"].concat();
    let token = ["ghp", "_Zk3Zk3Zk3Qw9rTy2Lp8VbXc4Nm6HsJd1Fg7A"].concat();
    let zip = with([
        RawEntry::deflated("a/key.pem", format!("\n\n{key}").as_bytes()),
        RawEntry::stored("b.env", format!("\n\nTOKEN={token}\n")),
    ]);
    let row = Row::new("secrets", &zip, &[("secret_found", "a/key.pem"), ("secret_found", "b.env")]);
    refused(&[Row { line: Some(3), ..row }.says("revoke it")]);
}

#[test]
fn invalid_entry_file_is_refused() {
    let file =
        |name: &str, bytes: &[u8]| RawZip::of([RawEntry::stored(name, bytes), RawEntry::stored("b", "")]);
    let latin = file("SKILL.md", b"---\nname: x\ndescription: caf\xe9\n---\n");
    let missing = [("skill_md_missing", "")];
    refused(&[
        Row { line: Some(3), ..Row::new("Latin-1", &latin, &[("skill_md_not_utf8", "SKILL.md")]) },
        Row::new("none", &file("README.md", b"x"), &missing),
        Row::new("too deep", &file("a/SKILL.md", &skill().data), &missing),
        Row::new("a folder", &file("SKILL.md/", b""), &missing),
        Row::new("no entries", &RawZip::default(), &missing),
    ]);
}

#[test]
fn changelog_over_16_kib_is_a_bad_field() {
    let registry = Registry::start();
    let send = |length: usize| {
        registry.publish(Skill::named("logged")).changelog(&"x".repeat(length)).by(&registry.admin())
    };
    let problem = send((16 << 10) + 1).problem(400, "invalid_request");
    assert_eq!(problem["errors"][0]["field"], "changelog", "{problem}");
    send(16 << 10).expect(201);
}

/// Odd but harmless content.
#[test]
fn unusual_but_valid_contents_are_accepted() {
    let registry = Registry::start();
    let nested = Skill::named("inner").zip();
    let times = extra(0x0a, &[0; 32]);
    let config = "[core]\n\tfsmonitor = evil\n";
    let zip = RawZip::of([
        skill().but(|entry| entry.extra = times).streamed(),
        RawEntry::stored("nested.zip", &nested),
        RawEntry::stored(format!("{}x", "d/".repeat(127)), "deep"),
        RawEntry::stored("ü.md", "no flag"),
        RawEntry::stored("A/x", ""),
        RawEntry::stored("a/y", ""),
        RawEntry::stored("\u{2764}\u{fe0f}.md", ""),
        RawEntry::stored(".GIT/config", config),
        RawEntry::stored(".g\u{200c}it/config", config),
        RawEntry::stored("node_modules/.bin/x", "../x").but(|entry| entry.mode = 0o120_777),
        RawEntry::deflated("setuid", b"x").but(|entry| entry.mode = 0o104_755),
        RawEntry::deflated("empty/", b""),
    ])
    .but(|zip| zip.comment = b"made by hand".to_vec());
    let response = registry.publish_bytes(zip.build()).by(&registry.admin()).expect_json(201);
    assert_eq!(response["fileCount"], 8, "{response}");
    let warnings = response["warnings"].as_array().unwrap();
    let dropped: Vec<_> = warnings.iter().map(|warning| warning["path"].as_str().unwrap()).collect();
    assert_eq!(dropped, [".GIT", ".g\u{200c}it", "nested.zip", "node_modules"]);

    let package = registry.get("/api/v1/skills/global/hostile/download").expect(200).body;
    let files = tree::unpacked(&package);
    assert_eq!((&files["nested.zip"].0, files["setuid"].1), (&nested, 0o755));
}
