//! A tree that was signed stays signed, wherever a command is run.

use std::fs;
use std::path::Path;

use crate::harness::{CREDENTIALS, CommandOutput, ObjectStore, Registry, Skill, run, tree};

/// A stopped registry whose tree is signed.
fn signed() -> Registry {
    let mut registry = Registry::not_started();
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    registry.restart();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    registry
}

/// Runs a command in another folder than the registry's.
fn elsewhere(registry: &Registry, folder: &Path, arguments: &[&str]) -> CommandOutput {
    let (data, public) = (registry.data(), registry.public());
    let folders = ["--data", data.to_str().unwrap(), "--public", public.to_str().unwrap()];
    run(folder, &[arguments, &folders].concat().into_iter().map(Into::into).collect::<Vec<_>>())
}

fn checkpoint(registry: &Registry) -> Vec<u8> {
    registry.tree_file("api/v1/log/checkpoint")
}

#[test]
fn keys_are_beside_the_data_folder() {
    let registry = signed();
    let other = tempfile::tempdir().unwrap();
    let before = registry.tree_bytes();
    elsewhere(&registry, other.path(), &["generate"]).ok();
    tree::assert_equal(&registry.tree_bytes(), &before);
    let shown = elsewhere(&registry, other.path(), &["key", "show"]).ok().stdout;
    assert_eq!(shown, registry.command(["key", "show"]).ok().stdout);
    // Of the folder itself, too.
    let shown =
        run(&registry.data(), &["key", "show", "--data", ".", "--public", "../public"].map(Into::into))
            .ok()
            .stdout;
    assert_eq!(shown, registry.command(["key", "show"]).ok().stdout);
    registry.write("hello.zip", &Skill::named("more").zip());
    let zip = registry.folder().join("hello.zip");
    elsewhere(&registry, other.path(), &["import", zip.to_str().unwrap()]).ok();
    registry.command(["verify"]).ok();
    assert!(!other.path().join("keys").exists());
}

#[test]
fn signed_tree_is_not_written_without_its_key() {
    let registry = signed();
    let (keys, before) = (registry.folder().join("keys"), registry.tree_bytes());
    registry.write("more.zip", &Skill::named("more").zip());
    let away = registry.folder().join("away");
    fs::rename(&keys, &away).unwrap();
    let refused = |registry: &Registry, has: &str| {
        for command in [&["serve", "--listen", "0"][..], &["generate"], &["watch"], &["watch", "--once"]] {
            let said = registry.command(command);
            assert_eq!(said.code, 1, "{command:?}: {said:?}");
            for words in [keys.to_str().unwrap(), has, "signing.keys", "--unsigned", "skills.example.org"] {
                assert!(said.stderr.contains(words), "{command:?} {words}: {said:?}");
            }
        }
        tree::assert_equal(&registry.tree_bytes(), &before);
    };
    refused(&registry, "has no key");
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    refused(&registry, "has another key");
    // The journal takes it; the tree waits for the key.
    let said = registry.command(["import", "more.zip"]).ok();
    assert!(said.stderr.contains("--unsigned"), "{said:?}");
    tree::assert_equal(&registry.tree_bytes(), &before);
    let said = registry.command(["generate", "--replace-tree"]);
    assert_eq!(said.code, 1, "{said:?}");
    fs::remove_dir_all(&keys).unwrap();
    fs::rename(&away, &keys).unwrap();
    registry.command(["generate"]).ok();
    assert_ne!(checkpoint(&registry), before["api/v1/log/checkpoint"]);
    // A word of the operator.
    fs::rename(&keys, &away).unwrap();
    registry.command(["watch", "--once", "--unsigned"]).ok();
    assert!(!registry.tree().contains(&"api/v1/log/checkpoint".to_owned()));
    fs::rename(&away, &keys).unwrap();
    registry.command(["watch", "--once"]).ok();
    fs::remove_dir_all(&keys).unwrap();
    registry.command(["generate", "--unsigned"]).ok();
    assert!(!registry.tree().contains(&"api/v1/log/checkpoint".to_owned()));
    registry.command(["generate"]).ok();
}

#[test]
fn key_that_was_retired_or_replaced_in_turn_signs_no_more_and_nobody_asks() {
    let mut registry = signed();
    registry.command(["key", "new"]).ok();
    registry.restart();
    let first = registry.command(["key", "show"]).ok().stdout;
    let id = first.lines().next().unwrap().split('+').nth(1).unwrap().to_owned();
    registry.stop();
    let name = format!("skills.example.org+{id}");
    registry.command(["key", "retire", name.as_str(), "--yes"]).ok();
    registry.command(["generate"]).ok();
    checkpoint(&registry);
}

#[test]
fn signed_bucket_is_not_unsigned_if_the_tree_is_gone() {
    let store = ObjectStore::start();
    let mut registry = Registry::configured(&store.settings());
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    registry.start_with_variables(&CREDENTIALS);
    store.settled(&registry);
    registry.stop();
    fs::remove_dir_all(registry.public()).unwrap();
    fs::rename(registry.folder().join("keys"), registry.folder().join("away")).unwrap();
    let said = registry.command_with_variables(["generate"], &CREDENTIALS);
    assert!(said.code == 1 && said.stderr.contains("the bucket s3://skills/tree is signed"), "{said:?}");
    assert!(store.objects().contains_key("api/v1/log/checkpoint"));
}
