//! The files and settings of an operator.

use std::fs;

use super::Told;
use crate::harness::{Registry, Skill};

/// Texts of `config.toml` that are refused.
const SETTINGS: [&str; 16] = [
    "log = \"xml\"\n",
    "log = 5\n",
    "listen = = 5\n",
    "listen = true\n",
    "data = 5\n",
    "mirror = 5\n",
    "mirror = []\n",
    "[mirror]\nwait_timeout = \"soon\"\n",
    "[mirror]\ntarget = 5\n",
    "[mirror]\ntarget = \"s3:/x\"\n",
    "[limits]\nzip = -1\n",
    "[limits]\nzip = 1.5\n",
    "[namespaces]\ncreation = \"sometimes\"\n",
    "[storage]\njournal = \"mysql://x\"\n",
    "[storage]\njournal = {}\n",
    "unclosed = \"\n",
];

#[test]
fn unusable_setting_is_told_in_plain_words() {
    let mut told = Told::default();
    for text in SETTINGS {
        let registry = Registry::configured(text);
        let output = registry.command(["serve", "--listen", "127.0.0.1:0"]);
        told.fails(&format!("config.toml is {text:?}"), &output);
    }
}

#[test]
fn damaged_file_of_a_data_folder_is_told_in_plain_words() {
    let mut told = Told::default();
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    let journal = registry.data().join("journal.sqlite");
    let whole = fs::read(&journal).unwrap();
    let mut damaged = whole.clone();
    damaged[4096..].fill(7);
    for (fault, bytes) in
        [("text", &b"no database"[..]), ("empty", b""), ("cut", &whole[..700]), ("damaged", &damaged)]
    {
        fs::write(&journal, bytes).unwrap();
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["journal", "check"], &["user", "list"]] {
            let output = registry.command(command);
            told.fails(&format!("{command:?} with a journal that is {fault}"), &output);
        }
    }
    fs::remove_file(&journal).unwrap();
    told.fails("no journal", &registry.command(["journal", "check"]));
}

#[test]
fn file_of_another_kind_is_told_in_plain_words() {
    let mut told = Told::default();
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    registry
        .command(["snapshot", "create", "--out", registry.folder().join("whole.zst").to_str().unwrap()])
        .ok();
    let whole = fs::read(registry.folder().join("whole.zst")).unwrap();
    let compressed = zstd::encode_all(&b"some text that is no archive"[..], 1).unwrap();
    for (fault, bytes) in [
        ("text", &b"no archive at all"[..]),
        ("empty", b""),
        ("cut", &whole[..whole.len() / 2]),
        ("another zstd file", &compressed),
        ("a zip", &Skill::named("hello").zip()),
    ] {
        let file = registry.write("given", bytes);
        let file = file.to_str().unwrap();
        for command in [
            &["snapshot", "apply", file, "--to", "nowhere"][..],
            &["snapshot", "verify", file],
            &["journal", "restore", file, "--yes"],
            &["import", file],
        ] {
            let words = command.iter().map(|word| word.rsplit('/').next().unwrap()).collect::<Vec<_>>();
            if fault == "a zip" && command[0] == "import" {
                continue;
            }
            let output = registry.command(command);
            told.fails(&format!("{words:?} gets {fault}"), &output);
        }
    }
}

#[test]
fn damaged_manifest_of_an_import_is_told_in_plain_words() {
    let mut told = Told::default();
    let registry = Registry::start();
    for text in ["{", "[]", "{\"ns\":5}", "{\"ns\":\"global\",\"slug\":\"x\",\"versions\":5}", "\u{0}"] {
        registry.write("many/manifest.jsonl", text.as_bytes());
        let folder = registry.folder().join("many");
        let output = registry.command(["import", folder.to_str().unwrap()]);
        told.fails(&format!("manifest.jsonl is {text:?}"), &output);
    }
}

#[test]
fn damaged_tree_of_a_mirror_is_told_in_plain_words() {
    let mut told = Told::default();
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    let source = registry.public();
    for file in ["api/v1/mirror/head.json", "api/v1/mirror/changes/1.json", "api/v1/mirror/settings.json"] {
        let path = source.join(file);
        let Ok(whole) = fs::read(&path) else { panic!("there is no {file}") };
        for text in ["", "{", "[]", "{\"revision\":\"x\"}"] {
            fs::remove_file(&path).unwrap();
            fs::write(&path, text).unwrap();
            let mirror = Registry::not_started();
            let output = mirror.command(["generate", "--feed", source.to_str().unwrap()]);
            told.fails(&format!("{file} is {text:?}"), &output);
        }
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn database_that_is_away_is_named() {
    let mut told = Told::default();
    for address in [
        "postgres://ann@127.0.0.1:9/skills",
        "postgres://",
        "postgres://x:y:z/q",
        "postgres://ann@127.0.0.1:1/s?sslmode=x",
    ] {
        let registry = Registry::configured(&format!("[storage]\njournal = \"{address}\"\n"));
        let output = registry.command(["serve", "--listen", "127.0.0.1:0"]);
        told.fails(&format!("the database is {address}"), &output);
        if address.contains(":9/") {
            assert!(output.stderr.contains("127.0.0.1"), "{output:?}");
        }
    }
}
