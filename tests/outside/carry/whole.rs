//! Full snapshots.

use std::os::unix::fs::MetadataExt;
use std::process::Command;

use crate::harness::{Nginx, tree};

use super::{apply, assert_mirrors, create, lived_in, snapshot, vkey};

#[test]
fn create_of_one_state_makes_the_same_bytes() {
    let (registry, _) = lived_in();
    let first = std::fs::read(create(&registry, "a.tar.zst", &[])).unwrap();
    assert_eq!(first, std::fs::read(create(&registry, "b.tar.zst", &[])).unwrap());
    // Neither links nor times of a tree count: a copy makes the same snapshot.
    let copy = registry.folder().join("copy");
    for (path, bytes) in registry.tree_bytes() {
        std::fs::create_dir_all(copy.join(&path).parent().unwrap()).unwrap();
        std::fs::write(copy.join(&path), bytes).unwrap();
    }
    let of_copy = create(&registry, "c.tar.zst", &["--tree", copy.to_str().unwrap()]);
    assert_eq!(first, std::fs::read(of_copy).unwrap());
    let left: Vec<_> =
        std::fs::read_dir(registry.folder()).unwrap().flatten().map(|e| e.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".tmp")), "{left:?}");
}

#[test]
fn applied_snapshot_equals_its_source() {
    let (registry, _) = lived_in();
    let file = create(&registry, "all.tar.zst", &[]);
    let file_name = file.to_str().unwrap();
    let said = snapshot(&registry, &["verify", file_name, "--vkey", &vkey(&registry)]).ok().stdout;
    assert!(said.contains("a trusted key has signed its history"), "{said}");
    let said = snapshot(&registry, &["verify", file_name]).ok().stdout;
    assert!(said.contains("nobody knows who wrote it"), "{said}");
    let mirror = registry.folder().join("mirror");
    let said = apply(&registry, &file, &mirror).ok().stdout;
    assert!(said.contains("is now at revision"), "{said}");
    assert_mirrors(&registry, &mirror);
    let said = apply(&registry, &file, &mirror).ok().stdout;
    assert!(said.contains("was already at revision"), "{said}");
    assert_mirrors(&registry, &mirror);
    assert!(!registry.folder().join("mirror.state/tmp/incoming").exists());
}

#[test]
fn tar_unpacks_a_snapshot_for_nginx() {
    let (registry, _) = lived_in();
    let file = create(&registry, "all.tar.zst", &[]);
    let folder = registry.folder().join("unpacked");
    std::fs::create_dir(&folder).unwrap();
    let tar = Command::new("tar").arg("--zstd").arg("-xf").arg(&file).arg("-C").arg(&folder).status();
    assert!(tar.unwrap().success());
    let mut unpacked = tree::contents(&folder);
    unpacked.remove("snapshot.json").unwrap();
    tree::assert_equal(&unpacked, &registry.tree_bytes());
    // The second address of a package is a link, as in a tree.
    let package = folder.join("api/v1/skills/tools/hello/versions/1.0.0/download.zip").metadata().unwrap();
    let tagged = folder.join("api/v1/download/tools--hello/stable.zip").metadata().unwrap();
    assert_eq!(package.ino(), tagged.ino());
    let nginx = Nginx::configured(&folder, &registry.folder().join("nginx"));
    for path in ["/api/v1/skills/tools/hello", "/tools/hello/", "/api/v1/download/tools--hello/latest"] {
        assert_eq!(nginx.client().get(path).expect(200).body, registry.get(path).expect(200).body, "{path}");
    }
}

#[test]
fn create_refuses_a_file_in_the_tree() {
    let (registry, _) = lived_in();
    let out = registry.public().join("all.tar.zst");
    let output = registry.command(["snapshot", "create", "--out", out.to_str().unwrap()]);
    assert!(output.code == 1 && output.stderr.contains("would be in the output folder"), "{output:?}");
    let output = registry.command(["snapshot", "create", "--out", "x", "--tree", "nowhere"]);
    assert!(output.code == 1 && output.stderr.contains("has no tree"), "{output:?}");
}
