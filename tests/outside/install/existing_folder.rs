//! Installing where something is already.

use serde_json::json;

use crate::harness::{Desk, Forged, Registry, Shared, Skill, folder_address};

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
fn again_upgrade_and_downgrade() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    let status = |words: &str| desk.json(source, words)["items"][0]["status"].clone();
    assert_eq!(status("install hello@1.0.0"), "installed");
    let before = desk.snapshot("");
    assert_eq!(status("install hello@1.0.0"), "already_there");
    assert_eq!(desk.snapshot(""), before);
    let said = desk.json(source, "install hello");
    assert_eq!(
        (&said["items"][0]["status"], &said["items"][0]["replaced"]),
        (&json!("replaced"), &json!("1.0.0"))
    );
    assert!(
        desk.path("skills/hello/only-in-1.1.0").exists() && !desk.path("skills/hello/only-in-1.0.0").exists()
    );
    let ran = desk.of(source, "install hello@1.0.0").ok();
    assert!(ran.out.contains("1.1.0") && ran.out.contains("1.0.0"), "{ran:?}");
    assert_eq!(desk.record()["skills"]["hello"]["version"], "1.0.0");
    assert_eq!(desk.snapshot("skills/hello"), {
        let fresh = Desk::new();
        fresh.of(source, "install hello@1.0.0").ok();
        fresh.snapshot("skills/hello")
    });
}

#[test]
fn what_was_changed_is_kept() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    desk.of(source, "install hello@1.0.0").ok();
    desk.write("hello/SKILL.md", "mine");
    desk.write("hello/notes/new.md", "mine");
    std::fs::remove_file(desk.path("skills/hello/only-in-1.0.0")).unwrap();
    for words in ["install hello", "install hello@1.0.0"] {
        let said = desk.refused(source, words, "changed");
        for named in ["SKILL.md (changed)", "notes/new.md (new)", "only-in-1.0.0 (gone)", "--force"] {
            assert!(said.contains(named), "{named}: {said}");
        }
    }
    let list = desk.run("list --json").ok();
    let list: serde_json::Value = serde_json::from_str(&list.out).unwrap();
    assert_eq!(list["items"][0]["state"], "changed");
    assert_eq!(list["items"][0]["changed"].as_array().unwrap().len(), 3);
    desk.of(source, "install hello --force").ok();
    assert!(!desk.path("skills/hello/notes").exists());
    // What systems leave behind is no change of anybody's.
    desk.write("hello/.DS_Store", "");
    desk.write("hello/scripts/__pycache__/a.pyc", "");
    desk.of(source, "install hello@1.0.0").ok();
    std::fs::remove_dir_all(desk.path("skills/hello")).unwrap();
    assert!(desk.run("list").ok().out.contains("missing"));
    desk.of(source, "install hello").ok();
}

#[test]
fn the_folder_of_another_is_left_alone() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    desk.of(source, "install hello").ok();
    for words in ["install @tools/hello", "install @tools/hello --force"] {
        let said = desk.refused(source, words, "other_skill");
        assert!(said.contains("@global/hello") && said.contains("@tools/hello"), "{said}");
    }
    let desk = Desk::new();
    desk.write("hello/mine.txt", "mine");
    for words in ["install hello", "install hello --force"] {
        let said = desk.refused(source, words, "not_ours");
        assert!(said.contains("skills/hello") && said.contains("--dir"), "{said}");
    }
    let said = desk.run("uninstall hello --force");
    assert!(said.code == 1 && said.err.contains("remove it yourself"), "{said:?}");
}

#[test]
fn links_and_files_in_the_way() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let link = |target: &str, desk: &Desk, path: &str| {
        std::os::unix::fs::symlink(desk.path(target), desk.path(path)).unwrap();
    };
    let desk = Desk::new();
    desk.write("../elsewhere/kept.txt", "kept");
    std::fs::create_dir_all(desk.path("skills")).unwrap();
    link("elsewhere", &desk, "skills/hello");
    let said = desk.refused(source, "install hello --force", "not_a_folder");
    assert!(said.contains("symbolic link"), "{said}");
    std::fs::remove_file(desk.path("skills/hello")).unwrap();
    desk.write("hello", "a file");
    desk.refused(source, "install hello --force", "not_a_folder");
    std::fs::remove_file(desk.path("skills/hello")).unwrap();
    link("elsewhere", &desk, "skills/.skillmirror");
    desk.refused(source, "install hello", "not_a_folder");
    std::fs::remove_file(desk.path("skills/.skillmirror")).unwrap();
    std::fs::create_dir(desk.path("skills/.skillmirror")).unwrap();
    link("elsewhere/kept.txt", &desk, "skills/.skillmirror/lock");
    assert_eq!(desk.of(source, "install hello").code, 1);
    std::fs::remove_file(desk.path("skills/.skillmirror/lock")).unwrap();
    assert_eq!(std::fs::read_to_string(desk.path("elsewhere/kept.txt")).unwrap(), "kept");

    // The folder itself may be a link.
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("elsewhere")).unwrap();
    link("elsewhere", &desk, "skills");
    desk.of(source, "install hello").ok();
    assert!(desk.path("elsewhere/hello/SKILL.md").exists());
}

#[test]
fn another_registry_is_asked_about() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    let mirror = folder_address(&registry.public());
    desk.of(source, "install hello@1.0.0").ok();
    // The same content from a mirror is what is there.
    let said = desk.json(&mirror, "install hello@1.0.0");
    assert_eq!(said["items"][0]["status"], "already_there");
    let said = desk.refused(&mirror, "install hello", "other_registry");
    assert!(said.contains(source) && said.contains(&mirror) && said.contains("--force"), "{said}");
    desk.of(&mirror, "install hello --force").ok();
    assert_eq!(desk.record()["skills"]["hello"]["registry"], mirror.as_str());
}

#[test]
fn how_it_was_asked_for_is_recorded_last() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    let mirror = folder_address(&registry.public());
    desk.of(source, "install hello@1.1.0").ok();
    let first = desk.record();
    let recorded = |name: &str| desk.record()["skills"]["hello"][name].clone();
    assert_eq!(recorded("requested"), json!(null));
    let said = desk.json(source, "install hello");
    assert_eq!(said["items"][0]["status"], "already_there");
    assert_eq!((&said["items"][0]["requested"], recorded("requested")), (&json!("latest"), json!("latest")));
    desk.of(source, "install hello@1.1.0").ok();
    assert_eq!(desk.record(), first);
    // Another registry with the same content is not followed from now on, unless by force.
    desk.of(&mirror, "install hello").ok();
    assert_eq!(desk.record(), first);
    desk.of(&mirror, "install hello --force").ok();
    assert_eq!((recorded("registry"), recorded("requested")), (json!(mirror), json!("latest")));
    assert_eq!(recorded("installedAt"), first["skills"]["hello"]["installedAt"]);
    assert_eq!(desk.snapshot("skills/.skillmirror").len(), 1);
}

#[test]
fn a_version_never_changes() {
    let registry = REGISTRY.get(registry);
    let forged = Forged::of(&registry);
    let desk = Desk::new();
    desk.of(&forged.address(), "install hello").ok();
    // The package and its documents of another version, under the same number.
    forged.forge_package("global/hello", "1.1.0", &forged.package("global/hello", "1.0.0"));
    let other: serde_json::Value = registry.read("/api/v1/skills/global/hello/versions/1.0.0");
    forged.change("global/hello", "/versions/1.1.0.json", &json!({"contentDigest": other["contentDigest"]}));
    let said = desk.refused(&forged.address(), "install hello", "other_content");
    assert!(said.contains("1.1.0") && said.contains(other["sha256"].as_str().unwrap()), "{said}");
    desk.of(&forged.address(), "install hello --force").ok();
}

#[test]
fn a_yanked_version_is_refused_with_its_reason() {
    let registry = Registry::start();
    let admin = registry.admin();
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(hello(version)).version(version).by(&admin).expect(201);
    }
    registry.tag("global/hello", "beta", "1.1.0", &admin).expect(201);
    let desk = Desk::new();
    registry.yank("global/hello", "1.1.0", &admin).expect(200);
    let reason = registry.read("/api/v1/skills/global/hello/versions/1.1.0")["yankReason"].clone();
    let mirror = folder_address(&registry.public());
    for source in [registry.base(), &mirror] {
        for words in ["install hello@1.1.0", "install hello@beta", "install hello@1.1.0 --force"] {
            let said = desk.refused(source, words, "yanked");
            assert!(said.contains("1.1.0") && said.contains("1.0.0"), "{said}");
            assert!(said.contains(reason.as_str().unwrap_or("yanked")), "{said}");
        }
    }
    desk.of(&mirror, "install hello").ok();
    assert_eq!(desk.record()["skills"]["hello"]["version"], "1.0.0");
    registry.yank("global/hello", "1.0.0", &admin).expect(200);
    let said = Desk::new().refused(registry.base(), "install hello", "yanked");
    assert!(said.contains("every version"), "{said}");
    registry.remove("global/hello", &admin).expect(204);
    Desk::new().refused(registry.base(), "install hello", "not_found");
}
