//! The address of the registry on pages.

use std::collections::BTreeMap;
use std::path::Path;

use generator::address::{Document, of_file};

use crate::harness::{Registry, Skill, run, sha256, tree};

const SOURCE: &str = "https://skills.example.org/be.low/it";
const MIRROR: &str = "https://mirror.example.net";

fn source() -> Registry {
    let mut registry = Registry::not_started();
    registry.start_with(&["--public-url", SOURCE]);
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry
}

fn text(tree: &BTreeMap<String, Vec<u8>>, file: &str) -> String {
    String::from_utf8(tree[file].clone()).unwrap()
}

#[track_caller]
fn follow(registry: &Registry, out: &Path, further: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let arguments = ["generate", "--feed", "public", "--out", out.to_str().unwrap()];
    run(registry.folder(), &arguments.iter().chain(further).map(Into::into).collect::<Vec<_>>()).ok();
    tree::contents(out)
}

#[test]
fn mirror_shows_its_own_address() {
    let registry = source();
    let whole = registry.tree_bytes();
    let page = "global/hello/index.html";
    assert!(text(&whole, page).contains(SOURCE), "{}", text(&whole, page));
    assert!(text(&whole, "404.html").contains("href=\"/be.low/it/assets/"), "{}", text(&whole, "404.html"));
    // Without an address of its own it is the source, byte for byte.
    let copy = registry.folder().join("copy");
    tree::assert_equal(&follow(&registry, &copy, &[]), &whole);
    // With a public URL, only the parts that show it differ.
    let mirror = registry.folder().join("mirror");
    let own = follow(&registry, &mirror, &["--public-url", MIRROR]);
    assert_eq!(own.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    let differing: Vec<_> =
        own.iter().filter(|(file, bytes)| whole[*file] != **bytes).map(|(f, _)| f).collect();
    for file in &differing {
        let (document, _) = of_file(file).unwrap();
        let is_own = matches!(document, Document::Settings | Document::Head);
        assert!(is_own || document.is_site_bound(), "{file} differs");
    }
    assert!(text(&own, page).contains(MIRROR) && !text(&own, page).contains(SOURCE));
    assert!(!text(&own, "404.html").contains("/be.low/it/"));
    let settings = text(&own, "api/v1/mirror/settings.json");
    assert!(settings.contains(&format!("\"publicUrl\":\"{MIRROR}\"")), "{settings}");
    let head = text(&own, "api/v1/mirror/head.json");
    assert!(head.contains(&sha256(settings.as_bytes())), "{head}");
    // The mirror keeps it, and so does a mirror of the mirror.
    let second = registry.folder().join("second");
    let arguments = ["generate", "--feed", "mirror", "--out", second.to_str().unwrap()];
    run(registry.folder(), &arguments.map(Into::into)).ok();
    tree::assert_equal(&tree::contents(&second), &own);
    // It may take it back.
    tree::assert_equal(&follow(&registry, &mirror, &[]), &whole);
}

#[test]
fn address_of_a_tree_survives_regeneration() {
    let mut registry = Registry::not_started();
    registry.start_with(&["--public-url", SOURCE]);
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    let whole = registry.tree_bytes();
    // Readers and writers do not see it.
    registry.command(["verify"]).ok();
    registry.command(["generate"]).ok();
    tree::assert_equal(&registry.tree_bytes(), &whole);
    registry.restart();
    tree::assert_equal(&registry.tree_bytes(), &whole);
    registry.publish(Skill::named("other")).by(&registry.admin()).expect(201);
    assert!(registry.page("/global/other/").contains(SOURCE));
    registry.stop();
    // An option changes it.
    registry.command(["generate", "--public-url", MIRROR]).ok();
    registry.command(["verify"]).ok();
    let page = String::from_utf8(registry.tree_file("global/other/index.html")).unwrap();
    assert!(page.contains(MIRROR) && !page.contains(SOURCE), "{page}");
    let printed = registry.command(["verify", "--public-url", SOURCE]);
    assert!(printed.stdout.contains("global/other/index.html"), "{printed:?}");
    assert!(!printed.stdout.contains("api/v1/skills.json"), "{printed:?}");
}

#[test]
fn invalid_public_url_is_refused_by_every_command() {
    let registry = Registry::start();
    for command in ["verify", "generate", "gc"] {
        for url in [
            "skills.example.org",
            "https://a.example/",
            "https://a.example/$(id)",
            "https://a.example/x';id;'",
        ] {
            let output = registry.command([command, "--public-url", url]);
            assert!(output.stderr.contains("public_url"), "{output:?}");
        }
    }
}

#[test]
fn address_of_a_source_is_escaped() {
    let mut registry = source();
    registry.stop();
    let settings = registry.public().join("api/v1/mirror/settings.json");
    let head = registry.public().join("api/v1/mirror/head.json");
    let (printed, old) =
        (std::fs::read_to_string(&settings).unwrap(), std::fs::read_to_string(&head).unwrap());
    for url in [
        "https://a.example/$(id)",
        "https://a.example/x';id;'",
        "https://a.example/x|y",
        "https://a.example/",
    ] {
        // All else of the feed is right.
        let hostile = printed.replace(SOURCE, url);
        std::fs::write(&settings, &hostile).unwrap();
        let head_of = old.replace(&sha256(printed.as_bytes()), &sha256(hostile.as_bytes()));
        assert_ne!(head_of, old);
        std::fs::write(&head, head_of).unwrap();
        let copy = registry.folder().join("copy");
        for further in [&[][..], &["--public-url", MIRROR]] {
            let arguments = ["generate", "--feed", "public", "--out", copy.to_str().unwrap()];
            let arguments = arguments.iter().chain(further).map(Into::into).collect::<Vec<_>>();
            let output = run(registry.folder(), &arguments);
            assert_eq!(output.code, 1, "{output:?}");
            assert!(output.stderr.contains("settings.json of "), "{output:?}");
            assert!(output.stderr.contains("the public URL `https://a.example/"), "{output:?}");
            assert!(!copy.join("global/hello/index.html").exists());
        }
    }
}
