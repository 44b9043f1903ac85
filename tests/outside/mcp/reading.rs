//! `skills/get` and `resources/read`.

use serde_json::json;

use super::agent::Agent;
use super::{agents, stocked};
use crate::harness::{Project, Skill, TamperedTree, sha256};

#[test]
fn every_file_of_a_skill_is_read_with_its_digest() {
    let (registry, _) = stocked();
    let project = Project::new();
    for agent in agents(&registry, &project) {
        for skill in agent.skills().0 {
            for file in skill["resources"].as_array().unwrap() {
                let (bytes, media_type) = agent.read(file["uri"].as_str().unwrap());
                assert_eq!(file["digest"], format!("sha256:{}", sha256(&bytes)));
                assert_eq!(file["size"], bytes.len());
                let uri = file["uri"].as_str().unwrap();
                let expected = [(".md", "text/markdown"), (".png", "image/png"), (".py", "text/x-python")];
                let expected = expected.iter().find(|(suffix, _)| uri.ends_with(suffix));
                assert_eq!(expected.map(|(_, media_type)| *media_type), Some(&*media_type), "{uri}");
            }
        }
        // Without an entry in the list.
        let (bytes, _) = agent.read("skill://tools/nameless/SKILL.md");
        assert_eq!(bytes, Skill::nameless().skill_md());
    }
}

#[test]
fn unknown_uri_is_refused_with_a_sentence() {
    let (registry, _) = stocked();
    let project = Project::new();
    for agent in agents(&registry, &project) {
        for uri in [
            "skill://tools/nothing/SKILL.md",
            "skill://tools/hello/missing.md",
            "skill://tools/hello/../pdf-forms/SKILL.md",
            "skill://tools/hello/%2e%2e/pdf-forms/SKILL.md",
            "skill://tools/hello",
            "skill://tools/after/SKILL.md",
            "file:///etc/passwd",
            "skill://tools/hello/SKILL.md?x",
            "",
        ] {
            let (code, message) = agent.error("resources/read", json!({ "uri": uri }));
            assert_eq!((code, message), (-32002, format!("no file of a skill is served at {uri}")));
            let (code, _) = agent.error("skills/get", json!({ "uri": uri }));
            assert_eq!(code, -32602, "{uri}");
        }
        let (code, message) = agent.error("skills/get", json!({"uri": "skill://tools/nameless/SKILL.md"}));
        assert_eq!(code, -32602);
        let expected = "@tools/nameless breaks a rule of the skills extension: `name` does not follow";
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn skill_over_the_limits_of_the_extension_is_left_out() {
    let (registry, admin) = stocked();
    let mut many = Skill::named("many");
    for number in 0..512 {
        many = many.file(&format!("{number}.md"), "x");
    }
    registry.publish(many).to("tools").version("1.0.0").by(&admin).expect(201);
    let project = Project::new();
    for agent in agents(&registry, &project) {
        let uri = "skill://tools/many/SKILL.md";
        assert!(agent.skills().0.iter().all(|skill| skill["uri"] != uri));
        let (_, message) = agent.error("skills/get", json!({ "uri": uri }));
        let expected = "@tools/many breaks a rule of the skills extension: the package has 513 files, more than 512: \
                        install it instead";
        assert_eq!(message, expected);
        agent.error("resources/read", json!({ "uri": uri }));
        let record = agent.call("show_skill", json!({"skill": "@tools/many"}));
        let record = &record["structuredContent"];
        assert_eq!((&record["fileCount"], &record["text"]), (&json!(513), &json!("none")));
    }
}

#[test]
fn package_with_another_digest_is_not_read() {
    let (registry, _) = stocked();
    let tree = TamperedTree::of(&registry);
    tree.put_package("tools/hello", "1.1.0", &Skill::named("hello").text("Hostile.\n").zip());
    let project = Project::new();
    let agent = Agent::started(&project, &format!("--registry {}", tree.address()));
    let (code, message) = agent.error("resources/read", json!({"uri": "skill://tools/hello/SKILL.md"}));
    assert_eq!(code, -32603);
    assert!(message.contains("its sha256 is not that of the version"), "{message}");
    assert!(!message.contains("Hostile"), "{message}");
}
