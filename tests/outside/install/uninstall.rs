//! `uninstall` and `list`.

use serde_json::{Value, json};

use crate::harness::{Project, Registry, Shared, Skill};

static REGISTRY: Shared<Registry> = Shared::new();

fn registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("tools", &admin);
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(Skill::named("hello").text(version)).version(version).by(&admin).expect(201);
    }
    registry.publish(Skill::named("other")).to("tools").by(&admin).expect(201);
    registry
}

#[test]
fn uninstall_removes_the_skill() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    project.run_with(source, "install hello @tools/other").ok();
    let output = project.run("uninstall hello @tools/other").ok();
    assert!(
        output.stdout.contains("uninstalled hello 1.1.0") && output.stdout.contains("@tools/other 1.0.0"),
        "{output:?}"
    );
    let left: Vec<String> = project.snapshot("skills").into_keys().collect();
    assert_eq!(left, [".skillmirror/", ".skillmirror/installed.json"]);
    assert_eq!(project.record(), json!({"version": 2, "skills": {}}));
    let output = project.run("uninstall hello");
    assert!(output.code == 1 && output.stderr.contains("skillmirror list"), "{output:?}");
    assert!(project.run("list").ok().stdout.contains("no skill"), "it says so");
}

#[test]
fn uninstall_keeps_changed_files() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    project.run_with(source, "install hello @tools/other").ok();
    project.write("hello/mine.txt", "mine");
    let before = project.snapshot("");
    let output = project.run("uninstall hello @global/other --json");
    assert_eq!(output.code, 1, "{output:?}");
    let error: Value = serde_json::from_str(&output.stderr).unwrap();
    let codes: Vec<_> = error["error"]["errors"].as_array().unwrap().iter().map(|e| &e["code"]).collect();
    assert_eq!(codes, ["changed", "other_skill"]);
    assert_eq!(project.snapshot(""), before);
    let printed: Value =
        serde_json::from_str(&project.run("uninstall hello --force --json").ok().stdout).unwrap();
    assert_eq!(printed["items"][0]["coordinate"], "@global/hello");
    assert!(!project.path("skills/hello").exists() && project.path("skills/other").exists());
    std::fs::remove_dir_all(project.path("skills/other")).unwrap();
    project.run("uninstall other").ok();
}

#[test]
fn uninstall_without_folder_creates_nothing() {
    let project = Project::new();
    assert_eq!(project.run("uninstall hello").code, 1);
    project.run("list").ok();
    assert_eq!(project.snapshot("").into_keys().collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn list_outdated_asks_each_registry() {
    let mut registry = Registry::start();
    let admin = registry.admin();
    let beside = REGISTRY.get(self::registry);
    registry.publish(Skill::named("gone")).by(&admin).expect(201);
    let project = Project::new();
    project.run_with(registry.base(), "install gone").ok();
    project.run_with(beside.base(), "install hello@1.0.0 @tools/other").ok();
    let list = |words: &str| {
        let output = project.run(words);
        (
            output.code,
            serde_json::from_str::<Value>(&output.stdout).unwrap_or_else(|why| panic!("{why}: {output:?}")),
            output.stderr,
        )
    };
    let (code, plain, _) = list("list --json");
    assert_eq!((code, plain["items"].as_array().unwrap().len()), (0, 3));
    assert!(plain["items"][0].get("latest").is_none(), "{plain}");
    registry.remove("global/gone", &admin).expect(204);
    let (code, asked, _) = list("list --outdated --json");
    let latest: Vec<_> = asked["items"].as_array().unwrap().iter().map(|item| &item["latest"]).collect();
    assert_eq!((code, latest), (1, vec![&json!(null), &json!("1.1.0")]));
    let output = project.run("list --outdated");
    let line = |name: &str| {
        output.stdout.lines().map(str::trim).find(|line| line.starts_with(name)).map(str::to_owned)
    };
    assert!(line("hello").is_some_and(|line| line.contains("1.0.0") && line.contains("1.1.0")), "{output:?}");
    assert!(line("gone").is_some_and(|line| line.contains("none")) && line("@tools/other").is_none());
    assert_eq!((output.code, &*output.stderr), (1, ""));
    let address = registry.base().to_owned();
    registry.stop();
    let (code, asked, err) = list("list --outdated --json");
    assert_eq!((code, asked["items"].as_array().unwrap().len()), (1, 1));
    assert_eq!(asked["items"][0]["latest"], "1.1.0");
    assert!(err.contains(&address), "{err}");
    project.run("uninstall gone").ok();
    project.run_with(beside.base(), "install hello").ok();
    let output = project.run("list --outdated").ok();
    assert_eq!(output.stdout, "no skill is outdated\n");
}
