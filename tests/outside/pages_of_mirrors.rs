//! Pages show where people reach the registry: each tree says where it is.

use std::collections::BTreeMap;
use std::path::Path;

use super::harness::{Registry, Skill, run, sha256, tree};

const SOURCE: &str = "https://skills.example.org/below";
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
fn a_mirror_says_where_it_is_itself() {
    let registry = source();
    let whole = registry.tree_bytes();
    let page = "global/hello/index.html";
    assert!(text(&whole, page).contains(SOURCE), "{}", text(&whole, page));
    assert!(text(&whole, "404.html").contains("/below/assets/"), "{}", text(&whole, "404.html"));
    // Without an address of its own it is the source, byte for byte.
    let copy = registry.folder().join("copy");
    tree::assert_equal(&follow(&registry, &copy, &[]), &whole);
    // With one, what shows it differs, and nothing else.
    let mirror = registry.folder().join("mirror");
    let own = follow(&registry, &mirror, &["--public-url", MIRROR]);
    assert_eq!(own.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    let differing: Vec<_> =
        own.iter().filter(|(file, bytes)| whole[*file] != **bytes).map(|(f, _)| f).collect();
    for file in &differing {
        let is_own = ["api/v1/mirror/settings.json", "api/v1/mirror/head.json"].contains(&file.as_str());
        let plain = file.strip_suffix(".gz").unwrap_or(file);
        let is_page = plain == "404.html" || plain == page;
        assert!(is_own || is_page, "{file} differs");
    }
    assert!(text(&own, page).contains(MIRROR) && !text(&own, page).contains(SOURCE));
    assert!(!text(&own, "404.html").contains("/below/"));
    let settings = text(&own, "api/v1/mirror/settings.json");
    assert!(settings.contains(&format!("\"publicUrl\":\"{MIRROR}\"")), "{settings}");
    let head = text(&own, "api/v1/mirror/head.json");
    assert!(head.contains(&sha256(settings.as_bytes())), "{head}");
    // The mirror goes on saying so, and a mirror of the mirror follows it.
    let second = registry.folder().join("second");
    let arguments = ["generate", "--feed", "mirror", "--out", second.to_str().unwrap()];
    run(registry.folder(), &arguments.map(Into::into)).ok();
    tree::assert_equal(&tree::contents(&second), &own);
    // It may take it back.
    tree::assert_equal(&follow(&registry, &mirror, &[]), &whole);
}

#[test]
fn what_a_tree_says_of_its_address_stays() {
    let mut registry = Registry::not_started();
    registry.start_with(&["--public-url", SOURCE]);
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    let whole = registry.tree_bytes();
    // Nobody else is told where it is: not who looks, nor who writes.
    registry.command(["verify"]).ok();
    registry.command(["generate"]).ok();
    tree::assert_equal(&registry.tree_bytes(), &whole);
    registry.start_again();
    tree::assert_equal(&registry.tree_bytes(), &whole);
    registry.publish(Skill::named("other")).by(&registry.admin()).expect(201);
    assert!(registry.page("/global/other/").contains(SOURCE));
    registry.stop();
    // It changes where someone says so.
    registry.command(["generate", "--public-url", MIRROR]).ok();
    registry.command(["verify"]).ok();
    let page = String::from_utf8(registry.tree_file("global/other/index.html")).unwrap();
    assert!(page.contains(MIRROR) && !page.contains(SOURCE), "{page}");
    let said = registry.command(["verify", "--public-url", SOURCE]);
    assert!(said.out.contains("global/other/index.html"), "{said:?}");
    assert!(!said.out.contains("global/index.html"), "{said:?}");
}

#[test]
fn an_address_that_is_none_is_refused_by_every_command() {
    let registry = Registry::start();
    for command in ["verify", "generate", "gc"] {
        let ran = registry.command([command, "--public-url", "skills.example.org"]);
        assert!(ran.err.contains("public_url"), "{ran:?}");
    }
}
