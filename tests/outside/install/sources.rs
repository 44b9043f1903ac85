//! Installs from a server, a plain file server and a folder.

use serde_json::json;

use crate::harness::{Project, Registry, Shared, Skill, StaticHost, folder_address, sha256, tree};

/// `hello` in `global` and another in `tools`, with several versions and a tag.
struct World {
    registry: Registry,
    greeting: Skill,
}

static WORLD: Shared<World> = Shared::new();

fn world() -> World {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("tools", &admin);
    let greeting = Skill::named("hello")
        .executable("scripts/run.sh", "#!/bin/sh\necho hello\n")
        .file("references/ä ö.txt", "ä")
        .file("empty", "");
    for version in ["1.0.0", "1.1.0", "2.0.0-rc.1"] {
        let skill = greeting.clone().text(version);
        registry.publish(skill).version(version).by(&admin).expect(201);
    }
    registry.tag("global/hello", "stable", "1.0.0", &admin).expect(201);
    registry.publish(Skill::named("hello").text("of the team")).to("tools").by(&admin).expect(201);
    World { registry, greeting }
}

#[test]
fn install_works_from_every_kind_of_source() {
    let world = WORLD.get(world);
    let public = world.registry.public();
    let host = StaticHost::over(&public);
    let mut seen = Vec::new();
    for source in [world.registry.base().to_owned(), host.base.clone(), folder_address(&public)] {
        let project = Project::new();
        let output = project.run_with(&source, "install hello").ok();
        assert!(
            output.stdout.contains("hello 1.1.0") && output.stdout.contains("skills/hello"),
            "{output:?}"
        );
        let skill = world.greeting.clone().text("1.1.0");
        tree::assert_equal(&tree::contents(&project.path("skills/hello")), &skill.contents());
        let run = std::process::Command::new(project.path("skills/hello/scripts/run.sh")).output();
        assert_eq!(run.expect("it can be run").stdout, b"hello\n");
        let mut record = project.record();
        let entry = &mut record["skills"]["hello"];
        assert_eq!(entry["registry"], source.as_str());
        entry["registry"].take();
        entry["installedAt"].take();
        seen.push(record);
        let left: Vec<String> = project.snapshot("skills/.skillmirror").into_keys().collect();
        assert_eq!(left, ["installed.json"]);
    }
    assert!(seen.windows(2).all(|two| two[0] == two[1]), "{seen:#?}");
    let version = world.registry.read("/api/v1/skills/global/hello/versions/1.1.0");
    let entry = &seen[0]["skills"]["hello"];
    assert_eq!(seen[0]["version"], 2);
    assert_eq!(entry["coordinate"], "@global/hello");
    assert_eq!(entry["requested"], "latest");
    for field in ["version", "sha256", "contentDigest"] {
        assert_eq!(entry[field], version[field], "{field}");
    }
    assert_eq!(entry["files"]["empty"], format!("0644 {}", sha256(b"")));
}

#[test]
fn every_reference_form_installs() {
    let world = WORLD.get(world);
    let source = world.registry.base();
    for (reference, coordinate, version, requested) in [
        ("hello", "@global/hello", "1.1.0", json!("latest")),
        ("@global/hello", "@global/hello", "1.1.0", json!("latest")),
        ("hello@latest", "@global/hello", "1.1.0", json!("latest")),
        ("hello@stable", "@global/hello", "1.0.0", json!("stable")),
        ("hello@1.0.0", "@global/hello", "1.0.0", json!(null)),
        ("hello@2.0.0-rc.1", "@global/hello", "2.0.0-rc.1", json!(null)),
        ("@tools/hello", "@tools/hello", "1.0.0", json!("latest")),
        ("tools--hello@1.0.0", "@tools/hello", "1.0.0", json!(null)),
    ] {
        let project = Project::new();
        let printed = project.json(source, &format!("install {reference}"));
        let item = &printed["items"][0];
        assert_eq!((&item["coordinate"], &item["version"]), (&json!(coordinate), &json!(version)));
        assert_eq!((&item["status"], &item["requested"]), (&json!("installed"), &requested), "{reference}");
        assert_eq!(item["path"], "skills/hello");
        assert!(project.read("hello/SKILL.md").starts_with("---"), "{reference}");
    }
}

#[test]
fn command_shown_on_the_skill_page_installs() {
    let world = WORLD.get(world);
    let public = world.registry.public();
    let host = StaticHost::over(public.parent().expect("a folder around it"));
    let below = format!("{}/{}", host.base, public.file_name().unwrap().to_str().unwrap());
    for variables in [&["CLI_SITE", "CLI_REGISTRY"][..], &["CLI_REGISTRY"], &["CLI_SITE"]] {
        let project = Project::new();
        let mut program = project.program();
        program.envs(variables.iter().map(|name| (name, &below)));
        let output = program.args(["install", "hello", "--agent", "claude"]).output().expect("it starts");
        assert!(output.status.success(), "{variables:?}: {output:?}");
        assert!(project.path(".claude/skills/hello/SKILL.md").exists(), "{variables:?}");
    }
    let output = Project::new().run("install hello");
    assert!(
        output.code == 1 && output.stderr.contains("--registry") && output.stderr.contains("CLI_REGISTRY"),
        "{output:?}"
    );
}

#[test]
fn install_into_named_folder() {
    let world = WORLD.get(world);
    let source = world.registry.base();
    let project = Project::new();
    for (place, folder) in [
        ("--dir some/where", "some/where"),
        ("--agent claude", ".claude/skills"),
        ("--agent claude-code --global", "home/.claude/skills"),
        ("--agent cursor", ".agents/skills"),
        ("--agent goose --global", "home/.config/goose/skills"),
    ] {
        project.run_with(source, &format!("install hello {place}")).ok();
        assert!(project.path(folder).join("hello/SKILL.md").exists(), "{place}");
        assert!(project.path(folder).join(".skillmirror/installed.json").exists(), "{place}");
        let output = project.run(&format!("list {place}")).ok();
        assert!(output.stdout.contains("hello ") && output.stdout.contains("unchanged"), "{output:?}");
    }
    assert!(!project.path("skills").exists());
    let output = project.run_with(source, "install hello --agent nonsense");
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("claude-code") && output.stderr.contains("windsurf"), "{output:?}");
    for usage in ["install hello --global", "install hello --dir a --agent codex", "install --as x"] {
        assert_eq!(project.run_with(source, usage).code, 2, "{usage}");
    }
}

#[test]
fn several_skills_are_installed_one_by_one() {
    let world = WORLD.get(world);
    let project = Project::new();
    let output = project.run_with(world.registry.base(), "install nothing @tools/hello hello@9.9.9");
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("@tools/hello 1.0.0"), "{output:?}");
    assert!(
        output.stderr.contains("no skill nothing at") && output.stderr.contains("no version 9.9.9"),
        "{output:?}"
    );
    let output = project.run_with(world.registry.base(), "install nothing @tools/hello hello@9.9.9 --json");
    let (out, err): (serde_json::Value, serde_json::Value) =
        (serde_json::from_str(&output.stdout).unwrap(), serde_json::from_str(&output.stderr).unwrap());
    assert_eq!(out["items"][0]["status"], "already_there");
    let codes: Vec<_> = err["error"]["errors"].as_array().unwrap().iter().map(|e| &e["code"]).collect();
    assert_eq!(codes, ["not_found", "not_found"]);
    assert!(err["error"]["message"].is_string() && err["error"]["code"].is_string(), "{err}");
}

#[test]
fn missing_skill_version_and_tag_are_distinguished() {
    let world = WORLD.get(world);
    let (source, project) = (world.registry.base(), Project::new());
    let printed = project.refused(source, "install nothing", "not_found");
    assert!(printed.contains(source) && printed.contains("no skill nothing at"), "{printed}");
    let printed = project.refused(source, "install hello@3.0.0", "not_found");
    assert!(["1.0.0", "1.1.0", "2.0.0-rc.1"].iter().all(|version| printed.contains(version)), "{printed}");
    let printed = project.refused(source, "install hello@beta", "not_found");
    assert!(printed.contains("`latest`, stable"), "{printed}");
    assert_eq!(project.snapshot("").into_keys().collect::<Vec<_>>(), [""; 0], "nothing was made");
}

#[test]
fn tolerantly_accepted_package_is_installed() {
    let mut registry = Registry::start();
    registry.stop();
    let folder = registry.folder().join("plain");
    Skill::of_text(b"# Plain\n\nSays hello, and has no front matter.\n").write_to(&folder);
    registry.command(["import".as_ref(), "--tolerant".as_ref(), folder.as_os_str()]).ok();
    registry.command(["generate"]).ok();
    let project = Project::new();
    project.run_with(&folder_address(&registry.public()), "install plain").ok();
    assert!(project.read("plain/SKILL.md").starts_with("# Plain"));
}
