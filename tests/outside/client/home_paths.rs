//! Paths that begin with `~`, in options, variables and files.

use serde_json::Value;

use crate::harness::{Project, Registry, Shared, Skill};

static REGISTRY: Shared<Registry> = Shared::new();

fn registry() -> Registry {
    let registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry
}

/// Asserts that nothing in the project begins with a tilde.
#[track_caller]
fn has_no_tilde(project: &Project, what: &str) {
    let paths: Vec<_> = project.snapshot("").into_keys().filter(|path| path.contains('~')).collect();
    assert!(paths.is_empty(), "{what}: {paths:?}");
}

#[test]
fn install_into_a_path_with_a_tilde_uses_the_home_folder() {
    let registry = REGISTRY.get(registry);
    for (options, variables, folder) in [
        ("--dir=~/sk", &[][..], "home/sk"),
        ("--dir ~", &[], "home"),
        ("--agent claude --global", &[("CLAUDE_CONFIG_DIR", "~/.claude-x")], "home/.claude-x/skills"),
        ("--agent goose --global", &[("XDG_CONFIG_HOME", "~/cfg")], "home/cfg/goose/skills"),
        ("--agent grok --global", &[("GROK_HOME", "~")], "home/skills"),
    ] {
        let project = Project::new();
        project.run_in(variables, &format!("install hello --registry {} {options}", registry.base())).ok();
        assert!(project.path(folder).join("hello/SKILL.md").exists(), "{options}");
        has_no_tilde(&project, options);
        for words in ["list", "update", "uninstall hello"] {
            project.run_in(variables, &format!("{words} {options}")).ok();
        }
        assert!(!project.path(folder).join("hello").exists(), "{options}");
    }
}

#[test]
fn other_home_folders_and_relative_global_folders_are_refused() {
    let registry = REGISTRY.get(registry);
    for (options, variables, said) in [
        ("--dir=~ann/sk", &[][..], "home folder of another person"),
        ("--agent claude --global", &[("CLAUDE_CONFIG_DIR", "~ann/x")], "CLAUDE_CONFIG_DIR"),
        ("--agent claude --global", &[("CLAUDE_CONFIG_DIR", "x")], "CLAUDE_CONFIG_DIR is `x`"),
        ("--agent goose --global", &[("XDG_CONFIG_HOME", "./x")], "XDG_CONFIG_HOME is `./x`"),
        ("--agent codex --global", &[("HOME", "x")], "HOME is `x`"),
    ] {
        for words in ["install hello --registry", "list", "update", "uninstall hello"] {
            let project = Project::new();
            let words = words.replace("--registry", &format!("--registry {}", registry.base()));
            let output = project.run_in(variables, &format!("{words} {options}"));
            assert_ne!(output.code, 0, "{words} {options}: {output:?}");
            assert!(output.stderr.contains(said), "{words} {options}: {output:?}");
            assert!(project.snapshot("").is_empty(), "{words} {options}");
        }
    }
    let project = Project::new();
    let output = project.run_in(&[("CLAUDE_CONFIG_DIR", "~/x")], "agents claude --json").ok();
    let agents: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(agents["items"][0]["globalFolder"], project.path("home/x/skills").display().to_string());
    assert_eq!(project.run_in(&[("CLAUDE_CONFIG_DIR", "x")], "agents claude").code, 1);
}

#[test]
fn skills_toml_with_a_folder_in_the_home_folder_is_refused() {
    let project = Project::new();
    for dirs in ["~/skills", "~", "~ann/skills"] {
        let text = format!("dirs = [\"{dirs}\"]\n[skills]\nhello = \"1\"\n");
        std::fs::write(project.path("skills.toml"), text).unwrap();
        let output = project.run("install");
        assert!(output.code == 1 && output.stderr.contains("skills.toml"), "{output:?}");
        has_no_tilde(&project, dirs);
    }
}

#[test]
fn paths_of_every_command_and_of_settings_may_begin_with_a_tilde() {
    let project = Project::new();
    std::fs::create_dir_all(project.path("home/hello")).unwrap();
    std::fs::write(
        project.path("home/hello/SKILL.md"),
        "---\nname: hello\ndescription: Greets people.\n---\n\nSay hello.\n",
    )
    .unwrap();
    std::fs::write(
        project.path("config.toml"),
        "[signing]\nkeys = \"~/keys\"\n[log]\naccess = \"~/access.log\"\n",
    )
    .unwrap();
    for (words, variables, made) in [
        ("pack ~/hello --out=~/hello.zip", &[][..], "home/hello.zip"),
        ("check ~/hello", &[], "home/hello"),
        ("diff ~/hello ~/hello.zip --registry http://127.0.0.1:1", &[], "home/hello"),
        ("man --out=~/man", &[], "home/man"),
        ("import ~/hello --init --data=~/data --public=~/public", &[], "home/data"),
        ("verify --data=~/data --public=~/public", &[], "home/public"),
        ("generate --data ~/data --out=~/tree", &[], "home/tree"),
        ("generate --feed ~/tree --out=~/copy", &[], "home/copy"),
        ("journal backup ~/backup.sqlite", &[("SKILLMIRROR_DATA", "~/data")], "home/backup.sqlite"),
        ("key new --name skills.example.org", &[], "home/keys"),
    ] {
        let output = project.run_in(variables, words);
        assert_eq!(output.code, 0, "{words}: {output:?}");
        assert!(project.path(made).exists(), "{words}: {output:?}");
        has_no_tilde(&project, words);
    }
    for words in
        ["check ~ann/hello", "user list --data=~ann/data", "generate --feed ~ann/tree", "diff ~ann/a ./b"]
    {
        let output = project.run(words);
        assert!(
            output.code == 2 && output.stderr.contains("home folder of another person"),
            "{words}: {output:?}"
        );
    }
    let output = project.run_in(&[("SKILLMIRROR_DATA", "~ann/data")], "user list");
    assert!(output.code == 1 && output.stderr.contains("home folder of another person"), "{output:?}");
}
