//! Snapshots that `minisign` verifies.

use std::path::Path;
use std::process::{Command, Output};

use crate::harness::Registry;

use super::{create, lived_in};

fn verify(file: &Path, key: &str) -> Output {
    Command::new("minisign").arg("-Vm").arg(file).args(["-P", key]).output().expect("minisign runs")
}

#[test]
fn minisign_verifies_a_snapshot_and_refuses_a_changed_one() {
    let (registry, _) = lived_in();
    let key = registry.command(["key", "show", "--minisign"]).ok().stdout.trim().to_owned();
    let file = create(&registry, "all.tar.zst", &["--minisign"]);
    let output = verify(&file, &key);
    let said = String::from_utf8(output.stdout).unwrap();
    let head = registry.tree_json("api/v1/mirror/head.json");
    let state = format!("revision {} of the history {}", head["revision"], head["epoch"].as_str().unwrap());
    assert!(output.status.success() && said.contains(&format!("Trusted comment: {state}")), "{said}");
    let (other, _) = lived_in();
    let stranger = other.command(["key", "show", "--minisign"]).ok().stdout.trim().to_owned();
    assert!(!verify(&file, &stranger).status.success());
    let signature = registry.folder().join("all.tar.zst.minisig");
    let text = std::fs::read_to_string(&signature).unwrap();
    std::fs::write(&signature, text.replace("comment: revision", "comment: Revision")).unwrap();
    assert!(!verify(&file, &key).status.success(), "the comment is signed");
    std::fs::write(&signature, text).unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    assert!(!verify(&file, &key).status.success());
}

#[test]
fn minisign_without_a_key_is_refused() {
    let registry = Registry::start();
    let output = registry.command(["snapshot", "create", "--out", "x", "--minisign"]);
    assert!(output.code == 1 && output.stderr.contains("no key signs here"), "{output:?}");
    assert!(!registry.folder().join("x").exists());
}
