//! Data folders of all releases can be opened by this one.
//!
//! `folders` has a zip for each pair of formats that was ever released: of the journal, and of
//! `local.sqlite`. A release that raises one of them adds a folder: `UPDATE_FOLDERS=1 cargo test
//! --test outside -- upgrades::` writes that of the current formats if it is missing.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use zip::ZipArchive;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::harness::{CommandOutput, Registry, Skill};

/// The formats that this release writes, as in the name of a folder.
const CURRENT: &str = "journal-2-local-1";

fn folders() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outside/upgrades/folders")
}

/// A registry with a little of everything.
fn small_registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("tools", &admin);
    let ann = registry.user("ann");
    registry.join("tools", &admin, &ann, "member");
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(Skill::named("hello").version(version)).to("tools").by(&admin).expect(201);
    }
    registry.publish(Skill::named("other")).by(&admin).expect(201);
    registry.star("tools/hello", &ann).expect(200);
    let yank = "/api/v1/skills/tools/hello/versions/1.0.0/yank";
    registry.as_user(&admin).post_json(yank, &json!({"reason": "It greets nobody."})).expect(200);
    registry
        .as_user(&admin)
        .put_json("/api/v1/skills/tools/hello/tags/stable", &json!({"version": "1.1.0"}))
        .expect(201);
    registry.command_with_input(["user", "set-password", "ann"], "correct horse battery\n").ok();
    registry
}

/// Writes the data folder of the current formats.
fn write(file: &Path) {
    let mut registry = small_registry();
    registry.stop();
    let mut zip = ZipWriter::new(std::fs::File::create_new(file).unwrap());
    let data = registry.data();
    let mut paths: Vec<_> =
        walkdir::WalkDir::new(&data).into_iter().map(|entry| entry.unwrap().into_path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.is_file()) {
        let name = path.strip_prefix(&data).unwrap().to_str().unwrap();
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&std::fs::read(path).unwrap()).unwrap();
    }
    zip.finish().unwrap();
}

/// A registry with the data folder in a zip.
fn with_folder(file: &Path) -> Registry {
    let registry = Registry::not_started();
    let mut zip = ZipArchive::new(std::fs::File::open(file).unwrap()).unwrap();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let (name, mut bytes) = (entry.name().unwrap().into_owned(), Vec::new());
        entry.read_to_end(&mut bytes).unwrap();
        registry.write(&format!("data/{name}"), &bytes);
    }
    registry
}

#[test]
fn every_released_data_folder_opens() {
    let current = folders().join(format!("{CURRENT}.zip"));
    if !current.exists() && std::env::var_os("UPDATE_FOLDERS").is_some() {
        write(&current);
    }
    assert!(current.exists(), "there is no {}: write it with UPDATE_FOLDERS=1", current.display());
    for folder in std::fs::read_dir(folders()).unwrap() {
        let path = folder.unwrap().path();
        let mut registry = with_folder(&path);
        let said = check(&registry).ok().stdout;
        assert!(said.contains("this release reads all rows"), "{}: {said}", path.display());
        registry.restart();
        let skill = registry.read("/api/v1/skills/tools/hello");
        assert_eq!(skill["version"], "1.1.0", "{skill}");
        assert_eq!(skill["tags"]["stable"], "1.1.0", "{skill}");
        registry.get("/api/v1/skills/tools/hello/versions/1.0.0/download").expect(200);
        let login = json!({"handle": "ann", "password": "correct horse battery"});
        registry.anonymous().post_json("/api/v1/auth/login", &login).expect(200);
        registry.publish(Skill::named("other").version("2.0.0")).by(&registry.admin()).expect(201);
        registry.command(["journal", "check"]).ok();
        registry.command(["verify"]).ok();
    }
}

fn check(registry: &Registry) -> CommandOutput {
    registry.command(["upgrade", "--check"])
}

#[test]
fn check_says_what_a_start_does_and_changes_nothing() {
    let mut registry = small_registry();
    // The server runs meanwhile.
    let said = check(&registry).ok().stdout;
    assert!(said.contains("local data  format 1: stays\n"), "{said}");
    registry.stop();
    let head = registry.public().join("api/v1/mirror/head.json");
    let older = std::fs::read_to_string(&head).unwrap().replace("\"format\":9", "\"format\":8");
    std::fs::write(&head, &older).unwrap();
    let said = check(&registry).ok().stdout;
    assert!(said.contains("tree        format 8, and this release writes 9"), "{said}");
    assert!(said.contains("mirrors     update"), "{said}");
    assert_eq!(std::fs::read_to_string(&head).unwrap(), older, "nothing is written");
    std::fs::remove_dir_all(registry.public()).unwrap();
    let said = check(&registry).ok().stdout;
    assert!(said.contains("tree        none"), "{said}");
    assert!(!registry.public().exists(), "nothing is made");
    let refused = Registry::not_started();
    let said = check(&refused);
    assert!(said.code == 1 && said.stderr.contains("no registry in"), "{said:?}");
    assert!(!refused.data().exists(), "nothing is made");
}

/// Sets the number of a file's layout (`user_version`, bytes 60 to 63 of a SQLite database).
fn set_user_version(file: &Path, number: u32) {
    let mut bytes = std::fs::read(file).unwrap();
    bytes[60..64].copy_from_slice(&number.to_be_bytes());
    std::fs::write(file, bytes).unwrap();
}

#[test]
fn local_data_of_a_newer_release_is_refused_and_kept() {
    let mut registry = small_registry();
    registry.stop();
    let local = registry.data().join("local.sqlite");
    set_user_version(&local, 2);
    let before = std::fs::read(&local).unwrap();
    for command in [vec!["upgrade", "--check"], vec!["serve"], vec!["user", "list"]] {
        let said = registry.command(&command);
        assert!(
            said.code == 1 && said.stderr.contains("has format 2, but this program reads format 1"),
            "{said:?}"
        );
    }
    assert_eq!(std::fs::read(&local).unwrap(), before);
    let names = std::fs::read_dir(registry.data()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().contains("damaged")));
}
