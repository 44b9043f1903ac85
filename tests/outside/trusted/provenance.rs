//! Where a version is from: proved offline, demanded by clients, and pinned by lock files.

use std::fs;

use serde_json::json;

use super::issuer::COMMIT;
use super::{Issuer, Trusting, github, settings};
use crate::harness::{Project, Registry, Skill, TamperedTree, folder_address};

/// A registry that signs, with versions by a job and one by a person.
fn signing() -> (Trusting, String) {
    let issuer = Issuer::new();
    let mut registry =
        Registry::configured(&format!("{}[mirror]\ncounter_interval = 86400\n", settings(&issuer)));
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    registry.restart();
    let world = Trusting::of(registry, issuer);
    world.trust(&json!({})).expect(201);
    world.publish("1.0.0", &github(&json!({})));
    world.registry.publish(Skill::named("by-hand")).to("tools").by(&world.ann).expect(201);
    let key = world.registry.command(["key", "show"]).ok().stdout.trim().to_owned();
    (world, key)
}

#[test]
fn snapshot_and_key_tell_a_stranger_the_commit() {
    let (world, key) = signing();
    let registry = &world.registry;
    let file = registry.folder().join("all.tar.zst");
    registry.command(["snapshot", "create", "--out", file.to_str().unwrap()]).ok();
    let project = Project::new();
    fs::copy(&file, project.path("all.tar.zst")).unwrap();
    project.run(&format!("snapshot apply all.tar.zst --to mirror --vkey {key}")).ok();
    let mirror = folder_address(&project.path("mirror"));
    project.run(&format!("trust add {mirror} --vkey {key}")).ok();
    project.run_with(&mirror, "install @tools/hello").ok();
    let built =
        format!("built from github.com/acme/skills at {COMMIT} (refs/tags/v1.0.0) by publish.yml, run 4242");
    let output = project.run("verify skills --offline").ok();
    assert!(output.stdout.contains(&built), "{output:?}");
    let versions = "api/v1/skills/tools/hello/versions";
    fs::copy(project.path(&format!("mirror/{versions}/1.0.0/download.zip")), project.path("hello.zip"))
        .unwrap();
    fs::write(project.path("hello.zip.proof"), registry.get(&format!("/{versions}/1.0.0/proof")).body)
        .unwrap();
    let output = project.run(&format!("verify hello.zip --vkey {key} --json")).ok();
    assert!(
        output.stdout.contains(COMMIT) && output.stdout.contains("\"github.com/acme/skills\""),
        "{output:?}"
    );
    assert!(registry.get("/tools/hello/1.0.0/").text().contains(&format!("github.com/acme/skills@{COMMIT}")));
}

#[test]
fn mirror_that_shows_another_commit_is_refused() {
    let (world, key) = signing();
    let tree = TamperedTree::of(&world.registry);
    let address = tree.address();
    let mut shown = world.registry.read("/api/v1/skills/tools/hello/versions/1.0.0")["provenance"].clone();
    shown["commit"] = json!("f".repeat(40));
    tree.change("tools/hello", "/versions/1.0.0.json", &json!({"provenance": shown}));
    // With a key, the row of the signed history says otherwise.
    let project = Project::new();
    project.run(&format!("trust add {address} --vkey {key}")).ok();
    let why = project.refused(&address, "install @tools/hello", "provenance");
    assert!(why.contains(COMMIT) && why.contains("ffffffff"), "{why}");
    // Without one, the lock file does.
    let project = Project::new();
    project.run_with(world.registry.base(), "install @tools/hello@1.0.0").ok();
    let lock = lock_of(&project);
    assert!(lock.contains(&format!("built_from = \"github.com/acme/skills@{COMMIT}\"")), "{lock}");
    fs::remove_dir_all(project.path("skills")).unwrap();
    let why = project.refused(&address, "install", "lock_differs");
    assert!(why.contains(COMMIT) && why.contains("ffffffff"), "{why}");
    // Nor may it hide where the version is from.
    tree.change("tools/hello", "/versions/1.0.0.json", &json!({"provenance": null}));
    let why = project.refused(&address, "install", "lock_differs");
    assert!(why.contains(COMMIT), "{why}");
    project.run("install").ok();
}

#[test]
fn required_provenance_refuses_what_others_have_built() {
    let (world, key) = signing();
    let base = world.registry.base();
    let project = Project::new();
    project.run(&format!("trust add {base} --vkey {key}")).ok();
    let output = project.run("trust require-provenance acme");
    assert!(output.code == 2 && output.stderr.contains("github.com/acme/*"), "{output:?}");
    project.run("trust require-provenance github.com/other/* gitlab.com/acme/skills").ok();
    let why = project.refused(base, "install @tools/hello", "policy");
    assert!(why.contains("github.com/acme/skills@") && why.contains("trust.json"), "{why}");
    project.run("trust require-provenance GitHub.com/acme/*").ok();
    assert!(project.run("trust list").ok().stdout.contains("GitHub.com/acme/*"));
    project.run_with(base, "install @tools/hello").ok();
    let why = project.refused(base, "install @tools/by-hand", "policy");
    assert!(why.contains("no job of a known repository"), "{why}");
    // An update, and a restore from a lock file.
    let skill = Skill::named("hello").text("By hand.\n");
    world.registry.publish(skill).to("tools").version("1.1.0").by(&world.ann).expect(201);
    let output = project.run("update");
    assert!(output.code == 1 && output.stderr.contains("no job of a known repository"), "{output:?}");
    assert!(lock_of(&project).contains("version = \"1.0.0\""), "{}", lock_of(&project));
    let other = Project::new();
    other.run_with(base, "install @tools/by-hand").ok();
    fs::write(project.path("skills.lock"), lock_of(&other)).unwrap();
    fs::remove_file(project.path("skills.toml")).ok();
    let output = project.run("install");
    assert!(output.code == 1 && output.stderr.contains("no job of a known repository"), "{output:?}");
    // A registry that nobody has signed proves nothing.
    let unsigned = Project::new();
    unsigned.run("trust require-provenance github.com/acme/*").ok();
    let why = unsigned.refused(base, "install @tools/hello@1.0.0", "policy");
    assert!(why.contains("skillmirror trust add"), "{why}");
    unsigned.run("trust require-provenance").ok();
    unsigned.run_with(base, "install @tools/hello").ok();
}

fn lock_of(project: &Project) -> String {
    fs::read_to_string(project.path("skills.lock")).unwrap()
}
