//! Imports with a `manifest.jsonl`.

use serde_json::json;

use crate::harness::{Registry, Skill};

/// A folder with two skills of the team `crafts` and one of `global`, whose
/// front matter says something else than the manifest.
fn corpus(registry: &Registry) -> std::path::PathBuf {
    registry.write("in/zips/a1.zip", &Skill::named("inner").version("9.9.9").text("1").zip());
    registry.write("in/zips/a2.zip", &Skill::named("inner").text("2").zip());
    registry.write("in/zips/b.zip", &Skill::nameless().zip());
    registry.write("in/zips/c.zip", &Skill::named("see").zip());
    let lines = [
        json!({"ns": "crafts", "slug": "outer", "name": "outer", "versions": [
            {"version": "1.0.0", "published": 1_769_549_722, "zip": "zips/a1.zip", "files": 1},
            {"version": "1.5.0", "published": 1_769_549_800, "zip": "zips/a2.zip"}], "source": "test"}),
        json!({"ns": "crafts", "slug": "bee", "versions": [{"version": "v0.1", "zip": "zips/b.zip"}]}),
        json!({"ns": "global", "slug": "see", "versions": [{"version": "3.0.0", "zip": "zips/c.zip"}]}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    registry.write("in/manifest.jsonl", text.as_bytes());
    registry.folder().join("in")
}

fn started_once() -> Registry {
    let mut registry = Registry::start();
    registry.stop();
    registry
}

#[test]
fn manifest_sets_names_versions_and_times() {
    let registry = started_once();
    let folder = corpus(&registry);
    registry.command(["import".as_ref(), folder.as_os_str()]).ok();

    let outer = registry.tree_json("api/v1/skills/crafts/outer/versions.json");
    let versions = outer["items"].as_array().unwrap();
    assert_eq!((&versions[0]["version"], &versions[1]["version"]), (&json!("1.5.0"), &json!("1.0.0")));
    assert_eq!(versions[1]["sourcePublishedAt"], "2026-01-27T21:35:22Z");
    assert_ne!(versions[1]["publishedAt"], versions[1]["sourcePublishedAt"]);
    assert_eq!(registry.tree_json("api/v1/skills/crafts/bee.json")["version"], "0.1.0");
    assert_eq!(registry.tree_json("api/v1/skills/global/see.json")["version"], "3.0.0");
    assert_eq!(registry.tree_json("api/v1/namespaces/crafts.json")["skillCount"], 2, "made when missing");
    assert!(!registry.tree().iter().any(|path| path.contains("inner")), "the manifest's slug wins");
    let bee = registry.tree_json("api/v1/skills/crafts/bee/versions/0.1.0.json");
    let warnings = bee["warnings"].as_array().unwrap();
    let warned = warnings.iter().find(|warning| warning["code"] == "name_missing").unwrap();
    let why = "the front matter has no `name`: published as `bee`, which the request named; add one";
    assert_eq!((&warned["path"], &warned["message"]), (&json!("SKILL.md"), &json!(why)));
}

#[test]
fn second_import_of_a_manifest_adds_nothing() {
    let registry = started_once();
    let folder = corpus(&registry);
    registry.command(["import".as_ref(), folder.as_os_str()]).ok();
    let before = registry.tree_bytes();
    registry.command(["import".as_ref(), folder.as_os_str()]).ok();
    assert_eq!(registry.tree_bytes(), before);
}

#[test]
fn namespace_option_takes_precedence_over_the_manifest() {
    let mut registry = Registry::start();
    registry.team("elsewhere", &registry.admin());
    registry.stop();
    let folder = corpus(&registry);
    registry
        .command(["import".as_ref(), folder.as_os_str(), "--namespace".as_ref(), "elsewhere".as_ref()])
        .ok();
    let skills = registry.tree_json("api/v1/skills/_list/elsewhere/updated-1.json");
    assert_eq!(skills["total"], 3);
    assert!(!registry.tree().contains(&"api/v1/namespaces/crafts.json".to_owned()));
}

#[test]
fn invalid_manifest_entry_is_named() {
    let registry = started_once();
    let line =
        json!({"ns": "crafts", "slug": "gone", "versions": [{"version": "1.0.0", "zip": "zips/gone.zip"}]});
    registry.write("in/manifest.jsonl", format!("{line}\n").as_bytes());
    let output = registry.command(["import".as_ref(), registry.folder().join("in").as_os_str()]);
    assert!(output.printed().contains("gone.zip"), "{output:?}");
    registry.write("in/manifest.jsonl", b"{\"ns\": \"crafts\"\n");
    let output = registry.command(["import".as_ref(), registry.folder().join("in").as_os_str()]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.printed().contains("manifest.jsonl, line 1"), "file and line: {output:?}");
}
