//! An older copy of the data under a newer tree.

use std::fs;
use std::path::Path;

use crate::harness::{CREDENTIALS, ObjectStore, Registry, Skill, tree};

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let path = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir(path).unwrap();
        } else {
            fs::copy(entry.path(), path).unwrap();
        }
    }
}

/// A stopped registry with `one` in its data and `one`, `two` in its tree.
fn older(mut registry: Registry, variables: &[(&str, &str)], settled: impl Fn(&Registry)) -> Registry {
    registry.start_with_variables(variables);
    let admin = registry.admin();
    registry.publish(Skill::named("one")).by(&admin).expect(201);
    registry.stop();
    copy(&registry.data(), &registry.folder().join("copy"));
    registry.start_with_variables(variables);
    registry.publish(Skill::named("two")).by(&admin).expect(201);
    settled(&registry);
    registry.stop();
    copy(&registry.data(), &registry.folder().join("newer"));
    copy(&registry.folder().join("copy"), &registry.data());
    registry
}

#[test]
fn older_data_are_refused_by_each_command_that_opens_the_registry() {
    let mut registry = older(Registry::configured("listen = 0\n"), &[], |_| {});
    let before = (registry.tree_bytes(), fs::read(registry.data().join("journal.sqlite")).unwrap());
    registry.write("three.zip", &Skill::named("three").zip());
    for command in [
        &["serve"][..],
        &["generate"],
        &["generate", "--replace-tree"],
        &["watch"],
        &["import", "three.zip"],
        &["user", "add", "ann"],
        &["token", "issue", "admin", "--name", "x"],
        &["serve", "--no-mirror"],
    ] {
        let said = registry.command(command);
        assert_eq!(said.code, 1, "{command:?}: {said:?}");
        for words in ["is an older copy", "the tree in", "journal backup", "journal restore"] {
            assert!(said.stderr.contains(words), "{command:?} {words}: {said:?}");
        }
    }
    tree::assert_equal(&registry.tree_bytes(), &before.0);
    assert!(fs::read(registry.data().join("journal.sqlite")).unwrap() == before.1, "nothing was written");
    // A history of the same length with another row.
    let public = registry.public();
    fs::rename(&public, registry.folder().join("kept")).unwrap();
    fs::rename(registry.folder().join("public.state"), registry.folder().join("kept.state")).unwrap();
    registry.command(["import", "three.zip"]).ok();
    for (from, to) in [("kept", "public"), ("kept.state", "public.state")] {
        let _ = fs::remove_dir_all(registry.folder().join(to));
        fs::rename(registry.folder().join(from), registry.folder().join(to)).unwrap();
    }
    let said = registry.command(["generate"]);
    assert!(said.code == 1 && said.stderr.contains("has other public rows"), "{said:?}");
    // The way that the message names.
    registry.command(["journal", "backup", "copy.zip"]).ok();
    registry.command(["journal", "restore", "copy.zip"]).ok();
    registry.restart();
    registry.publish(Skill::named("four")).by(&registry.admin()).expect(201);
    registry.stop();
    registry.command(["verify"]).ok();
    // The newer data fit the tree that they made.
    copy(&registry.folder().join("newer"), &registry.data());
    let said = registry.command(["generate"]);
    assert!(said.code == 1 && said.stderr.contains("another registry"), "{said:?}");
}

#[test]
fn tree_that_is_behind_or_gone_is_made_again() {
    let mut registry = Registry::start();
    let admin = registry.admin();
    registry.publish(Skill::named("one")).by(&admin).expect(201);
    registry.stop();
    copy(&registry.public(), &registry.folder().join("behind"));
    registry.write("two.zip", &Skill::named("two").zip());
    registry.command(["import", "two.zip"]).ok();
    copy(&registry.folder().join("behind"), &registry.public());
    registry.command(["generate"]).ok();
    fs::remove_dir_all(registry.public()).unwrap();
    registry.restart();
    registry.command(["verify"]).ok();
}

#[test]
fn data_older_than_the_bucket_are_refused_if_the_tree_is_gone() {
    let store = ObjectStore::start();
    let registry =
        older(Registry::configured(&store.settings()), &CREDENTIALS, |registry| store.settled(registry));
    fs::remove_dir_all(registry.public()).unwrap();
    fs::remove_dir_all(registry.folder().join("public.state")).unwrap();
    let head = store.objects()["api/v1/mirror/head.json"].bytes.clone();
    for command in ["serve", "generate", "watch"] {
        let said = registry.command_with_variables([command], &CREDENTIALS);
        assert!(said.code == 1 && said.stderr.contains("the bucket s3://skills/tree"), "{command}: {said:?}");
    }
    assert_eq!(store.objects()["api/v1/mirror/head.json"].bytes, head);
}
