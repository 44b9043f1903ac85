//! Where policies are, and how several hold together.

use std::fs;
use std::os::unix::fs::symlink;

use super::{FILE, stocked};
use crate::harness::{Project, TamperedTree};

#[test]
fn strictest_of_several_files_wins() {
    let registry = stocked();
    let base = registry.base();
    let project = Project::new();
    let user = project.path("home/.config/skillmirror");
    fs::create_dir_all(&user).unwrap();
    fs::write(project.path(FILE), "max_advisory = \"critical\"\nallow_skills = [\"@tools/*\"]\n").unwrap();
    project.run_with(base, "install @tools/multi@1.1.0").ok();
    fs::remove_dir_all(project.path("skills")).unwrap();
    fs::write(user.join("policy.toml"), "max_advisory = \"none\"\n").unwrap();
    let why = project.refused(base, "install @tools/multi@1.1.0", "policy");
    assert!(why.contains("SKM-") && why.contains("home/.config/skillmirror/policy.toml:1"), "{why}");
    // A variable names one more file, and lifts nothing.
    fs::write(project.path("ci.toml"), "max_advisory = \"critical\"\ndeny_skills = [\"@tools/other\"]\n")
        .unwrap();
    let named = [("SKILLMIRROR_POLICY", "ci.toml")];
    for (skill, place) in [("@tools/multi@1.1.0", "policy.toml:1"), ("@tools/other", "ci.toml:2")] {
        let output = project.run_in(&named, &format!("install {skill} --registry {base}"));
        assert!(output.code == 1 && output.stderr.contains(place), "{output:?}");
    }
    let listed = project.run_in(&named, "policy list").ok().stdout;
    assert_eq!(listed.lines().count(), 6, "{listed}");
    assert!(listed.contains("max_advisory  \"none\"") && listed.contains("ci.toml:2"), "{listed}");
}

#[test]
fn unreadable_policy_stops_every_command_that_installs() {
    let registry = stocked();
    let base = registry.base();
    let project = Project::new();
    project.run_with(base, "install @tools/other").ok();
    let path = project.path(FILE);
    let check = |said: &str| {
        for words in ["install @tools/multi", "install", "install --locked", "update", "policy check"] {
            let why = project.refused(base, words, "policy_unreadable");
            assert!(why.contains(FILE) && why.contains(said), "{words}: {why}");
        }
        let output = project.run(&format!("mcp --registry {base}"));
        assert!(output.code == 1 && output.stderr.contains(said), "{output:?}");
    };
    fs::write(&path, "\nmin_ages = \"3d\"\n").unwrap();
    check("line 2: `min_ages` is unknown");
    fs::write(&path, vec![b'#'; 70_000]).unwrap();
    check("larger than 64 KiB");
    fs::write(&path, [0xff, 0xfe]).unwrap();
    check("not UTF-8");
    fs::remove_file(&path).unwrap();
    fs::write(project.path("elsewhere.toml"), "").unwrap();
    symlink("elsewhere.toml", &path).unwrap();
    check("cannot be read");
    fs::remove_file(&path).unwrap();
    let output = project.run_in(&[("SKILLMIRROR_POLICY", "none.toml")], "update");
    assert!(output.code == 1 && output.stderr.contains("there is no such file"), "{output:?}");
    project.run("update").ok();
}

#[test]
fn range_chooses_the_best_version_that_is_old_enough() {
    let registry = stocked();
    let tree = TamperedTree::of(&registry);
    let old = serde_json::json!({"publishedAt": "2020-01-01T00:00:00Z"});
    tree.change("tools/multi", "/versions/1.0.0.json", &old);
    let list = tree.path("tools/multi", "/versions.json");
    let mut listed: serde_json::Value = serde_json::from_slice(&fs::read(&list).unwrap()).unwrap();
    listed["items"][1]["publishedAt"] = old["publishedAt"].clone();
    fs::write(&list, listed.to_string()).unwrap();
    let project = Project::new();
    fs::write(project.path(FILE), "min_age = \"3d\"\n").unwrap();
    for words in ["install @tools/multi@1", "install @tools/multi"] {
        let output = project.run_with(&tree.address(), words).ok();
        assert!(output.stderr.contains("does not accept @tools/multi 1.1.0"), "{output:?}");
        assert!(output.stdout.contains("@tools/multi 1.0.0"), "{output:?}");
    }
    project.refused(&tree.address(), "install @tools/multi@1.1.0", "policy");
    // `outdated` and `update` agree: the young version is not wanted yet.
    let output = project.run("outdated");
    assert!(output.code == 1 && output.stdout.contains("1.0.0   1.0.0   1.1.0"), "{output:?}");
    let output = project.run("update").ok();
    assert!(output.stdout.contains("nothing to update"), "{output:?}");
}
