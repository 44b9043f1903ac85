//! Followers: `generate --feed`, `watch` and `watch --feed`.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::harness::{CommandOutput, Registry, Skill, StaticHost, User, Watch, eventually, run, tree};

/// Something of everything that a feed can tell.
fn lived_in() -> (Registry, User) {
    // Mirrors download packages from the server, which changes the tree.
    let registry = Registry::with_config("[mirror]\ncounter_interval = 86400\n");
    let ann = registry.user("ann");
    for team in ["tools", "attic"] {
        registry.team(team, &ann);
        for n in 0..8 {
            grow(&registry, &ann, team, n);
        }
    }
    let update =
        |name: &str, body| registry.as_user(&ann).put_json(&format!("/api/v1/namespaces/{name}"), &body);
    update("attic", json!({"status": "archived"})).expect(200);
    for n in 0..60 {
        update("tools", json!({"description": format!("Number {n}.")})).expect(200);
    }
    registry.publish(Skill::named("hello").file("data/ä.txt", "ä")).by(&registry.admin()).expect(201);
    (registry, ann)
}

/// Publishes one more version.
fn grow(registry: &Registry, user: &User, team: &str, n: usize) {
    // Equal content has one package, which a mirror takes from any of its addresses.
    let skill = Skill::named(&format!("skill-{}", n % 5)).text(&format!("Text number {n} of {team}.\n"));
    registry.publish(skill).to(team).version(&format!("1.{n}.0")).tags("stable").by(user).expect(201);
}

fn mirror_of(registry: &Registry) -> PathBuf {
    registry.folder().join("mirror")
}

#[track_caller]
fn generate(registry: &Registry, feed: &str, out: &Path) -> CommandOutput {
    let arguments = ["generate", "--feed", feed, "--out", out.to_str().unwrap()];
    run(registry.folder(), &arguments.map(Into::into))
}

fn watch(registry: &Registry, feed: &str) -> Watch {
    let mirror = mirror_of(registry);
    Watch::start(registry.folder(), ["--feed", feed, "--public", mirror.to_str().unwrap()])
}

/// Waits until the trees have the same head, and asserts that they are one then.
#[track_caller]
fn assert_follows(registry: &Registry, mirror: &Path) {
    let head = registry.tree_file("api/v1/mirror/head.json");
    eventually("the mirror has the source's head", || {
        (std::fs::read(mirror.join("api/v1/mirror/head.json")).ok()? == head).then_some(())
    });
    tree::assert_equal(&tree::contents(mirror), &registry.tree_bytes());
}

#[test]
fn tree_made_from_a_feed_is_identical() {
    let (registry, _) = lived_in();
    let mirror = mirror_of(&registry);
    let output = generate(&registry, "public", &mirror).ok();
    assert!(output.stdout.contains("up to revision"), "{output:?}");
    assert_follows(&registry, &mirror);
    // A mirror can be mirrored.
    let second = registry.folder().join("second");
    generate(&registry, "mirror", &second).ok();
    assert_follows(&registry, &second);
    // Over HTTP, from a host that knows nothing and from the server.
    let host = StaticHost::over(&registry.public());
    for (name, base) in [("third", &host.base), ("fourth", &registry.base().to_owned())] {
        let out = registry.folder().join(name);
        generate(&registry, base, &out).ok();
        assert_follows(&registry, &out);
    }
}

#[test]
fn invalid_source_is_refused_and_leaves_the_tree_unchanged() {
    let (registry, _) = lived_in();
    let copy = registry.folder().join("copy");
    let html = &b"<!doctype html><title>Not found</title>"[..];
    for (file, bytes) in [
        ("api/v1/skills/tools/skill-3/versions/1.3.0/download.zip", &b"PK"[..]),
        ("api/v1/mirror/changes/1.json", html),
        ("api/v1/mirror/changes/2.json", b"{\"page\":2"),
        ("api/v1/mirror/head.json", html),
        ("api/v1/mirror/settings.json", b"{\"listDepth\":1,\"gzip\":true}\n"),
    ] {
        generate(&registry, "public", &copy).ok();
        // Pages that were verified once are not asked for again.
        let _ = std::fs::remove_dir_all(registry.folder().join("mirror.state"));
        std::fs::remove_file(copy.join(file)).unwrap();
        std::fs::write(copy.join(file), bytes).unwrap();
        let output = generate(&registry, "copy", &mirror_of(&registry));
        assert!(
            output.code == 1 && output.stderr.contains(file) && output.stderr.contains("copy"),
            "{file}: {output:?}"
        );
        assert!(!mirror_of(&registry).exists(), "nothing is left: {file}");
    }
    let nothing = generate(&registry, "nowhere", &mirror_of(&registry));
    assert!(nothing.code == 1 && nothing.stderr.contains("head.json"), "{nothing:?}");
    let itself = generate(&registry, "public", &registry.public());
    assert!(itself.code == 1 && itself.stderr.contains("is the same folder as"), "{itself:?}");
}

#[test]
fn watch_maintains_the_tree_for_a_server_without_one() {
    let mut registry = Registry::not_started();
    registry.start_with(&["--no-mirror"]);
    let admin = registry.admin();
    let start = || {
        let folders = [registry.data(), registry.public()].map(|path| path.to_str().unwrap().to_owned());
        Watch::start(registry.folder(), ["--data", &folders[0], "--public", &folders[1]])
    };
    let watching = start().ready();
    let of_server = |path: &str| registry.get(path).expect(200).body;
    let follows = || {
        let head = of_server("/api/v1/mirror/head.json");
        eventually("the tree is up with the journal", || {
            (std::fs::read(registry.public().join("api/v1/mirror/head.json")).ok()? == head).then_some(())
        });
    };
    registry.publish(Skill::named("first")).by(&admin).expect(201);
    follows();
    watching.kill();
    registry.publish(Skill::named("second")).by(&admin).expect(201);
    let watching = start().ready();
    follows();
    registry.publish(Skill::named("third")).by(&admin).expect(201);
    follows();
    assert_eq!(watching.terminate(), 0);
    registry.command(["verify"]).ok();
}

#[test]
fn watch_follows_a_folder_and_continues_after_a_kill() {
    let (registry, ann) = lived_in();
    let mirror = mirror_of(&registry);
    for round in 0..6 {
        // Killed at a random moment while the source grows.
        let watching = watch(&registry, "public");
        for n in 0..4 {
            grow(&registry, &ann, "tools", 10 + 4 * round + n);
        }
        watching.kill();
    }
    let watching = watch(&registry, "public").ready();
    grow(&registry, &ann, "tools", 40);
    assert_follows(&registry, &mirror);
    let second = watch(&registry, "public").until_it_says(" keeps the tree in ");
    drop(second);
    assert_eq!(watching.terminate(), 0);
    // Only the feed's pages, and what is selected, are left beside it.
    let kept = tree::files(&registry.folder().join("mirror.state/feed"));
    assert!(kept.iter().all(|file| file.ends_with(".json") || file == "selection"), "{kept:?}");
}

#[test]
fn hangup_repairs_a_damaged_mirror() {
    let (registry, ann) = lived_in();
    let mirror = mirror_of(&registry);
    let watching = watch(&registry, "public").ready();
    let list = mirror.join("api/v1/skills.json");
    let (deleted, stray) = (mirror.join("api/v1/skills/global/hello.json"), mirror.join("stray.txt"));
    std::fs::remove_file(&list).unwrap();
    std::fs::write(&list, "x").unwrap();
    std::fs::remove_file(&deleted).unwrap();
    std::fs::write(&stray, "x").unwrap();
    watching.hang_up();
    let is_repaired = || std::fs::read(&list).is_ok_and(|bytes| bytes != b"x") && deleted.exists();
    eventually("the mirror is repaired", || (is_repaired() && !stray.exists()).then_some(()));
    // It still follows its source.
    grow(&registry, &ann, "tools", 10);
    assert_follows(&registry, &mirror);
    assert_eq!(watching.terminate(), 0);
}

#[test]
fn watch_follows_an_address_and_reports_failures() {
    let (mut registry, ann) = lived_in();
    registry.write("mirror.toml", b"[mirror]\nfeed_interval = 1\n");
    let host = StaticHost::over(&registry.public());
    let mirror = mirror_of(&registry);
    let folder = registry.folder().to_owned();
    let start = || {
        let arguments =
            ["--config", "mirror.toml", "--feed", &host.base, "--public", mirror.to_str().unwrap()];
        Watch::start(&folder, arguments)
    };
    let watching = start().ready();
    assert_follows(&registry, &mirror);
    grow(&registry, &ann, "tools", 10);
    assert_follows(&registry, &mirror);
    // The mirror stays unchanged while its source is invalid.
    let before = tree::contents(&mirror);
    registry.stop();
    registry.write("public/api/v1/mirror/head.json", b"<html>down for a while</html>");
    let watching = watching.until_it_says("web page");
    tree::assert_equal(&tree::contents(&mirror), &before);
    registry.restart();
    let watching = watching.until_it_says("following the source again");
    watching.kill();
    grow(&registry, &ann, "tools", 11);
    let watching = start().ready();
    assert_follows(&registry, &mirror);
    assert_eq!(watching.terminate(), 0);
}

#[test]
fn watch_follows_a_source_with_another_history_only_if_told() {
    let (registry, _) = lived_in();
    let mirror = mirror_of(&registry);
    generate(&registry, "public", &mirror).ok();
    let other = Registry::start();
    other.publish(Skill::named("hello")).by(&other.admin()).expect(201);
    let before = tree::contents(&mirror);
    let refused = generate(&registry, other.public().to_str().unwrap(), &mirror);
    assert!(refused.code == 1 && refused.stderr.contains("another history"), "{refused:?}");
    let watching = watch(&registry, other.public().to_str().unwrap());
    watching.until_it_says("another history").kill();
    tree::assert_equal(&tree::contents(&mirror), &before);
    let arguments = [
        "--feed",
        other.public().to_str().unwrap(),
        "--public",
        mirror.to_str().unwrap(),
        "--accept-new-history",
    ]
    .map(ToOwned::to_owned);
    let watching = Watch::start(registry.folder(), arguments).ready();
    assert_follows(&other, &mirror);
    watching.until_it_says("which now replaces the tree").kill();
}
