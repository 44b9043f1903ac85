//! What a command could not install keeps what requires it, or is required, as it is: nothing needed is removed, and
//! `skills.lock` stays readable.

use serde_json::{Value, json};

use super::closure::{installed, lock, registry};
use super::publish_all;
use crate::harness::{Project, TamperedTree};

#[test]
fn lock_stays_readable_if_a_required_skill_cannot_be_moved() {
    for (changed, after) in [
        ("z", ["@a/x 2.0.0 asked []", "@a/z 1.0.0  [@a/x ^1]"]),
        ("x", ["@a/x 1.0.0 asked []", "@a/z 2.0.0 asked []"]),
    ] {
        let registry = registry(&["z 1.0.0:", "x 1.0.0: z@^1"]);
        let project = Project::new();
        project.run_with(registry.base(), "install @a/x").ok();
        publish_all(&registry, &registry.admin(), &["z 2.0.0:", "x 2.0.0: z@^2"]);
        let text = project.path(&format!("skills/{changed}/SKILL.md"));
        std::fs::write(&text, std::fs::read_to_string(&text).unwrap() + "Mine.\n").unwrap();
        let output = project.run("update");
        assert!(output.code == 1 && output.stderr.contains("was changed"), "{output:?}");
        assert_eq!(installed(&project), after, "{output:?}\n{}", lock(&project));
        project.run_with(registry.base(), "install @a/x --force").ok();
        assert!(installed(&project)[1].starts_with("@a/z 2.0.0"), "{}", lock(&project));
    }
}

#[test]
fn required_skills_outlive_a_lost_lock_file() {
    let registry = registry(&["z 1.0.0:", "y 1.0.0: z", "x 1.0.0:"]);
    let project = Project::new();
    project.run_with(registry.base(), "install @a/y").ok();
    std::fs::remove_file(project.path("skills.lock")).unwrap();
    project.run_with(registry.base(), "install @a/x").ok();
    assert!(project.path("skills/z/SKILL.md").exists(), "{}", lock(&project));
    let folder = project.path("skills");
    project.run(&format!("update --dir {}", folder.display())).ok();
    assert!(project.path("skills/z/SKILL.md").exists() && project.path("skills/y/SKILL.md").exists());
}

#[test]
fn two_skills_of_one_name_are_refused_before_anything_is_written() {
    let registry = registry(&["z 1.0.0:"]);
    let admin = registry.admin();
    let project = Project::new();
    project.run_with(registry.base(), "install @a/z --as y").ok();
    publish_all(&registry, &admin, &["y 1.0.0:", "x 1.0.0: y"]);
    let output = project.run_with(registry.base(), "install @a/x");
    assert!(output.stderr.contains("@a/z and @a/y would both be in the folder `y`"), "{output:?}");
    assert!(!project.path("skills/x").exists() && !lock(&project).contains("@a/x"));
    let output = project.run_with(registry.base(), "install +all --as y");
    assert!(output.stderr.contains("--as names the folder of one skill"), "{output:?}");
}

#[test]
fn list_of_versions_with_other_requirements_is_refused() {
    let registry = registry(&["z 1.0.0:", "y 1.0.0:", "x 1.0.0: y"]);
    for skill in ["a/x", "a/y"] {
        let tampered = TamperedTree::of(&registry);
        let path = tampered.path(skill, "/versions.json");
        let mut list: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let more = json!({"namespace": "a", "slug": "z", "requirement": "latest"});
        let requires = list["items"][0]["requires"].as_array().cloned().unwrap_or_default();
        list["items"][0]["requires"] = requires.into_iter().chain([more]).collect();
        std::fs::write(path, list.to_string()).unwrap();
        for words in ["install @a/x", "install"] {
            let project = Project::new();
            if words == "install" {
                std::fs::write(project.path("skills.toml"), "[skills]\n\"@a/x\" = \"*\"\n").unwrap();
            }
            let printed = project.refused(&tampered.address(), words, "contradiction");
            assert!(printed.contains("disagree about which skills"), "{skill}, {words}: {printed}");
            assert!(!project.path("skills").exists(), "{skill}, {words}: nothing is installed");
        }
    }
}
