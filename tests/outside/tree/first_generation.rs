//! The first tree in an empty folder appears completely or not at all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness::{OnDisk, Registry, Skill, Watch, eventually, tree};

fn publish(registry: &Registry) {
    let admin = registry.admin();
    for n in 0..4 {
        registry.publish(Skill::named(&format!("skill-{n}"))).version("1.0.0").by(&admin).expect(201);
    }
}

/// Replaces a package with a pipe, so that its reader waits until it is killed. Returns the
/// package's new and old path.
fn block(registry: &Registry) -> (PathBuf, PathBuf) {
    let version = registry.tree_json("api/v1/skills/global/skill-3/versions/1.0.0.json");
    let sha256 = version["sha256"].as_str().unwrap();
    let blob = registry.data().join("blobs").join(&sha256[..2]).join(sha256);
    let kept = registry.folder().join("kept");
    fs::rename(&blob, &kept).unwrap();
    assert!(Command::new("mkfifo").arg(&blob).status().unwrap().success());
    (kept, blob)
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn killed_first_generation_leaves_the_folder_unchanged() {
    let mut registry = Registry::start();
    publish(&registry);
    registry.stop();
    let (kept, blob) = block(&registry);
    let (out, data) = (registry.folder().join("out"), registry.data());
    fs::create_dir(&out).unwrap();
    let begun = registry.folder().join("out.state/tmp/tree");

    let options = ["--data".as_ref(), data.as_os_str(), "--public".as_ref(), out.as_os_str()];
    let watching = Watch::start(registry.folder(), options);
    eventually("it has begun", || begun.exists().then_some(()));
    assert_eq!(count(&out), 0);
    watching.kill();
    assert_eq!(count(&out), 0);
    // Its progress is random, but something is always left.
    fs::create_dir_all(begun.join("api/v1")).unwrap();
    fs::write(begun.join("api/v1/skills.json"), "{").unwrap();

    fs::rename(&kept, &blob).unwrap();
    registry.command(["generate".as_ref(), "--out".as_ref(), out.as_os_str()]).ok();
    assert_eq!(tree::files(&registry.folder().join("out.state")), ["changes", "cursor.json", "lock"]);
    assert!(!begun.exists());
    tree::assert_equal(&registry.tree_bytes(), &tree::contents(&out));
}

#[test]
fn first_generation_on_its_own_disk_succeeds() {
    // A new tree does not say otherwise where it is served.
    let mut registry = Registry::on_small_disk(OnDisk::Tree, "size=8m", "listen = \"127.0.0.1:0\"\n");
    registry.restart();
    publish(&registry);
    registry.stop();
    let (public, whole) = (registry.public(), registry.tree_bytes());
    let temporary = public.join(".tmp");
    for name in [".well-known", "api"] {
        fs::remove_dir_all(public.join(name)).unwrap();
    }
    // A killed process has begun one.
    fs::create_dir_all(temporary.join("tree/api/v1")).unwrap();
    fs::write(temporary.join("tree/api/v1/skills.json"), "{").unwrap();
    fs::write(temporary.join("0"), "{").unwrap();
    registry.command(["generate"]).ok();
    registry.command(["verify"]).ok();
    assert_eq!(count(&temporary), 0);
    tree::assert_equal(&registry.tree_bytes(), &whole);
}
