//! `install_skill`.

use serde_json::json;

use super::agent::Agent;
use super::stocked;
use crate::harness::{Project, Skill};

#[test]
fn install_writes_only_below_the_allowed_folder() {
    let (registry, admin) = stocked();
    let project = Project::new();
    let agent = Agent::started(&project, &format!("--registry {} --allow-install skills", registry.base()));
    let tools = agent.result("tools/list", json!({}));
    let install = &tools["tools"][2];
    assert_eq!(
        (&install["name"], &install["annotations"]["readOnlyHint"]),
        (&json!("install_skill"), &json!(false))
    );
    let done = agent.call("install_skill", json!({"skill": "@tools/hello@1.0.0"}));
    assert_eq!(done["structuredContent"]["status"], "installed");
    assert_eq!(done["structuredContent"]["path"], "skills/hello");
    assert!(project.read("hello/SKILL.md").starts_with("---\n"));
    assert_eq!(project.record()["skills"]["hello"]["version"], "1.0.0");
    let done = agent.call("install_skill", json!({"skill": "tools/hello"}));
    assert_eq!(done["structuredContent"]["replaced"], "1.0.0");
    project.write("hello/SKILL.md", "Changed by hand.\n");
    let changed = Skill::named("hello").text("Another text.\n");
    registry.publish(changed).to("tools").version("1.2.0").by(&admin).expect(201);
    let before = project.snapshot("");
    for (skill, why) in [
        ("tools/hello", "was changed since it was installed"),
        ("tools/none", "no skill @tools/none"),
        ("../../etc", "@namespace/hello"),
        ("@tools/hello@1-rc.1", "three numbers"),
    ] {
        let sentence = agent.refusal("install_skill", json!({ "skill": skill }));
        assert!(sentence.contains(why) && !sentence.contains('\n'), "{sentence}");
    }
    assert!(project.snapshot("") == before, "a refusal changes nothing");
    agent.refusal("install_skill", json!({"skill": "tools/hello", "force": true}));
}

#[test]
fn mcp_without_the_option_installs_nothing() {
    let (registry, _) = stocked();
    let project = Project::new();
    let agent = Agent::started(&project, &format!("--registry {}", registry.base()));
    let (code, _) =
        agent.error("tools/call", json!({"name": "install_skill", "arguments": {"skill": "tools/hello"}}));
    assert_eq!(code, -32602);
    assert!(!project.path("skills").exists());
}

#[test]
fn skill_that_a_trusted_history_lacks_is_neither_read_nor_installed() {
    let mut registry = crate::harness::Registry::not_started();
    registry.restart();
    registry.stop();
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    registry.restart();
    let admin = registry.admin();
    registry.team("tools", &admin);
    registry.versions("tools/hello", &["1.0.0"], &admin);
    let key = registry.command(["key", "show"]).ok().stdout.trim().to_owned();
    let project = Project::new();
    project.run(&format!("trust add {} --vkey {key}", registry.base())).ok();
    let agent = Agent::started(&project, &format!("--registry {} --allow-install skills", registry.base()));
    agent.read("skill://tools/hello/SKILL.md");
    let done = agent.call("install_skill", json!({"skill": "tools/hello"}));
    assert_eq!(done["structuredContent"]["log"]["name"], "skills.example.org");
    drop(agent);
    // Another registry answers at the address that is trusted.
    let tree = crate::harness::TamperedTree::of(&registry);
    project.run(&format!("trust add {} --vkey {key}", tree.address())).ok();
    std::fs::remove_file(tree.folder().join("api/v1/log/checkpoint")).unwrap();
    let agent = Agent::started(&project, &format!("--registry {} --allow-install other", tree.address()));
    let (code, message) = agent.error("resources/read", json!({"uri": "skill://tools/hello/SKILL.md"}));
    assert_eq!(code, -32603, "{message}");
    agent.refusal("install_skill", json!({"skill": "tools/hello"}));
    assert!(!project.path("other/hello").exists());
}
