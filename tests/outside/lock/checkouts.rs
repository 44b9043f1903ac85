//! Projects that are checked out without a whole record, or with other line ends.

use super::repository::{RECORD, Repository, registry};
use super::{LockedProject, error};
use crate::harness::Project;

#[test]
fn record_that_is_missing_or_damaged_is_made_again_from_the_lock() {
    let registry = registry();
    let record = Project::new();
    record.run_with(registry.base(), "install a@1.0.0 m").ok();
    let good = record.read(".skillmirror/installed.json");
    let marks = format!("<<<<<<< HEAD\n{good}=======\n{{\n>>>>>>> x\n");
    let damaged =
        [None, Some(""), Some("{"), Some(&good[..good.len() / 2]), Some(&marks), Some("<<<<<<< HEAD\n")];
    for text in damaged {
        for words in ["install", "install a@1", "update", "uninstall a", "uninstall m a", "install c"] {
            let project = Project::new();
            project.run_with(registry.base(), "install a@1.0.0 m").ok();
            match text {
                Some(text) => std::fs::write(project.path(RECORD), text).unwrap(),
                None => std::fs::remove_dir_all(project.path("skills/.skillmirror")).unwrap(),
            }
            let list = project.run("list").ok().stdout;
            assert_eq!(list.matches("unchanged").count(), 2, "{text:?}: {list}");
            project.run_any(registry.base(), words).ok();
            let entries = project.record()["skills"].as_object().unwrap().len();
            assert_eq!(entries, project.locked().len(), "{text:?} {words}: {}", project.record());
            project.run("install --locked").ok();
        }
    }
    // Without a lock file nothing says what it was.
    let project = Project::new();
    project.run_with(registry.base(), "install a m").ok();
    std::fs::remove_file(project.path("skills.lock")).unwrap();
    project.write(".skillmirror/installed.json", "{");
    let why = project.refused(registry.base(), "install a", "record_damaged");
    assert!(why.contains("installed.json") && why.contains("Move it away"), "{why}");
}

#[test]
fn line_ends_that_git_has_changed_are_named_with_the_remedy() {
    let registry = registry();
    for with_record in [true, false] {
        let repository = Repository::new(&["core.autocrlf=true"]);
        let project = &repository.project;
        if !with_record {
            assert_eq!(repository.git(&format!("rm --quiet -r --cached {RECORD}")), 0);
            std::fs::remove_file(project.path(RECORD)).unwrap();
            repository.commit();
        }
        for path in ["skills", "skills.lock"] {
            let path = project.path(path);
            if path.is_dir() {
                std::fs::remove_dir_all(path).unwrap()
            } else {
                std::fs::remove_file(path).unwrap()
            }
        }
        assert_eq!(repository.git("checkout --quiet -- ."), 0);
        assert!(project.read("m/SKILL.md").contains("\r\n"));
        for words in ["list", "list --verify"] {
            let output = project.run(words);
            assert_eq!(output.code, i32::from(words.contains("verify")));
            for said in
                ["skills/m: SKILL.md (line ends), run.sh (line ends)", "`* -text` into skills/.gitattributes"]
            {
                assert!(output.stdout.contains(said), "{said}: {output:?}");
            }
        }
        for words in ["install", "install m", "install --locked", "uninstall m"] {
            let why = error(
                project,
                &format!(
                    "{words} {}",
                    if words == "install m" {
                        format!("--registry {}", registry.base())
                    } else {
                        String::new()
                    }
                ),
            );
            let message = why["message"].as_str().unwrap();
            assert_eq!(why["code"], "changed", "{words}: {why}");
            assert!(
                message.contains("(line ends)") && message.contains("`* -text` into skills/.gitattributes"),
                "{message}"
            );
            assert!(!message.contains("Save what"), "{message}");
        }
        project.write(".gitattributes", "* -text\n");
        project.run("install --force").ok();
        assert!(project.run("list --verify").ok().stdout.contains("verified"));
        let before = project.snapshot("skills/m");
        repository.commit();
        std::fs::remove_dir_all(project.path("skills/m")).unwrap();
        assert_eq!(repository.git("checkout --quiet -- skills"), 0);
        assert!(project.snapshot("skills/m") == before, "git has kept the line ends");
    }
}
