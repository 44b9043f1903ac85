//! Mirrors that somebody has tampered with: each is refused with what was found,
//! and nothing is touched.

use serde_json::json;

use crate::harness::{Desk, Forged, RawEntry, RawZip, Registry, Shared, Skill, StaticHost, noise};

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
fn forged(registry: &Registry) -> (Forged, Desk) {
    let forged = Forged::of(registry);
    let desk = Desk::new();
    desk.of(&forged.address(), "install hello@1.0.0").ok();
    (forged, desk)
}

#[test]
fn bytes_that_are_not_the_package() {
    let registry = REGISTRY.get(registry);
    let (forged, desk) = forged(&registry);
    let package = forged.package(HELLO, "1.1.0");
    let mut flipped = package.clone();
    flipped[package.len() / 2] ^= 1;
    let page = b"<!DOCTYPE html><title>Log in to this network</title>".to_vec();
    for (bytes, found) in [
        (forged.package("global/other", "1.0.0"), "bytes, and the package"),
        (flipped, "its sha256 is"),
        (package[..package.len() - 7].to_vec(), "bytes, and the package"),
        (Vec::new(), "it has 0 bytes"),
        (page, "an HTML page"),
        (noise(5_000, 9), "it has 5000 bytes"),
    ] {
        forged.put_package(HELLO, "1.1.0", &bytes);
        let said = desk.refused(&forged.address(), "install hello", "not_the_package");
        assert!(said.contains(found) && said.contains("@global/hello 1.1.0"), "{found}: {said}");
    }
    let host = StaticHost::over(forged.folder());
    let ran = desk.of(&host.base, "install hello --force");
    assert!(ran.code == 1 && ran.err.contains("it has 5000 bytes"), "{ran:?}");
    forged.put_package(HELLO, "1.1.0", &noise(3 << 20, 9));
    desk.refused(&forged.address(), "install hello", "too_large");
    std::fs::remove_file(forged.path(HELLO, "/versions/1.1.0/download.zip")).unwrap();
    desk.refused(&forged.address(), "install hello", "no_package");
}

#[test]
fn documents_that_contradict() {
    let registry = REGISTRY.get(registry);
    let digest = "0".repeat(64);
    for (document, fields, code, found) in [
        ("/resolve.json", json!({"sha256": digest}), "contradiction", "its own document says"),
        ("/resolve.json", json!({"slug": "other"}), "not_a_registry", "@global/other"),
        ("/resolve.json", json!({"namespace": "tools"}), "not_a_registry", "@tools/hello"),
        ("/resolve.json", json!({"version": "1.0.0"}), "contradiction", "its own document says"),
        ("/resolve.json", json!({"version": "../../x"}), "not_a_registry", "resolve.json"),
        ("/resolve.json", json!({"slug": "../x"}), "not_a_registry", "resolve.json"),
        ("/versions/1.1.0.json", json!({"sha256": digest}), "contradiction", "its own document says"),
        ("/versions/1.1.0.json", json!({"slug": "other"}), "contradiction", "@global/other"),
        ("/versions/1.1.0.json", json!({"version": "1.0.0"}), "contradiction", "1.0.0"),
        ("/versions/1.1.0.json", json!({"contentDigest": digest}), "contradiction", "content"),
        ("/versions/1.1.0.json", json!({"status": "yanked"}), "yanked", "1.1.0"),
    ] {
        let (forged, desk) = forged(&registry);
        forged.change(HELLO, document, &fields);
        let said = desk.refused(&forged.address(), "install hello", code);
        assert!(said.contains(found), "{fields}: {said}");
    }
    let (forged, desk) = forged(&registry);
    forged.change(HELLO, "/resolve/_version/1.1.0.json", &json!({"version": "1.0.0"}));
    let said = desk.refused(&forged.address(), "install hello@1.1.0", "not_a_registry");
    assert!(said.contains("@global/hello 1.0.0"), "{said}");
    // Without the version's document its digest is all there is, and enough.
    std::fs::remove_file(forged.path(HELLO, "/versions/1.1.0.json")).unwrap();
    desk.of(&forged.address(), "install hello").ok();
    forged.change(HELLO, "/resolve/_version/1.0.0.json", &json!({"sha256": digest}));
    std::fs::remove_file(forged.path(HELLO, "/versions/1.0.0.json")).unwrap();
    desk.refused(&forged.address(), "install hello@1.0.0", "not_the_package");
}

#[test]
fn archives_that_attack() {
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
        let (forged, desk) = forged(&registry);
        forged.forge_package(HELLO, "1.1.0", &RawZip::of(entries).build());
        let said = desk.refused(&forged.address(), "install hello --force", "package_refused");
        assert!(said.contains(found), "{name}: {said}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
        desk.refused(&forged.address(), "install hello --dir elsewhere", "package_refused");
    }
    let (forged, desk) = forged(&registry);
    for bytes in [b"no zip at all".to_vec(), forged.package(HELLO, "1.1.0")[..300].to_vec()] {
        forged.forge_package(HELLO, "1.1.0", &bytes);
        desk.refused(&forged.address(), "install hello", "package_refused");
    }
    // Another skill's package that is in order has other content than promised.
    forged.forge_package(HELLO, "1.1.0", &forged.package("global/other", "1.0.0"));
    desk.refused(&forged.address(), "install hello", "contradiction");
}

#[test]
fn reasons_cannot_move_the_cursor() {
    let registry = REGISTRY.get(registry);
    let (forged, desk) = forged(&registry);
    let fields = json!({"status": "yanked", "yankReason": "no\u{1b}[2J\u{7}\nway"});
    forged.change(HELLO, "/versions/1.1.0.json", &fields);
    let ran = desk.of(&forged.address(), "install hello");
    assert!(ran.code == 1 && !ran.err.trim_end().contains(|c: char| c.is_control()), "{ran:?}");
}
