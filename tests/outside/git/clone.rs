//! git itself, and the server.

use super::{files_of, publish};
use crate::harness::{Git, Registry};

/// A registry with `team/hello` and `hello` in two versions, and the latest one's files.
fn registry() -> Registry {
    let registry = Registry::start();
    registry.team("team", &registry.admin());
    for namespace in ["team", "global"] {
        publish(&registry, namespace, "1.0.0");
        publish(&registry, namespace, "1.1.0");
    }
    registry
}

#[test]
fn clone_has_the_files_of_the_latest_version() {
    let (registry, git) = (registry(), Git::new());
    let expected = files_of(&super::skill("This is 1.1.0.\n"));
    let options: [&[&str]; 5] = [
        &[],
        &["--depth", "1"],
        &["--branch", "1.1.0"],
        &["--depth", "1", "--branch", "1.1.0"],
        &["--single-branch"],
    ];
    for (number, options) in options.into_iter().enumerate() {
        let clone = format!("clone{number}");
        git.clone(&format!("{}/team/hello.git", registry.base()), &clone, options);
        assert_eq!(git.files(&clone), expected, "{options:?}");
        assert_eq!(git.line(&clone, &["log", "--format=%an %ae %cn %s"]), "admin admin admin hello 1.1.0");
        assert_eq!(git.line(&clone, &["tag", "--points-at", "HEAD"]), "1.1.0");
        assert_eq!(git.line(&clone, &["status", "--porcelain"]), "");
    }
    assert_eq!(git.line("clone0", &["symbolic-ref", "HEAD"]), "refs/heads/main");
    assert_eq!(git.line("clone1", &["rev-parse", "--is-shallow-repository"]), "false");
    let published = registry.read("/api/v1/skills/team/hello/versions/1.1.0")["publishedAt"].clone();
    let date = git.line("clone0", &["log", "--format=%cd", "--date=format:%Y-%m-%dT%H:%M:%SZ"]);
    assert_eq!(date, published.as_str().unwrap());
    // Another skill with the same files has another commit date at most, and the same tree.
    git.clone(&format!("{}/global/hello.git", registry.base()), "other", &[]);
    let tree = ["rev-parse", "HEAD^{tree}"];
    assert_eq!(git.line("other", &tree), git.line("clone0", &tree));
}

#[test]
fn clone_is_updated_after_a_new_version() {
    let (registry, git) = (registry(), Git::new());
    let url = format!("{}/team/hello.git", registry.base());
    git.clone(&url, "whole", &[]);
    git.clone(&url, "shallow", &["--depth", "1"]);
    for clone in ["whole", "shallow"] {
        // Nothing is new.
        assert_eq!(git.run(&["-C", clone, "fetch"]).ok().stderr, "");
    }
    let expected = files_of(&publish(&registry, "team", "2.0.0"));
    for (clone, fetch) in [
        ("whole", &["fetch"][..]),
        ("shallow", &["fetch", "--depth", "1"]),
        ("whole", &["fetch", "--depth", "1"]),
    ] {
        git.run(&[&["-C", clone], fetch].concat()).ok();
        git.run(&["-C", clone, "reset", "--hard", "origin/main"]).ok();
        assert_eq!(git.files(clone), expected, "{fetch:?}");
        assert_eq!(git.line(clone, &["describe", "--tags"]), "2.0.0");
        git.run(&["-C", clone, "fsck", "--full"]).ok();
    }
    // A version is a commit without parents, so there is nothing to merge.
    publish(&registry, "team", "2.1.0");
    let pulled = git.run(&["-C", "whole", "pull", "--no-rebase"]);
    assert!(pulled.stderr.contains("refusing to merge unrelated histories"), "{pulled:?}");
}

#[test]
fn fetch_into_another_repository_works() {
    let (registry, git) = (registry(), Git::new());
    git.run(&["init", "--quiet", "mine"]).ok();
    let identity = ["-c", "user.name=me", "-c", "user.email=me@example.org"];
    // More than fit into a request without compression.
    for number in 0..60 {
        let message = format!("commit {number}");
        let commit =
            [&["-C", "mine"], &identity[..], &["commit", "--quiet", "--allow-empty", "-m", &message]];
        git.run(&commit.concat()).ok();
    }
    git.run(&["-C", "mine", "fetch", &format!("{}/team/hello.git", registry.base()), "main"]).ok();
    assert_eq!(git.line("mine", &["log", "-1", "--format=%s", "FETCH_HEAD"]), "hello 1.1.0");
}

#[test]
fn yanked_version_is_not_cloned() {
    let (registry, git) = (registry(), Git::new());
    let url = format!("{}/team/hello.git", registry.base());
    git.clone(&url, "before", &[]);
    registry.yank("team/hello", "1.1.0", &registry.admin()).expect(200);
    git.clone(&url, "earlier", &[]);
    assert_eq!(git.line("earlier", &["log", "--format=%s"]), "hello 1.0.0");
    registry.yank("team/hello", "1.0.0", &registry.admin()).expect(200);
    let failed = git.run(&["clone", &url, "none"]);
    assert!(
        failed.stderr.contains(
            "remote: All versions of @team/hello were yanked, so there is nothing to clone: see /team/hello/."
        ),
        "{failed:?}"
    );
}

#[test]
fn errors_are_one_sentence() {
    let (registry, git) = (registry(), Git::new());
    registry.remove("team/hello", &registry.admin()).expect(204);
    for (arguments, sentence) in [
        (&["clone", "BASE/team/none.git"][..], "Not found: there is no skill @team/none: check its name"),
        (&["clone", "BASE/team/hello.git"], "Removed: the skill @team/hello was removed"),
        (&["clone", "BASE/team/hello"], "There is no repository at this address: that of a skill is"),
        (
            &["clone", "BASE/hello.git"],
            "There is no namespace @hello: check the address, /{namespace}.git or",
        ),
    ] {
        let arguments: Vec<_> = arguments.iter().map(|text| text.replace("BASE", registry.base())).collect();
        let failed = git.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(failed.code != 0 && failed.stderr.contains(&format!("remote: {sentence}")), "{failed:?}");
    }
    let url = format!("{}/global/hello.git", registry.base());
    git.clone(&url, "clone", &[]);
    let pushed = git.run(&["-C", "clone", "push", "origin", "HEAD:refs/heads/other"]);
    assert!(
        pushed.stderr.contains("remote: A registry takes no pushes: publish a version instead"),
        "{pushed:?}"
    );
}
