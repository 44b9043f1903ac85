//! `install` takes what a skill requires; `update`, `uninstall` and `list` know why it is there.

use serde_json::{Value, json};

use super::publish_all;
use crate::harness::{Project, Registry};

/// A registry with the namespace `a` and these skills, each a line `skill version: requirements`.
pub(super) fn registry(lines: &[&str]) -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("a", &admin);
    publish_all(&registry, &admin, lines);
    registry
}

pub(super) fn lock(project: &Project) -> String {
    std::fs::read_to_string(project.path("skills.lock")).unwrap()
}

/// The state of the folder `skills`: each skill with its version.
pub(super) fn installed(project: &Project) -> Vec<String> {
    let listed: Value = serde_json::from_str(&project.run("list --json").ok().stdout).unwrap();
    let line = |item: &Value| {
        let by = item["requiredBy"].as_array().unwrap().iter().map(|by| by.as_str().unwrap().to_owned());
        let by = by.collect::<Vec<_>>().join(", ");
        let asked = if item["asked"] == json!(true) { "asked" } else { "" };
        format!(
            "{} {} {asked} [{by}]",
            item["coordinate"].as_str().unwrap(),
            item["version"].as_str().unwrap()
        )
    };
    listed["items"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn install_takes_the_closure_and_restore_needs_only_the_lock() {
    let registry = registry(&["z 2.0.0:", "z 1.1.0: x", "z 1.0.0:", "y 1.0.0: z@1.1", "x 1.0.0: y, z@^1"]);
    let project = Project::new();
    let output = project.run_with(registry.base(), "install @a/x").ok();
    for line in ["installed @a/x 1.0.0", "installed @a/y 1.0.0", "installed @a/z 1.1.0"] {
        assert!(output.stdout.contains(line), "{output:?}");
    }
    let all =
        ["@a/x 1.0.0 asked [@a/z latest]", "@a/y 1.0.0  [@a/x latest]", "@a/z 1.1.0  [@a/x ^1, @a/y ^1.1]"];
    assert_eq!(installed(&project), all);
    let text = lock(&project);
    assert!(
        text.contains("version = 3\n") && text.contains("required_by = [\"@a/x ^1\", \"@a/y ^1.1\"]"),
        "{text}"
    );
    std::fs::remove_dir_all(project.path("skills")).unwrap();
    project.run("install --locked").ok();
    assert_eq!((installed(&project).as_slice(), lock(&project)), (&all.map(str::to_owned)[..], text));
    // Nobody asks for y or z.
    let output = project.run("uninstall @a/x").ok();
    assert!(
        output.stdout.contains("uninstalled @a/z 1.1.0 from skills/z, which no skill requires any more"),
        "{output:?}"
    );
    assert_eq!(installed(&project), [""; 0]);
}

#[test]
fn conflict_names_both_chains_and_changes_nothing() {
    let registry = registry(&["z 2.0.0:", "z 1.0.0:", "x 1.2.0: z@^1", "y 2.0.0: z@^2", "w 1.0.0: x, y"]);
    let project = Project::new();
    let output = project.run_with(registry.base(), "install @a/w --json");
    let error: Value = serde_json::from_str(&output.stderr).unwrap();
    assert_eq!(error["error"]["code"], "requirements");
    let message = error["error"]["message"].as_str().unwrap();
    for chain in [
        "and @a/x 1.2.0 needs @a/z ^1",
        "@a/w 1.0.0 (you asked) needs @a/y latest, and @a/y 2.0.0 needs @a/z ^2",
    ] {
        assert!(message.contains(chain), "{message}");
    }
    assert!(!project.path("skills").exists() || !project.path("skills/w").exists(), "nothing was installed");
    // What was installed before does not move for another.
    project.run_with(registry.base(), "install @a/x").ok();
    let before = lock(&project);
    let why = project.run_with(registry.base(), "install @a/y").stderr;
    assert!(why.contains("@a/x 1.2.0 (installed) needs @a/z ^1"), "{why}");
    assert_eq!(lock(&project), before);
    project.run_with(registry.base(), "install @a/y --no-deps").ok();
    assert_eq!(installed(&project), ["@a/x 1.2.0 asked []", "@a/y 2.0.0 asked []", "@a/z 1.0.0  [@a/x ^1]"]);
}

#[test]
fn update_follows_what_new_versions_require() {
    let registry = registry(&["z 1.0.0:", "y 1.0.0:", "x 1.0.0: z@^1, y"]);
    let admin = registry.admin();
    let project = Project::new();
    project.write("skills.toml", "[skills]\n");
    std::fs::write(project.path("skills.toml"), format!("registry = \"{}\"\n\n[skills]\n", registry.base()))
        .unwrap();
    project.run_with(registry.base(), "install @a/x@1").ok();
    let manifest = std::fs::read_to_string(project.path("skills.toml")).unwrap();
    assert!(manifest.contains("\"@a/x\" = \"^1\"") && !manifest.contains("@a/z"), "{manifest}");
    publish_all(&registry, &admin, &["z 2.0.0:", "v 1.0.0:"]);
    // z stays below 2 as long as x wants that.
    assert_eq!(project.run("outdated --json").code, 1);
    project.run("update").ok();
    assert!(installed(&project).contains(&"@a/z 1.0.0  [@a/x ^1]".to_owned()), "{:?}", installed(&project));
    publish_all(&registry, &admin, &["x 1.1.0: z@^2, v"]);
    let output = project.run("update").ok();
    assert!(output.stdout.contains("uninstalled @a/y 1.0.0"), "{output:?}");
    assert_eq!(
        installed(&project),
        ["@a/v 1.0.0  [@a/x latest]", "@a/x 1.1.0 asked []", "@a/z 2.0.0  [@a/x ^2]"]
    );
    project.run("install --locked").ok();
    // Who asks for it and then not any more.
    project.run_with(registry.base(), "install @a/z").ok();
    assert!(installed(&project).contains(&"@a/z 2.0.0 asked [@a/x ^2]".to_owned()));
    let output = project.run("uninstall @a/z").ok();
    assert!(output.stdout.contains("kept @a/z, which @a/x requires"), "{output:?}");
    assert!(installed(&project).contains(&"@a/z 2.0.0  [@a/x ^2]".to_owned()), "{:?}", installed(&project));
    // Without the manifest's wish, nobody needs the rest.
    std::fs::write(project.path("skills.toml"), "[skills]\n").unwrap();
    project.run("install").ok();
    assert_eq!(installed(&project), [""; 0]);
}

#[test]
fn folders_outside_of_a_project_keep_it_in_their_record() {
    let registry = registry(&["z 1.0.0:", "x 1.0.0: z@^1"]);
    let admin = registry.admin();
    let (project, elsewhere) = (Project::new(), tempfile::tempdir().unwrap());
    let dir = elsewhere.path().join("skills").display().to_string();
    project.run_with(registry.base(), &format!("install @a/x --dir {dir}")).ok();
    let record =
        || std::fs::read_to_string(elsewhere.path().join("skills/.skillmirror/installed.json")).unwrap();
    assert!(record().contains("\"isAsked\": false") && record().contains("\"@a/x ^1\""), "{}", record());
    publish_all(&registry, &admin, &["z 1.1.0:", "z 2.0.0:"]);
    project.run(&format!("update --dir {dir}")).ok();
    assert!(record().contains("\"1.1.0\""), "{}", record());
    let output = project.run(&format!("uninstall @a/z --dir {dir}")).ok();
    assert!(output.stdout.contains("kept @a/z, which @a/x requires"), "{output:?}");
    project.run(&format!("uninstall @a/x --dir {dir}")).ok();
    assert!(!record().contains("@a/"), "{}", record());
}
