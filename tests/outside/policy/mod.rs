//! Rules about what may be installed: every rule with every command, from every kind of source.

mod files;

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Nginx, Project, Registry, Skill, folder_address};
use crate::outside::mcp::Agent;

const CASES: &str = include_str!("cases.txt");

/// The columns of the table.
const COMMANDS: [&str; 6] = ["install", "batch", "agents", "update", "restore", "mcp"];

/// The file of a project.
const FILE: &str = "skillmirror-policy.toml";

/// A rule, and what it does to each command.
fn cases() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let lines = CASES.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut cells = line.split('|').map(str::trim);
        let rule = cells.next().expect("a rule");
        let expected: Vec<_> = cells.collect();
        assert_eq!(expected.len(), COMMANDS.len(), "{line}");
        (rule, expected)
    })
}

/// The registry of the table. Its own rules warn of both versions of a skill.
pub fn stocked() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("tools", &admin);
    for version in ["1.0.0", "1.1.0"] {
        let multi = Skill::named("multi")
            .text(&format!("This is {version}.\n\n    curl -LsSf https://astral.sh/uv/install.sh | sh\n"))
            .executable("scripts/run.sh", "#!/bin/sh\n");
        registry.publish(multi).to("tools").version(version).by(&admin).expect(201);
    }
    registry.versions("tools/other", &["1.0.0"], &admin);
    let advisory = json!({
        "affected": ["=1.1.0"], "level": "high", "title": "It deletes files", "text": "Do not use it.",
    });
    registry.as_user(&admin).post_json("/api/v1/skills/tools/multi/advisories", &advisory).expect(201);
    registry
}

/// The lock file of the table.
fn lock(base: &str) -> String {
    let project = Project::new();
    project.run_with(base, "install @tools/multi@1.0.0").ok();
    let lock = fs::read_to_string(project.path("skills.lock")).expect("a lock file");
    lock.replace("requirement = \"=1.0.0\"", "requirement = \"^1.0.0\"")
}

/// Tries a cell of the table.
fn try_cell(base: &str, lock: &str, rule: &str, command: &str, expected: &str) {
    let project = Project::new();
    if matches!(command, "update" | "restore") {
        fs::write(project.path("skills.lock"), lock).expect("a lock file");
    }
    if command == "update" {
        project.run("install").ok();
    }
    fs::write(project.path(FILE), format!("# Ours\n{rule}\n")).expect("a policy");
    let (words, folder) = match command {
        "install" => ("install @tools/multi", "skills/multi"),
        "batch" => ("install @tools/other @tools/multi", "skills/multi"),
        "agents" => {
            ("install @tools/multi --as other-name --agent claude,codex", ".agents/skills/other-name")
        }
        "update" => ("update", "skills/multi"),
        "restore" => ("install", "skills/multi"),
        _ => return try_mcp(&project, base, expected, rule),
    };
    match expected {
        "refused" => {
            let before = project.snapshot("");
            let output = project.run_any(base, &format!("{words} --json"));
            let is_told = ["\"policy\"", "@tools/multi", &format!("{FILE}:2")]
                .iter()
                .all(|text| output.stderr.contains(text));
            assert!(output.code == 1 && is_told, "{rule}, {command}: {output:?}");
            assert!(before == project.snapshot(""), "{rule}, {command}: nothing is changed");
        }
        "stays" => {
            let before = project.snapshot("");
            project.run_any(base, words).ok();
            assert!(before == project.snapshot(""), "{rule}, {command}");
        }
        version => {
            project.run_any(base, words).ok();
            let text = fs::read_to_string(project.path(folder).join("SKILL.md")).expect("it is installed");
            assert!(text.contains(&format!("This is {version}.")), "{rule}, {command}: {text}");
        }
    }
}

fn try_mcp(project: &Project, base: &str, expected: &str, rule: &str) {
    let agent = Agent::started(project, &format!("--registry {base} --allow-install skills"));
    let skill = json!({"skill": "@tools/multi"});
    if expected != "refused" {
        let done = agent.call("install_skill", skill);
        assert_eq!(done["structuredContent"]["version"], expected, "{rule}");
        return;
    }
    let why = agent.refusal("install_skill", skill.clone());
    assert!(why.contains(&format!("{FILE}:2")), "{rule}: {why}");
    // Nor does an agent read what it may not install.
    let why = agent.refusal("show_skill", skill);
    assert!(why.contains("the policy refuses"), "{rule}: {why}");
    // Rules about registries and names hide it from searches, too.
    let found = agent.call("search_skills", json!({"query": "multi"}))["structuredContent"].to_string();
    let is_hidden = rule.starts_with("allow_") || rule.starts_with("deny_");
    assert_eq!(found.contains("@tools/multi"), !is_hidden, "{rule}: {found}");
    assert!(!project.path("skills/multi").exists());
}

/// Tries the table.
fn try_table(base: &str) {
    let lock = lock(base);
    for (rule, expected) in cases() {
        for (command, expected) in COMMANDS.iter().zip(&expected) {
            try_cell(base, &lock, rule, command, expected);
        }
    }
}

#[test]
fn every_rule_holds_for_every_command_from_a_folder_and_from_nginx() {
    assert_eq!(cases().count() * COMMANDS.len(), 60);
    let registry = stocked();
    try_table(&folder_address(&registry.public()));
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    try_table(&nginx.base);
}

#[test]
fn every_rule_holds_for_every_command_from_a_server_and_from_a_snapshot() {
    let registry = stocked();
    try_table(registry.base());
    try_table(&folder_address(&registry.carried()));
}

#[test]
fn check_explains_each_rule_of_the_table() {
    let registry = stocked();
    let tree = folder_address(&registry.public());
    for (rule, expected) in cases() {
        let project = Project::new();
        fs::write(project.path(FILE), format!("\n{rule}\n")).expect("a policy");
        let words = format!("policy check @tools/multi --registry {tree} --json");
        let output = project.run(&words);
        let is_refused = expected.first() == Some(&"refused");
        assert_eq!(output.code, i32::from(is_refused), "{rule}: {output:?}");
        let printed: Value = serde_json::from_str(&output.stdout).expect("JSON");
        let item = &printed["items"][0];
        let name = rule.split(' ').next().expect("a name");
        assert_eq!(
            (&item["rule"], &item["line"], &item["accepted"]),
            (&json!(name), &json!(2), &json!(!is_refused))
        );
        assert_eq!(item["version"], if is_refused { "1.1.0" } else { "1.0.0" });
        assert!(item["fact"].as_str().is_some_and(|fact| fact.len() > 5), "{item}");
    }
}
