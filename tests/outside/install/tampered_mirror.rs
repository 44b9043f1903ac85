//! Tampered mirrors: each is refused with a reason, and nothing changes.

use serde_json::json;

use crate::harness::{Project, RawEntry, RawZip, Registry, Shared, Skill, StaticHost, TamperedTree, noise};

static REGISTRY: Shared<Registry> = Shared::new();

const HELLO: &str = "global/hello";

fn registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    for version in ["1.0.0", "1.1.0"] {
        let skill = Skill::named("hello").file("noise.bin", noise(2_000, 3));
        registry.publish(skill.text(version)).version(version).by(&admin).expect(201);
    }
    registry.publish(Skill::named("other")).by(&admin).expect(201);
    registry
}

/// A tree to tamper with, and a desk on which the version before is installed.
fn tampered(registry: &Registry) -> (TamperedTree, Project) {
    let tampered = TamperedTree::of(registry);
    let project = Project::new();
    project.run_with(&tampered.address(), "install hello@1.0.0").ok();
    (tampered, project)
}

#[test]
fn bytes_of_another_package_are_refused() {
    let registry = REGISTRY.get(registry);
    let (tampered, project) = tampered(&registry);
    let package = tampered.package(HELLO, "1.1.0");
    let mut flipped = package.clone();
    flipped[package.len() / 2] ^= 1;
    let page = b"<!DOCTYPE html><title>Log in to this network</title>".to_vec();
    for (bytes, found) in [
        (tampered.package("global/other", "1.0.0"), "bytes, but the package"),
        (flipped, "its sha256 is"),
        (package[..package.len() - 7].to_vec(), "bytes, but the package"),
        (Vec::new(), "it has 0 bytes"),
        (page, "an HTML page"),
        (noise(5_000, 9), "it has 5000 bytes"),
    ] {
        tampered.put_package(HELLO, "1.1.0", &bytes);
        let printed = project.refused(&tampered.address(), "install hello", "not_the_package");
        assert!(printed.contains(found) && printed.contains(" hello 1.1.0"), "{found}: {printed}");
    }
    let host = StaticHost::over(tampered.folder());
    let output = project.run_with(&host.base, "install hello --force");
    assert!(output.code == 1 && output.stderr.contains("it has 5000 bytes"), "{output:?}");
    tampered.put_package(HELLO, "1.1.0", &noise(3 << 20, 9));
    project.refused(&tampered.address(), "install hello", "too_large");
    std::fs::remove_file(tampered.path(HELLO, "/versions/1.1.0/download.zip")).unwrap();
    project.refused(&tampered.address(), "install hello", "no_package");
}

#[test]
fn contradicting_documents_are_refused() {
    let registry = REGISTRY.get(registry);
    let digest = "0".repeat(64);
    for (document, fields, code, found) in [
        ("/resolve.json", json!({"sha256": digest}), "contradiction", "its document says"),
        ("/resolve.json", json!({"slug": "other"}), "not_a_registry", "about other "),
        ("/resolve.json", json!({"namespace": "tools"}), "not_a_registry", "@tools/hello"),
        ("/resolve.json", json!({"version": "1.0.0"}), "contradiction", "its document says"),
        ("/resolve.json", json!({"version": "../../x"}), "not_a_registry", "resolve.json"),
        ("/resolve.json", json!({"slug": "../x"}), "not_a_registry", "resolve.json"),
        ("/versions/1.1.0.json", json!({"sha256": digest}), "contradiction", "its document says"),
        ("/versions/1.1.0.json", json!({"slug": "other"}), "contradiction", "about other "),
        ("/versions/1.1.0.json", json!({"version": "1.0.0"}), "contradiction", "1.0.0"),
        ("/versions/1.1.0.json", json!({"contentDigest": digest}), "contradiction", "content"),
        ("/versions/1.1.0.json", json!({"status": "yanked"}), "yanked", "1.1.0"),
    ] {
        let (tampered, project) = tampered(&registry);
        tampered.change(HELLO, document, &fields);
        let printed = project.refused(&tampered.address(), "install hello", code);
        assert!(printed.contains(found), "{fields}: {printed}");
    }
    let (tampered, project) = tampered(&registry);
    tampered.change(HELLO, "/versions/1.1.0.json", &json!({"version": "1.0.0"}));
    let printed = project.refused(&tampered.address(), "install hello@1.1.0", "not_a_registry");
    assert!(printed.contains("about hello 1.0.0"), "{printed}");
    // Without the version's document its digest is all there is, and enough.
    std::fs::remove_file(tampered.path(HELLO, "/versions/1.1.0.json")).unwrap();
    project.run_with(&tampered.address(), "install hello").ok();
    tampered.change(HELLO, "/versions/1.0.0.json", &json!({"sha256": digest}));
    project.refused(&tampered.address(), "install hello@1.0.0", "not_the_package");
}

#[test]
fn hostile_archives_are_refused() {
    let registry = REGISTRY.get(registry);
    let md = || RawEntry::stored("SKILL.md", "---\nname: hello\n---\n");
    let file = |name: &str| RawEntry::stored(name, "x");
    let link = |name: &str| RawEntry::stored(name, "/etc/passwd").but(|entry| entry.mode = 0o120_777);
    let bomb = || RawEntry::deflated("bomb", &vec![0; 20 << 20]);
    for (name, entries, found) in [
        ("out", vec![md(), file("../x")], "../x"),
        ("deep", vec![md(), file("a/../../x")], "a/../../x"),
        ("absolute", vec![md(), file("/tmp/x")], "/tmp/x"),
        ("backslash", vec![md(), file("..\\x")], "..\\\\x"),
        ("drive", vec![md(), file("C:x")], "C:x"),
        ("link", vec![md(), link("link")], "link: "),
        ("through a link", vec![md(), link("a"), file("a/x")], "a: "),
        ("twice", vec![md(), file("a"), file("a")], "a: "),
        ("case", vec![md(), file("A"), file("a")], "letter case"),
        ("device", vec![md(), file("con.txt")], "con.txt: "),
        ("control", vec![md(), file("a\u{1b}[2Jb")], "\\u{1b}"),
        ("bomb", vec![md(), bomb()], "bomb: "),
        ("lying bomb", vec![md(), bomb().but(|entry| entry.size = 10)], "bomb: "),
        ("nothing", vec![], "holds no files"),
        ("pipe", vec![md(), file("p").but(|entry| entry.mode = 0o010_644)], "p: "),
    ] {
        let (tampered, project) = tampered(&registry);
        tampered.forge_package(HELLO, "1.1.0", &RawZip::of(entries).build());
        let printed = project.refused(&tampered.address(), "install hello --force", "package_refused");
        assert!(printed.contains(found), "{name}: {printed}");
        assert!(!printed.contains('\u{1b}'), "{printed:?}");
        project.refused(&tampered.address(), "install hello --dir elsewhere", "package_refused");
    }
    let (tampered, project) = tampered(&registry);
    for bytes in [b"no zip at all".to_vec(), tampered.package(HELLO, "1.1.0")[..300].to_vec()] {
        tampered.forge_package(HELLO, "1.1.0", &bytes);
        project.refused(&tampered.address(), "install hello", "package_refused");
    }
    // Another skill's package that is in order has other content than promised.
    tampered.forge_package(HELLO, "1.1.0", &tampered.package("global/other", "1.0.0"));
    project.refused(&tampered.address(), "install hello", "contradiction");
}

#[test]
fn yank_reason_with_control_characters_is_escaped() {
    let registry = REGISTRY.get(registry);
    let (tampered, project) = tampered(&registry);
    let fields = json!({"status": "yanked", "yankReason": "no\u{1b}[2J\u{7}\nway"});
    tampered.change(HELLO, "/versions/1.1.0.json", &fields);
    let output = project.run_with(&tampered.address(), "install hello");
    assert!(output.code == 1 && !output.stderr.trim_end().contains(|c: char| c.is_control()), "{output:?}");
}
