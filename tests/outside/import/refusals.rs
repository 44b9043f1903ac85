//! Refused imports leave nothing behind.

use serde_json::json;

use crate::harness::{CommandOutput, Registry, Skill, noise, tree};

fn stopped(registry: &mut Registry) {
    registry.restart();
    registry.publish(Skill::named("hello")).version("1.0.0").by(&registry.admin()).expect(201);
    registry.stop();
}

fn import(registry: &Registry, path: &std::path::Path) -> CommandOutput {
    registry.command(["import".as_ref(), path.as_os_str()])
}

/// All the packages that are kept.
fn blobs(registry: &Registry) -> Vec<String> {
    tree::files(&registry.data().join("blobs"))
}

#[test]
fn taken_version_stores_no_package() {
    let mut registry = Registry::not_started();
    stopped(&mut registry);
    let before = blobs(&registry);
    assert_eq!(before.len(), 1);
    let zip = registry.write("other.zip", &Skill::named("hello").version("1.0.0").text("Other.\n").zip());
    let output = import(&registry, &zip);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("exists already with other content"), "{output:?}");
    assert_eq!(blobs(&registry), before);
}

#[test]
fn refused_import_creates_no_namespace() {
    let mut registry = Registry::not_started();
    stopped(&mut registry);
    registry.write("in/good.zip", &Skill::named("good").zip());
    registry.write("in/bad.zip", b"no zip");
    let line = |ns: &str, version: &str, zip: &str| {
        json!({"ns": ns, "slug": "a", "versions": [{"version": version, "zip": zip}]}).to_string() + "\n"
    };
    let lines = [
        line("crafts", "no version", "good.zip"),
        line("trades", "1.0.0", "bad.zip"),
        line("trades", "1.0.0", "nowhere.zip"),
    ];
    registry.write("in/manifest.jsonl", lines.concat().as_bytes());
    let before = blobs(&registry);
    let output = import(&registry, &registry.folder().join("in"));
    assert_eq!(output.code, 1, "{output:?}");
    assert_eq!(blobs(&registry), before);
    assert_eq!(registry.tree_json("api/v1/namespaces.json")["total"], 1, "only `global`");

    registry.write("in/manifest.jsonl", line("crafts", "1.0", "good.zip").as_bytes());
    import(&registry, &registry.folder().join("in")).ok();
    assert_eq!(registry.tree_json("api/v1/skills/crafts/a.json")["version"], "1.0.0");
}

#[test]
fn imported_zip_is_held_to_the_upload_limit() {
    let mut registry = Registry::configured("[limits]\nzip = 2000\n");
    stopped(&mut registry);
    let zip = registry.write("large.zip", &Skill::named("large").file("data", noise(3000, 1)).zip());
    let output = import(&registry, &zip);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output.stdout.contains("larger than 2000 bytes") && output.stdout.contains("limits.zip"),
        "{output:?}"
    );
    // The content is not what is measured: as a folder it comes in.
    let folder = registry.folder().join("large");
    Skill::named("large").file("data", noise(3000, 1)).write_to(&folder);
    import(&registry, &folder).ok();
    // Nor is a zip held to what its content may have.
    registry.write("config.toml", b"[limits]\nunpacked = 200\nratio = 1000\n");
    let zip = registry.write("small.zip", &Skill::named("small").file("a", "").file("b", "").zip());
    assert!(zip.metadata().unwrap().len() > 200);
    import(&registry, &zip).ok();
}
