//! Branches of a project that are merged.

use super::repository::{RECORD, Repository, registry};
use super::{LockedProject, error};
use crate::harness::Project;

#[test]
fn branches_that_each_add_a_skill_are_joined_by_the_next_command() {
    for (style, merge) in [
        ("merge.conflictStyle=merge", "merge x"),
        ("merge.conflictStyle=diff3", "merge x"),
        ("merge.conflictStyle=zdiff3", "rebase x"),
        ("core.autocrlf=true", "merge x"),
    ] {
        for (words, skills) in [
            ("install", &["a", "b", "m"][..]),
            ("install c", &["a", "b", "c", "m"]),
            ("update", &["a", "b", "m"]),
            ("uninstall a", &["b", "m"]),
        ] {
            let repository = Repository::merged(&[style], "install a@1.0.0", "install b", merge);
            let project = &repository.project;
            for read in ["list", "outdated"] {
                let before = project.snapshot("");
                let output = project.run(read);
                assert!(output.stdout.lines().any(|line| line.contains("a ")), "{output:?}");
                assert!(
                    output.stderr.contains("skills.lock: line ")
                        && output.stderr.contains("`skillmirror install`"),
                    "{style}: {output:?}"
                );
                assert!(project.snapshot("") == before, "{read} changes nothing");
            }
            assert_eq!(error(project, "install --locked")["code"], "lock_outdated");
            let output = project.run_any(repository.registry.base(), words).ok();
            assert!(output.stderr.contains("marks a merge"), "{style} {words}: {output:?}");
            repository.holds(skills);
        }
    }
}

#[test]
fn branches_with_two_versions_of_a_skill_are_named_by_every_command() {
    for (first, second, both) in [
        ("install m@1.0.0", "install m@1", ["m 1.0.0 (`=1.0.0`", "m 1.1.0 (`^1`"]),
        ("install m@1.1", "install m@latest --force", ["m 1.1.0 (`^1.1`", "m 1.1.0 (`latest`"]),
        ("install a@1.0.0", "install a@1.1.0", ["a 1.0.0 (", "a 1.1.0 ("]),
    ] {
        let repository = Repository::new(&[]);
        repository.install("m@~1.0");
        repository.commit();
        for (branch, words) in [("x", first), ("y", second)] {
            assert_eq!(repository.git(&format!("checkout --quiet -b {branch} main")), 0);
            repository.install(words.trim_start_matches("install "));
            repository.commit();
        }
        assert_eq!(repository.git("merge x"), 1);
        for words in ["install", "install c", "install --locked", "update", "uninstall m", "outdated", "list"]
        {
            let before = repository.project.snapshot("");
            let why = error(&repository.project, words);
            assert_eq!(why["code"], "lock_conflict", "{words}: {why}");
            let message = why["message"].as_str().unwrap();
            for said in both.iter().chain(&["skills.lock: line ", "`HEAD`", "`x`", "`skillmirror install`"]) {
                assert!(message.contains(said), "{said}: {message}");
            }
            assert!(repository.project.snapshot("") == before, "{words}");
        }
    }
}

#[test]
fn branches_that_add_the_same_version_or_remove_and_update_are_merged() {
    let repository = Repository::new(&[]);
    for (day, branch) in [(1, "x"), (2, "y")] {
        assert_eq!(repository.git(&format!("checkout --quiet -b {branch} main")), 0);
        repository.install("a");
        // Only the time of the installation differs.
        let time = repository.project.record()["skills"]["a"]["installedAt"].as_str().unwrap().to_owned();
        repository.project.change(RECORD, &time, &format!("2026-01-0{day}T00:00:00Z"));
        repository.commit();
    }
    assert_eq!(repository.git("merge x"), 1);
    assert!(!repository.text("skills.lock").contains("<<<<") && repository.text(RECORD).contains("<<<<"));
    repository.project.run("list").ok();
    repository.project.run("install").ok();
    repository.holds(&["a", "m"]);

    let repository = Repository::merged(&[], "uninstall m", "install a", "merge x");
    repository.project.run("install").ok();
    assert!(repository.project.locked().iter().any(|line| line.ends_with("skills/a")));
    for file in ["skills.lock", RECORD] {
        assert!(!repository.text(file).contains("<<<<"), "{file}");
    }
}

#[test]
fn skills_toml_with_marks_is_named_and_stays() {
    let registry = registry();
    let project = Project::new();
    project.run_with(registry.base(), "install m").ok();
    let text =
        "[skills]\r\n<<<<<<< HEAD\r\na = \"1\"\r\n||||||| base\r\n=======\r\nb = \"1\"\r\n>>>>>>> x\r\n";
    std::fs::write(project.path("skills.toml"), text).unwrap();
    for words in ["install", "install c", "install --locked", "update", "uninstall m", "outdated"] {
        let before = project.snapshot("");
        let why = error(&project, words);
        let message = why["message"].as_str().unwrap();
        assert!(message.contains("skills.toml: line 2 marks a merge conflict"), "{words}: {why}");
        assert!(project.snapshot("") == before, "{words}");
    }
}
