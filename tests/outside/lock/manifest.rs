//! `skills.toml`: what a project wants.

use super::{LockedProject, error, world};
use crate::harness::{Project, Registry};

/// A project with this `skills.toml`, which names the registry.
fn wanting(registry: &str, rest: &str) -> Project {
    let project = Project::new();
    std::fs::write(project.path("skills.toml"), format!("# Ours.\nregistry = \"{registry}\"\n{rest}"))
        .unwrap();
    project
}

#[test]
fn install_brings_lock_and_folders_in_line_with_the_manifest() {
    let registry = world();
    let project = wanting(registry.base(), "\n[skills]\nhello = \"1\"\n\"@tools/lint\" = \"^0.1\"\n");
    assert_eq!(error(&project, "install --locked")["code"], "lock_outdated");
    assert!(!project.path("skills").exists() && !project.path("skills.lock").exists());
    project.run("install").ok();
    assert_eq!(
        project.locked(),
        ["@global/hello 1.1.0 ^1 skills/hello", "@tools/lint 0.1.5 ^0.1 skills/lint"]
    );
    project.run("install --locked").ok();
    // A locked version that fits stays, though there is a newer one.
    project.change("skills.toml", "hello = \"1\"", "hello = \"*\" # any");
    let why = error(&project, "install --locked");
    assert!(
        why["message"].as_str().unwrap().contains("skills.toml wants hello `*`, and skills.lock has `^1`"),
        "{why}"
    );
    project.run("install").ok();
    assert_eq!(project.locked()[0], "@global/hello 1.1.0 * skills/hello");
    project.change("skills.toml", "hello = \"*\"", "hello = \"2\"");
    let output = project.run("install").ok();
    assert!(output.stdout.contains("installed hello 2.0.0 in skills/hello (replaced 1.1.0)"), "{output:?}");
    // Another folder gets the locked version; a skill that is not wanted goes.
    project.change("skills.toml", "\"@tools/lint\" = \"^0.1\"\n", "");
    project.change("skills.toml", "# Ours.\n", "# Ours.\nagents = [\"claude\", \"codex\"]\n");
    let output = project.run("install").ok();
    assert!(output.stdout.contains("uninstalled @tools/lint 0.1.5 from skills/lint"), "{output:?}");
    assert_eq!(
        project.locked(),
        ["@global/hello 2.0.0 ^2 .agents/skills/hello", "@global/hello 2.0.0 ^2 .claude/skills/hello"]
    );
    assert!(!project.path("skills/hello").exists());
    project.run("install --locked").ok();
}

#[test]
fn install_by_name_and_uninstall_change_the_manifest() {
    let registry = world();
    let project =
        wanting(registry.base(), "agents = [\"claude\"]\n\n[skills]\n# Greets.\nhello = \"1\" # for all\n");
    project.run("install @tools/lint@~0.1 --as check").ok();
    project.run("install hello@stable").ok();
    project.run("install @tools/lint@~0.1 --as check --agent codex").ok();
    let text = std::fs::read_to_string(project.path("skills.toml")).unwrap();
    assert!(text.contains("# Greets.\nhello = \"stable\""), "{text}");
    assert!(
        text.contains(
            "\"@tools/lint\" = { version = \"~0.1\", as = \"check\", agents = [\"claude\", \"codex\"] }"
        ),
        "{text}"
    );
    assert!(project.path(".claude/skills/check/SKILL.md").exists());
    project.run("install --locked").ok();
    let output = project.run("uninstall @tools/lint --agent codex").ok();
    assert_eq!(output.stdout, "uninstalled @tools/lint 0.1.5 from .agents/skills/check\n");
    project.run("install --locked").ok();
    project.run("uninstall hello check").ok();
    let text = std::fs::read_to_string(project.path("skills.toml")).unwrap();
    assert!(text.starts_with("# Ours.\n") && !text.contains("hello") && !text.contains("lint"), "{text}");
    assert!(project.locked().is_empty() && !project.path(".claude/skills/hello").exists());
    project.run("install --locked").ok();
}

#[test]
fn new_version_for_one_folder_moves_the_others() {
    let registry = world();
    let project = wanting(registry.base(), "agents = [\"claude\"]\n[skills]\nhello = \"1\"\n");
    project.run("install").ok();
    let output = project.run("install hello@2 --dir own").ok();
    assert!(
        output.stdout.contains("installed hello 2.0.0 in .claude/skills/hello (replaced 1.1.0)"),
        "{output:?}"
    );
    project.run("install --locked").ok();
    assert_eq!(
        project.locked().iter().filter(|line| line.contains(" 2.0.0 ^2 ")).count(),
        2,
        "{:?}",
        project.locked()
    );
}

#[test]
fn changed_skill_that_is_no_longer_wanted_is_kept() {
    let registry = world();
    let project = wanting(registry.base(), "[skills]\nhello = \"1\"\n");
    project.run("install").ok();
    project.write("hello/SKILL.md", "Mine.\n");
    project.change("skills.toml", "hello = \"1\"\n", "");
    assert_eq!(error(&project, "install")["code"], "changed");
    assert_eq!((project.read("hello/SKILL.md").as_str(), project.locked().len()), ("Mine.\n", 1));
    project.run("install --force").ok();
    assert!(project.locked().is_empty());
}

#[test]
fn invalid_manifest_is_named_with_line_and_remedy() {
    let registry = world();
    for (text, said) in [
        ("[skills]\nhello = 1\n", "`hello`: its value is neither a version"),
        ("[skill]\nhello = \"1\"\n", "line 3: `skill` is unknown"),
        ("[skills]\nhello = { dirs = [\"../other\"] }\n", "is not in the project"),
        ("[skills]\nhello = \"1\"\n\"@tools/hello\" = \"1\"\n", "another name with `as`"),
    ] {
        let project = wanting(registry.base(), text);
        let why = error(&project, "install");
        assert_eq!(why["code"], "manifest_invalid", "{why}");
        assert!(why["message"].as_str().unwrap().contains(said), "{text}: {why}");
    }
}

#[test]
fn manifest_chooses_the_registry_before_variables_and_after_the_option() {
    let registry = world();
    let project = wanting(registry.base(), "[skills]\n");
    let mut program = project.program();
    program.env("CLI_REGISTRY", "http://127.0.0.1:1").args(["install", "hello@1"]);
    assert!(program.output().unwrap().status.success());
    let why = error(&project, "install hello@1 --registry http://127.0.0.1:1");
    assert_eq!(why["code"], "unreachable");
}

#[test]
fn entry_with_its_own_registry_name_and_folder_keeps_them() {
    let (registry, other) = (world(), Registry::start());
    let admin = other.admin();
    other.versions("global/hello", &["1.0.0", "7.0.0"], &admin);
    let entry = format!(
        "[skills]\nhello = {{ version = \"1\", as = \"hi\", registry = \"{}\", agents = [\"codex\"] }}\n",
        other.base()
    );
    let project = wanting(registry.base(), &entry);
    project.run("install").ok();
    assert_eq!(project.locked(), ["@global/hello 1.0.0 ^1 .agents/skills/hi"]);
    let output = project.run("install hello@7").ok();
    assert!(output.stdout.contains("installed hello 7.0.0 in .agents/skills/hi"), "{output:?}");
    assert_eq!(project.locked(), ["@global/hello 7.0.0 ^7 .agents/skills/hi"]);
    let text = std::fs::read_to_string(project.path("skills.toml")).unwrap();
    assert!(
        text.contains(&format!("registry = \"{}\"", other.base())) && text.contains("as = \"hi\""),
        "{text}"
    );
    // Also in a file without a registry for all, when another folder goes.
    project.change("skills.toml", &format!("registry = \"{}\"\n[skills]", registry.base()), "[skills]");
    project.run("install hello@7 --agent claude").ok();
    project.run("uninstall hello --agent claude").ok();
    let text = std::fs::read_to_string(project.path("skills.toml")).unwrap();
    assert!(text.contains(&format!("registry = \"{}\"", other.base())), "{text}");
    project.run("install --locked").ok();
}

#[test]
fn skill_that_cannot_move_stays_where_it_is() {
    let registry = world();
    let project = wanting(registry.base(), "[skills]\nhello = \"1\"\n\"@tools/lint\" = \"^0.1\"\n");
    project.run("install").ok();
    // No version fits in the new folder, so the old one stays.
    project.change("skills.toml", "hello = \"1\"", "hello = { version = \"9\", agents = [\"claude\"] }");
    assert_eq!(project.run("install").code, 1);
    assert!(project.path("skills/hello/SKILL.md").exists());
    assert!(project.locked().contains(&"@global/hello 1.1.0 ^1 skills/hello".to_owned()));
    // What is unwanted goes only from the named folders.
    project.change(
        "skills.toml",
        "hello = { version = \"9\", agents = [\"claude\"] }\n\"@tools/lint\" = \"^0.1\"\n",
        "",
    );
    project.run("install --agent claude").ok();
    assert!(project.path("skills/lint/SKILL.md").exists());
    project.run("install").ok();
    assert!(!project.path("skills/lint").exists() && project.locked().is_empty());
}

#[test]
fn manifest_that_wants_too_many_folders_is_refused() {
    let registry = world();
    let skills: String = (0..2_600).map(|number| format!("skill-{number} = \"1\"\n")).collect();
    let project = wanting(registry.base(), &format!("agents = [\"claude\", \"codex\"]\n[skills]\n{skills}"));
    let why = error(&project, "install");
    assert_eq!(why["code"], "manifest_invalid");
    assert!(why["message"].as_str().unwrap().contains("more than 5000 folders of skills"), "{why}");
}
