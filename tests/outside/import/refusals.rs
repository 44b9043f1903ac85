//! Refused imports leave nothing behind.

use std::os::unix::fs::symlink;

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
fn secret_file_is_refused_unless_its_path_is_allowed() {
    let mut registry = Registry::not_started();
    stopped(&mut registry);
    let zip = registry.write("npm.zip", &Skill::named("npm").file(".npmrc", "save-exact=true\n").zip());
    let output = import(&registry, &zip);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("--allow-file"), "{output:?}");
    let zip = zip.to_str().unwrap();
    registry.command(["import", zip, "--allow-file", ".npmrc"]).ok();
    assert_eq!(registry.tree_json("api/v1/skills/global/npm.json")["version"], "1.0.0");
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

#[test]
fn link_and_pipe_are_refused_without_waiting() {
    let mut registry = Registry::not_started();
    stopped(&mut registry);
    let outside = registry.write("outside/secret.zip", &Skill::named("secret").zip());
    registry.write("in/good.zip", &Skill::named("good").zip());
    let inside = registry.folder().join("in");
    symlink(&outside, inside.join("link.zip")).unwrap();
    for pipe in ["in/pipe.zip", "pipe.zip"] {
        let made = std::process::Command::new("mkfifo").arg(registry.folder().join(pipe)).status().unwrap();
        assert!(made.success());
    }
    let output = import(&registry, &inside);
    assert!(output.stdout.contains("symbolic link") && output.stdout.contains("regular file"), "{output:?}");
    assert!(
        output.stdout.contains("imported 1 version;") && output.stdout.contains("2 refused"),
        "{output:?}"
    );
    let named = import(&registry, &registry.folder().join("pipe.zip"));
    assert!(named.code == 1 && named.stdout.contains("regular file"), "{named:?}");

    symlink("../outside", inside.join("folder")).unwrap();
    let line = |slug: &str, zip: &str| {
        json!({"ns": "crafts", "slug": slug, "versions": [{"version": "1.0.0", "zip": zip}]}).to_string()
            + "\n"
    };
    let lines = [line("a", "link.zip"), line("b", "folder/secret.zip"), line("c", "pipe.zip")];
    registry.write("in/manifest.jsonl", lines.concat().as_bytes());
    let output = import(&registry, &inside);
    assert!(output.code == 1 && output.stdout.contains("3 refused"), "{output:?}");
    assert!(!registry.tree().iter().any(|file| file.contains("secret")), "nothing from outside is in it");
}

#[test]
fn import_without_registry_creates_one_only_if_asked() {
    let registry = Registry::not_started();
    let zip = registry.write("hello.zip", &Skill::named("hello").version("1.0.0").zip());
    let output = import(&registry, &zip);
    assert!(output.code == 1 && output.stderr.contains("no registry in"), "{output:?}");
    assert!(output.stderr.contains("--init") && output.stderr.contains("--data"), "{output:?}");
    assert!(!registry.data().exists() && !registry.public().exists());
    let output = registry.command(["import".as_ref(), "--init".as_ref(), zip.as_os_str()]).ok();
    assert!(output.stdout.contains("imported 1 version"), "{output:?}");
    // It may stay in scripts.
    registry.command(["import".as_ref(), "--init".as_ref(), zip.as_os_str()]).ok();
}
