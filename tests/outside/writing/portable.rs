//! Which clients load a skill: what `check` and `publish` say about it, and how `check --fix` changes it.

use std::fs;

use registry::package::portability::CLIENTS;
use serde_json::json;

use crate::harness::{Home, Registry, Skill};

const TEXT: &[u8] = b"---\nname: hello\ndescription: Greets.\nversion: 1.10.0 # pinned\nkeywords: [a, b]\nmodel: opus\n---\n\n# Hello\n";

#[test]
fn key_that_clients_refuse_fails_a_portable_check() {
    let home = Home::new();
    Skill::of_text(TEXT).write_to(&home.folder().join("hello"));
    home.run(&["check", "hello"]).ok();
    let output = home.run(&["check", "hello", "--portable"]);
    let warning = "hello/SKILL.md:4:1: warning: `version` is not a key of the Agent Skills specification (refused by \
                   2 of 10 clients: Agent Skills specification, Claude apps and Skills API): move it to `metadata.version`, \
                   unless a client needs it where it is [not_portable]\n";
    assert!(output.code == 1 && output.stdout.contains(warning), "{output:?}");
}

#[test]
fn fix_moves_keys_and_leaves_all_other_lines() {
    let home = Home::new();
    Skill::of_text(TEXT).write_to(&home.folder().join("hello"));
    let output = home.run(&["check", "hello", "--fix", "--portable"]);
    assert!(output.code == 1 && output.stderr.contains("version, keywords"), "{output:?}");
    let fixed = "---\nname: hello\ndescription: Greets.\nmodel: opus\nmetadata:\n  version: \"1.10.0\" # pinned\n  keywords: \"a, b\"\n---\n\n# Hello\n";
    let path = home.folder().join("hello/SKILL.md");
    assert_eq!(fs::read_to_string(&path).unwrap(), fixed);
    // Clients may need the other key where it is, so a person decides.
    fs::write(&path, fixed.replace("model: opus\n", "")).unwrap();
    let output = home.run(&["check", "hello", "--fix", "--portable"]).ok();
    assert!(output.stderr.is_empty() && output.stdout.contains("no errors, 0 warnings"), "{output:?}");
    fs::write(home.folder().join("hello.zip"), Skill::of_text(TEXT).zip()).unwrap();
    fs::rename(&path, path.with_file_name("Skill.md")).unwrap();
    let output = home.run(&["check", "hello", "--fix"]).ok();
    assert!(output.stderr.contains("renamed hello/Skill.md to SKILL.md") && path.exists(), "{output:?}");
    let output = home.run(&["check", "hello.zip", "--fix"]);
    assert!(output.code == 1 && output.stderr.contains("it is not a folder"), "{output:?}");
}

#[test]
fn publication_names_the_clients_that_refuse_it_and_its_row_does_not() {
    let registry = Registry::start();
    let published = registry.publish(Skill::of_text(TEXT)).by(&registry.admin()).expect(201).json();
    let codes: Vec<_> =
        published["warnings"].as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert_eq!(codes, ["not_portable"; 3]);
    let record = registry.get("/api/v1/skills/global/hello/versions/1.10.0").expect(200).json();
    assert_eq!(record["warnings"], json!([]));
    assert_eq!(record["portability"]["clients"], CLIENTS.len());
    let refusing = &record["portability"]["notLoadedBy"];
    assert_eq!(refusing[1]["client"], "Claude apps and Skills API");
    let why = refusing[1]["why"].as_str().unwrap();
    assert!(why.contains("`keywords` is not a key") && why.contains("; `version` is not a key"), "{why}");
    // What publishes stays without a warning if it is in `metadata`, which counts first.
    let both = Skill::named("both").line("version: 1.0.0").line("metadata: {version: 2.0.0, tags: 'a, b'}");
    let published = registry.publish(both).by(&registry.admin()).expect(201).json();
    assert_eq!(published["version"], "2.0.0");
    let skill = registry.get("/api/v1/skills/global/both").expect(200).json();
    assert_eq!(skill["keywords"], json!(["a", "b"]));
}

#[test]
fn entry_file_in_another_case_is_stored_as_skill_md() {
    let registry = Registry::start();
    let skill = Skill::without_entry().file("skill.md", TEXT).file("README.md", "x").file("a.md", "y");
    let published = registry.publish(skill).by(&registry.admin()).expect(201).json();
    let code = "skill_md_renamed";
    assert!(
        published["warnings"].as_array().unwrap().iter().any(|found| found["code"] == code),
        "{published}"
    );
    let files = registry.get("/api/v1/skills/global/hello/versions/1.10.0/files").expect(200).json();
    let paths: Vec<_> = files["items"].as_array().unwrap().iter().map(|file| &file["path"]).collect();
    assert_eq!(paths, ["README.md", "SKILL.md", "a.md"]);
}

#[test]
fn documentation_has_the_clients_of_the_table() {
    let text = include_str!("../../../docs/clients.md");
    for client in CLIENTS {
        let row = format!("| {} | {} | ", client.name, client.version);
        assert!(text.contains(&row), "docs/clients.md lacks {row}");
    }
}
