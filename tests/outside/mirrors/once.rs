//! `watch --once`, the lines of `watch`, and commands that leave nothing behind when they fail.

use std::path::Path;

use crate::harness::{CommandOutput, Home, Registry, Skill, Watch};

fn published() -> Registry {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    registry
}

#[test]
fn watch_once_brings_a_tree_up_to_date_and_ends() {
    let registry = published();
    let said = registry.command(["watch", "--once"]).ok().stdout;
    let revision = registry.tree_json("api/v1/mirror/head.json")["revision"].to_string();
    assert!(said.ends_with(&format!("public is at revision {revision}\n")), "{said}");
    let (home, feed) = (Home::new(), registry.public());
    let follow =
        |feed: &Path| home.run(&["watch", "--once", "--public", "mirror", "--feed", feed.to_str().unwrap()]);
    assert_eq!(follow(&feed).ok().stdout, format!("mirror is at revision {revision}\n"));
    assert_eq!(follow(&feed).ok().stdout, format!("mirror is at revision {revision}\n"));
    let CommandOutput { code, stdout, .. } = follow(Path::new("nowhere"));
    assert!(code == 1 && stdout.is_empty(), "{stdout}");
}

#[test]
fn mirror_into_the_tree_of_its_source_is_refused() {
    let registry = published();
    let (home, tree) = (Home::new(), registry.public());
    let tree = tree.to_str().unwrap();
    // By another address than the tree's own, as over HTTP.
    home.run(&["generate", "--public", "copy", "--feed", tree]).ok();
    for command in [&["generate"][..], &["watch", "--once"]] {
        let refused = home.run(&[command, &["--public", tree, "--feed", "copy"]].concat());
        let said = "is the tree of a registry, whose own process keeps it";
        assert!(refused.code == 1 && refused.stderr.contains(said), "{refused:?}");
        assert!(refused.stderr.contains("name another folder"), "{refused:?}");
    }
}

#[test]
fn watch_says_its_revision() {
    let registry = published();
    let feed = registry.public();
    let home = Home::new();
    let arguments = ["--feed", feed.to_str().unwrap(), "--public", "mirror"];
    let revision = registry.tree_json("api/v1/mirror/head.json")["revision"].to_string();
    let watch = Watch::start(home.folder(), arguments).until_it_says(&format!("at revision {revision}\n"));
    assert_eq!(watch.printed().matches("at revision").count(), 1);
    registry.command(["user", "add", "ann", "--name", "Ann"]).ok();
    drop(watch);
    let both = [("data", registry.data()), ("public", feed)];
    let arguments = both.iter().flat_map(|(name, path)| [format!("--{name}"), path.display().to_string()]);
    Watch::start(home.folder(), arguments).until_it_says("at revision ");
}

#[test]
fn command_that_fails_at_once_leaves_nothing() {
    let registry = published();
    let home = Home::new();
    let snapshot = home.folder().join("all.tar.zst");
    registry.command(["snapshot", "create", "--out", snapshot.to_str().unwrap()]).ok();
    let whole = std::fs::read(&snapshot).unwrap();
    std::fs::write(home.folder().join("cut.tar.zst"), &whole[..whole.len() / 2]).unwrap();
    let mut broken = whole.clone();
    broken[whole.len() / 2] ^= 1;
    std::fs::write(home.folder().join("broken.tar.zst"), broken).unwrap();
    std::fs::write(home.folder().join("hello.zip"), Skill::named("hello").zip()).unwrap();
    std::fs::write(home.folder().join("empty"), "").unwrap();
    let before = names(home.folder());
    for file in ["nosuch", "cut.tar.zst", "broken.tar.zst", "hello.zip", "empty", "."] {
        for words in [
            &["snapshot", "apply", file, "--to", "a/mirror"][..],
            &["snapshot", "serve", file, "--listen", "0"],
            &["snapshot", "verify", file],
            &["journal", "restore", file, "--data", "restored"],
        ] {
            let said = home.run(words);
            assert_eq!(said.code, 1, "{words:?}: {said:?}");
            assert_eq!(names(home.folder()), before, "{words:?}: {said:?}");
        }
    }
    for words in [
        &["generate", "--feed", "nowhere", "--out", "a/mirror"][..],
        &["generate", "--feed", "http://127.0.0.1:1", "--out", "a/mirror"],
        &["generate", "--out", "a/mirror"],
        &["watch", "--once", "--feed", "nowhere", "--public", "a/mirror"],
        &["install", "hello", "--registry", "http://127.0.0.1:1"],
        &["install", "hello", "--registry", "file:///nowhere", "--dir", "b/skills"],
        &["journal", "backup", "b.zip"],
        &["journal", "copy", "--from", "nowhere", "--to", "c"],
        &["snapshot", "create", "--out", "d.tar.zst"],
    ] {
        let said = home.run(words);
        assert_eq!(said.code, 1, "{words:?}: {said:?}");
        assert_eq!(names(home.folder()), before, "{words:?}: {said:?}");
    }
}

/// The names in a folder, without those that every command may make.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
