//! Installs from registries that sign their history.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::harness::{Project, Registry, Skill, StaticHost, TamperedTree, folder_address, noise};

const NAME: &str = "skills.example.org";
const HELLO: &str = "global/hello";

/// A registry that signs, with two versions of a skill. `keys` are copied from another one.
pub(super) fn signing(keys: Option<&Path>) -> Registry {
    let mut registry = Registry::configured("[mirror]\ncounter_interval = 86400\n");
    match keys {
        None => drop(registry.command(["key", "new", "--name", NAME]).ok()),
        Some(keys) => {
            let to = registry.folder().join("keys");
            fs::create_dir_all(&to).unwrap();
            for key in fs::read_dir(keys).unwrap() {
                let key = key.unwrap();
                fs::copy(key.path(), to.join(key.file_name())).unwrap();
            }
        }
    }
    registry.restart();
    let admin = registry.admin();
    registry.publish(Skill::named("other")).by(&admin).expect(201);
    for version in ["1.0.0", "1.1.0"] {
        let skill = Skill::named("hello").file("noise.bin", noise(2_000, 3));
        registry.publish(skill.text(version)).version(version).by(&admin).expect(201);
    }
    registry
}

pub(super) fn key(registry: &Registry) -> String {
    registry.command(["key", "show"]).ok().stdout.trim().to_owned()
}

pub(super) fn trust(project: &Project, address: &str, key: &str) {
    project.run(&format!("trust add {address} --vkey {key}")).ok();
}

#[test]
fn trusted_history_is_checked_from_every_kind_of_source() {
    let registry = signing(None);
    let (key, public) = (key(&registry), registry.public());
    let host = StaticHost::over(&public);
    for address in [registry.base().to_owned(), host.base.clone(), folder_address(&public)] {
        let project = Project::new();
        trust(&project, &address, &key);
        let output = project.run_with(&address, "install hello@1.0.0").ok();
        assert!(output.stdout.contains(", as skills.example.org has signed it"), "{output:?}");
        let log = &project.record()["skills"]["hello"]["log"];
        let page = registry.tree_json("api/v1/mirror/changes/1.json");
        let is_hello = |row: &&Value| row["slug"] == "hello" && row["version"] == "1.0.0";
        let row = page["changes"].as_array().unwrap().iter().find(is_hello).unwrap();
        assert_eq!((&log["name"], &log["revision"]), (&json!(NAME), &row["revision"]));
        assert_eq!(log["size"], registry.tree_json("api/v1/mirror/head.json")["log"]["size"]);
        // A run that changes nothing checks, and keeps the record.
        let record = project.record();
        project.run_with(&address, "install hello@1.0.0").ok();
        assert_eq!(project.record(), record);
        for words in ["verify skills --offline", "verify skills/hello --offline", "verify skills"] {
            let output = project.run(words).ok();
            assert!(output.stdout.contains("hello 1.0.0, as skills.example.org has signed it"), "{output:?}");
        }
        project.run_with(&address, "install hello").ok();
        project.write("hello/SKILL.md", "changed");
        let output = project.run("verify skills --offline");
        assert!(output.code == 1 && output.stderr.contains("SKILL.md (changed)"), "{output:?}");
        project.run("uninstall hello --force").ok();
        assert!(!project.path("skills/.skillmirror/hello.proof").exists());
    }
}

#[test]
fn package_is_verified_with_its_proof_alone() {
    let registry = signing(None);
    let (key, project) = (key(&registry), Project::new());
    let at = |rest: &str| format!("/api/v1/skills/{HELLO}/versions/1.1.0/{rest}");
    let package = registry.get(&at("download")).body;
    let proof = registry.get(&at("proof"));
    assert_eq!(proof.require_header("content-type"), "text/plain; charset=utf-8");
    fs::write(project.path("hello.zip"), &package).unwrap();
    let without = project.run(&format!("verify hello.zip --vkey {key}"));
    assert!(without.code == 1 && without.stderr.contains("no proof"), "{without:?}");
    fs::write(project.path("hello.zip.proof"), &proof.body).unwrap();
    let output = project.run(&format!("verify hello.zip --vkey {key}")).ok();
    assert!(output.stdout.contains("hello 1.1.0, as skills.example.org has signed it"), "{output:?}");
    let untrusted = project.run("verify hello.zip");
    assert!(untrusted.stderr.contains("no key of skills.example.org is trusted"), "{untrusted:?}");
    let mut changed = package.clone();
    changed[100] ^= 1;
    fs::write(project.path("changed.zip"), &changed).unwrap();
    let output = project.run(&format!("verify changed.zip --proof hello.zip.proof --vkey {key}"));
    assert!(output.code == 1 && output.stderr.contains("its sha256 is"), "{output:?}");
    let asked = format!("verify hello.zip --skill hello@1.1.0 --vkey {key} --registry {}", registry.base());
    fs::remove_file(project.path("hello.zip.proof")).unwrap();
    project.run(&asked).ok();
    let other = project.run(&asked.replace("1.1.0", "1.0.0"));
    assert!(other.code == 1 && other.stderr.contains("but the package of hello 1.0.0 has"), "{other:?}");
    let unsigned = Registry::start();
    unsigned.publish(Skill::named("hello")).by(&unsigned.admin()).expect(201);
    unsigned.get(&at("proof").replace("1.1.0", "1.0.0")).expect(404);
}

type Lie = (&'static str, &'static str, Box<dyn Fn(&TamperedTree)>);

fn at(tree: &TamperedTree, path: &str) -> PathBuf {
    tree.folder().join("api/v1").join(path)
}

/// The tile with the leaves' hashes.
fn tile(tree: &TamperedTree) -> PathBuf {
    let partial = at(tree, "log/tile/0/000.p");
    fs::read_dir(partial).unwrap().next().unwrap().unwrap().path()
}

fn changed(path: &str, from: &'static str, to: &'static str) -> Box<dyn Fn(&TamperedTree)> {
    let path = path.to_owned();
    Box::new(move |tree| {
        let text = fs::read_to_string(at(tree, &path)).unwrap();
        assert!(text.contains(from), "{path}");
        fs::write(at(tree, &path), text.replace(from, to)).unwrap();
    })
}

fn lies() -> Vec<Lie> {
    let version = "/versions/1.1.0.json";
    let index = move |value: Value| -> Box<dyn Fn(&TamperedTree)> {
        Box::new(move |tree| tree.change(HELLO, version, &json!({"logIndex": value})))
    };
    let of_tile = |change: fn(Vec<u8>) -> Vec<u8>| -> Box<dyn Fn(&TamperedTree)> {
        Box::new(move |tree| {
            let path = tile(tree);
            fs::write(&path, change(fs::read(&path).unwrap())).unwrap();
        })
    };
    let forge = |tree: &TamperedTree| {
        let package = tree.package("global/other", "1.0.0");
        tree.forge_package(HELLO, "1.1.0", &package);
    };
    vec![
        (
            "not_proved",
            "does not sign",
            Box::new(|tree| fs::remove_file(at(tree, "log/checkpoint")).unwrap()),
        ),
        ("not_proved", "is false", changed("log/checkpoint", "\n4\n", "\n5\n")),
        ("not_proved", "of the log others.example.org", changed("log/checkpoint", "skills.", "others.")),
        ("not_proved", "not a signed checkpoint", changed("log/checkpoint", "— skills", "skills")),
        ("not_proved", "names no row", index(Value::Null)),
        ("not_proved", "is about hello 1.0.0", index(json!(2))),
        ("not_proved", "about something else", index(json!(0))),
        ("not_proved", "not in the signed history", index(json!(99))),
        (
            "not_proved",
            "its row there has another text",
            changed("mirror/changes/1.json", "\"changelog\":\"\"", "\"changelog\":\"-\""),
        ),
        ("not_proved", "its row names a package with sha256", Box::new(forge)),
        (
            "not_proved",
            "do not match its checkpoint",
            of_tile(|mut tile| {
                tile[9] ^= 1;
                tile
            }),
        ),
        ("not_proved", "do not match its checkpoint", of_tile(|tile| tile[..40].to_vec())),
        ("too_large", "larger than the limit", of_tile(|tile| tile.repeat(1000))),
        (
            "not_proved",
            "lacks api/v1/log/tile/0/000.p/4",
            Box::new(|tree| fs::remove_file(tile(tree)).unwrap()),
        ),
        (
            "not_proved",
            "lacks api/v1/mirror/changes/1.json",
            Box::new(|tree| fs::remove_file(at(tree, "mirror/changes/1.json")).unwrap()),
        ),
    ]
}

#[test]
fn lies_about_the_history_are_refused() {
    let registry = signing(None);
    let key = key(&registry);
    for (code, said, lie) in lies() {
        let (tampered, project) = (TamperedTree::of(&registry), Project::new());
        trust(&project, &tampered.address(), &key);
        project.run_with(&tampered.address(), "install hello@1.0.0").ok();
        lie(&tampered);
        let printed = project.refused(&tampered.address(), "install hello", code);
        assert!(printed.contains(said), "{said}: {printed}");
    }
}
