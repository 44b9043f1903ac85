//! Installs into folders that already have content.

use serde_json::json;

use crate::harness::{Project, Registry, Shared, Skill, TamperedTree, folder_address};

static REGISTRY: Shared<Registry> = Shared::new();

/// `hello` with two versions, and another `hello` in a team.
fn registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("tools", &admin);
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(hello(version)).version(version).by(&admin).expect(201);
    }
    registry.publish(Skill::named("hello")).to("tools").by(&admin).expect(201);
    registry
}

fn hello(version: &str) -> Skill {
    let skill = Skill::named("hello").text(version);
    // A file that the other version has not.
    skill.file(&format!("only-in-{version}"), version)
}

#[test]
fn install_again_upgrades_and_downgrades() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    let status = |words: &str| project.json(source, words)["items"][0]["status"].clone();
    assert_eq!(status("install hello@1.0.0"), "installed");
    let before = project.snapshot("");
    assert_eq!(status("install hello@1.0.0"), "already_there");
    assert_eq!(project.snapshot(""), before);
    let printed = project.json(source, "install hello");
    assert_eq!(
        (&printed["items"][0]["status"], &printed["items"][0]["replaced"]),
        (&json!("replaced"), &json!("1.0.0"))
    );
    assert!(
        project.path("skills/hello/only-in-1.1.0").exists()
            && !project.path("skills/hello/only-in-1.0.0").exists()
    );
    let output = project.run_with(source, "install hello@1.0.0").ok();
    assert!(output.stdout.contains("1.1.0") && output.stdout.contains("1.0.0"), "{output:?}");
    assert_eq!(project.record()["skills"]["hello"]["version"], "1.0.0");
    assert_eq!(project.snapshot("skills/hello"), {
        let fresh = Project::new();
        fresh.run_with(source, "install hello@1.0.0").ok();
        fresh.snapshot("skills/hello")
    });
}

#[test]
fn changed_files_are_kept() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    project.run_with(source, "install hello@1.0.0").ok();
    project.write("hello/SKILL.md", "mine");
    project.write("hello/notes/new.md", "mine");
    std::fs::remove_file(project.path("skills/hello/only-in-1.0.0")).unwrap();
    for words in ["install hello", "install hello@1.0.0"] {
        let printed = project.refused(source, words, "changed");
        for named in ["SKILL.md (changed)", "notes/new.md (new)", "only-in-1.0.0 (gone)", "--force"] {
            assert!(printed.contains(named), "{named}: {printed}");
        }
    }
    let list = project.run("list --json").ok();
    let list: serde_json::Value = serde_json::from_str(&list.stdout).unwrap();
    assert_eq!(list["items"][0]["state"], "changed");
    assert_eq!(list["items"][0]["changed"].as_array().unwrap().len(), 3);
    project.run_with(source, "install hello --force").ok();
    assert!(!project.path("skills/hello/notes").exists());
    // Files that systems leave behind are not changes.
    project.write("hello/.DS_Store", "");
    project.write("hello/scripts/__pycache__/a.pyc", "");
    project.run_with(source, "install hello@1.0.0").ok();
    std::fs::remove_dir_all(project.path("skills/hello")).unwrap();
    assert!(project.run("list").ok().stdout.contains("missing"));
    project.run_with(source, "install hello").ok();
}

#[test]
fn folder_of_another_tool_is_untouched() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    project.run_with(source, "install hello").ok();
    for words in ["install @tools/hello", "install @tools/hello --force"] {
        let printed = project.refused(source, words, "other_skill");
        assert!(printed.contains("holds hello") && printed.contains("@tools/hello"), "{printed}");
    }
    let project = Project::new();
    project.write("hello/mine.txt", "mine");
    for words in ["install hello", "install hello --force"] {
        let printed = project.refused(source, words, "not_ours");
        assert!(printed.contains("skills/hello") && printed.contains("--dir"), "{printed}");
    }
    let printed = project.run("uninstall hello --force");
    assert!(printed.code == 1 && printed.stderr.contains("remove it yourself"), "{printed:?}");
}

#[test]
fn links_and_files_in_the_way_are_refused() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let link = |target: &str, project: &Project, path: &str| {
        std::os::unix::fs::symlink(project.path(target), project.path(path)).unwrap();
    };
    let project = Project::new();
    project.write("../elsewhere/kept.txt", "kept");
    std::fs::create_dir_all(project.path("skills")).unwrap();
    link("elsewhere", &project, "skills/hello");
    let printed = project.refused(source, "install hello --force", "not_a_folder");
    assert!(printed.contains("symbolic link"), "{printed}");
    std::fs::remove_file(project.path("skills/hello")).unwrap();
    project.write("hello", "a file");
    project.refused(source, "install hello --force", "not_a_folder");
    std::fs::remove_file(project.path("skills/hello")).unwrap();
    link("elsewhere", &project, "skills/.skillmirror");
    project.refused(source, "install hello", "not_a_folder");
    std::fs::remove_file(project.path("skills/.skillmirror")).unwrap();
    std::fs::create_dir(project.path("skills/.skillmirror")).unwrap();
    link("elsewhere/kept.txt", &project, "skills/.skillmirror/lock");
    assert_eq!(project.run_with(source, "install hello").code, 1);
    std::fs::remove_file(project.path("skills/.skillmirror/lock")).unwrap();
    assert_eq!(std::fs::read_to_string(project.path("elsewhere/kept.txt")).unwrap(), "kept");

    // The folder itself may be a link if its user named it in full.
    let project = Project::new();
    std::fs::create_dir_all(project.path("elsewhere")).unwrap();
    link("elsewhere", &project, "skills");
    project.refused(source, "install hello", "not_a_folder");
    project.run_with(source, &format!("install hello --dir {}", project.path("skills").display())).ok();
    assert!(project.path("elsewhere/hello/SKILL.md").exists());
}

#[test]
fn install_from_another_registry_needs_force() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    let mirror = folder_address(&registry.public());
    project.run_with(source, "install hello@1.0.0").ok();
    // The same content from a mirror is already installed.
    let printed = project.json(&mirror, "install hello@1.0.0");
    assert_eq!(printed["items"][0]["status"], "already_there");
    let printed = project.refused(&mirror, "install hello", "other_registry");
    assert!(
        printed.contains(source) && printed.contains(&mirror) && printed.contains("--force"),
        "{printed}"
    );
    project.run_with(&mirror, "install hello --force").ok();
    assert_eq!(project.record()["skills"]["hello"]["registry"], mirror.as_str());
}

#[test]
fn last_request_is_recorded() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    let mirror = folder_address(&registry.public());
    project.run_with(source, "install hello@1.1.0").ok();
    let first = project.record();
    let recorded = |name: &str| project.record()["skills"]["hello"][name].clone();
    assert_eq!(recorded("requested"), json!(null));
    let printed = project.json(source, "install hello");
    assert_eq!(printed["items"][0]["status"], "already_there");
    assert_eq!(
        (&printed["items"][0]["requested"], recorded("requested")),
        (&json!("latest"), json!("latest"))
    );
    project.run_with(source, "install hello@1.1.0").ok();
    assert_eq!(project.record(), first);
    // Another registry with the same content is not followed from now on, unless by force.
    project.run_with(&mirror, "install hello").ok();
    assert_eq!(project.record(), first);
    project.run_with(&mirror, "install hello --force").ok();
    assert_eq!((recorded("registry"), recorded("requested")), (json!(mirror), json!("latest")));
    assert_eq!(recorded("installedAt"), first["skills"]["hello"]["installedAt"]);
    assert_eq!(project.snapshot("skills/.skillmirror").len(), 1);
}

#[test]
fn version_with_changed_content_is_refused() {
    let registry = REGISTRY.get(registry);
    let tampered = TamperedTree::of(&registry);
    let project = Project::new();
    project.run_with(&tampered.address(), "install hello").ok();
    // The package and its documents of another version, under the same number.
    tampered.forge_package("global/hello", "1.1.0", &tampered.package("global/hello", "1.0.0"));
    let other: serde_json::Value = registry.read("/api/v1/skills/global/hello/versions/1.0.0");
    tampered.change(
        "global/hello",
        "/versions/1.1.0.json",
        &json!({"contentDigest": other["contentDigest"]}),
    );
    let printed = project.refused(&tampered.address(), "install hello", "other_content");
    assert!(printed.contains("1.1.0") && printed.contains(other["sha256"].as_str().unwrap()), "{printed}");
    project.run_with(&tampered.address(), "install hello --force").ok();
}

#[test]
fn yanked_version_is_refused_with_its_reason() {
    let registry = Registry::start();
    let admin = registry.admin();
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(hello(version)).version(version).by(&admin).expect(201);
    }
    registry.tag("global/hello", "beta", "1.1.0", &admin).expect(201);
    let project = Project::new();
    registry.yank("global/hello", "1.1.0", &admin).expect(200);
    let reason = registry.read("/api/v1/skills/global/hello/versions/1.1.0")["yankReason"].clone();
    let mirror = folder_address(&registry.public());
    for source in [registry.base(), &mirror] {
        for words in ["install hello@1.1.0", "install hello@beta", "install hello@1.1.0 --force"] {
            let printed = project.refused(source, words, "yanked");
            assert!(printed.contains("1.1.0") && printed.contains("1.0.0"), "{printed}");
            assert!(printed.contains(reason.as_str().unwrap_or("yanked")), "{printed}");
        }
    }
    project.run_with(&mirror, "install hello").ok();
    assert_eq!(project.record()["skills"]["hello"]["version"], "1.0.0");
    registry.yank("global/hello", "1.0.0", &admin).expect(200);
    let printed = Project::new().refused(registry.base(), "install hello", "yanked");
    assert!(printed.contains("every version"), "{printed}");
    registry.remove("global/hello", &admin).expect(204);
    Project::new().refused(registry.base(), "install hello", "not_found");
}
