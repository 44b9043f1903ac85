//! Clones from files, behind nginx with the configuration that the program prints.

use super::{files_of, publish};
use crate::harness::{Git, Nginx, Registry};

const WITH_GIT: &str = "[mirror]\ngit = true\n";

#[test]
fn nginx_serves_clones_without_a_server() {
    let (mut registry, git) = (Registry::with_config(WITH_GIT), Git::new());
    let expected = files_of(&publish(&registry, "global", "1.0.0"));
    git.clone(&format!("{}/global/hello.git", registry.base()), "server", &[]);
    registry.stop();
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    let url = format!("{}/global/hello.git", nginx.base);
    let options: [&[&str]; 4] =
        [&[], &["--depth", "1"], &["--branch", "1.0.0"], &["--depth", "1", "--branch", "1.0.0"]];
    for (number, options) in options.into_iter().enumerate() {
        let clone = format!("clone{number}");
        git.clone(&url, &clone, options);
        assert_eq!(git.files(&clone), expected, "{options:?}");
        assert_eq!(git.commit(&clone), git.commit("server"));
    }
    // A new version, and clones of the old one.
    registry.restart();
    let expected = files_of(&publish(&registry, "global", "1.1.0"));
    registry.stop();
    for (clone, fetch) in [("clone0", &["fetch"][..]), ("clone1", &["fetch", "--depth", "1"])] {
        git.run(&[&["-C", clone], fetch].concat()).ok();
        git.run(&["-C", clone, "reset", "--hard", "origin/main"]).ok();
        assert_eq!(git.files(clone), expected);
    }
    let missing = git.run(&["clone", &format!("{}/global/none.git", nginx.base)]);
    assert!(
        missing.stderr.contains("remote: There is no such skill or namespace, or this host has no git"),
        "{missing:?}"
    );
    assert_eq!(nginx.error_log(), "");
}

#[test]
fn tree_has_no_repositories_by_default() {
    let (registry, git) = (Registry::start(), Git::new());
    publish(&registry, "global", "1.0.0");
    assert!(!registry.tree().iter().any(|file| file.contains(".git/")));
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    let missing = git.run(&["clone", &format!("{}/global/hello.git", nginx.base)]);
    assert!(missing.stderr.contains("or this host has no git repositories"), "{missing:?}");
}

#[test]
fn clone_between_pack_and_refs_fails_and_a_later_one_works() {
    let (registry, git) = (Registry::with_config(WITH_GIT), Git::new());
    publish(&registry, "global", "1.0.0");
    let refs = registry.public().join("global/hello.git/info/refs");
    let old = std::fs::read(&refs).unwrap();
    let expected = files_of(&publish(&registry, "global", "1.1.0"));
    let new = std::fs::read(&refs).unwrap();
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    let url = format!("{}/global/hello.git", nginx.base);
    std::fs::write(&refs, old).unwrap();
    for options in [&["clone"][..], &["clone", "--depth", "1"]] {
        let failed = git.run(&[options, &[&url, "clone"]].concat());
        assert_ne!(failed.code, 0, "{failed:?}");
        assert!(!git.path("clone").exists(), "{failed:?}");
    }
    std::fs::write(&refs, new).unwrap();
    git.clone(&url, "clone", &[]);
    assert_eq!(git.files("clone"), expected);
}

#[test]
fn every_copy_of_the_tree_has_the_same_repositories() {
    let registry = Registry::with_config(WITH_GIT);
    registry.team("team", &registry.admin());
    for namespace in ["team", "global"] {
        publish(&registry, namespace, "1.0.0");
        publish(&registry, namespace, "1.1.0");
    }
    let of_git = |folder: &std::path::Path| -> Vec<_> {
        ["team", "global"]
            .iter()
            .flat_map(|namespace| {
                ["info/refs", "git-upload-pack"].map(|name| format!("{namespace}/hello.git/{name}"))
            })
            .map(|file| std::fs::read(folder.join(file)).unwrap())
            .collect()
    };
    let (again, mirror) = (registry.folder().join("again"), registry.folder().join("mirror"));
    registry.command(["generate", "--out", again.to_str().unwrap()]).ok();
    let feed = registry.public();
    let arguments = ["generate", "--feed", feed.to_str().unwrap(), "--out", mirror.to_str().unwrap()];
    crate::harness::run(registry.folder(), &arguments.map(Into::into)).ok();
    assert!(of_git(&again) == of_git(&registry.public()));
    assert!(of_git(&mirror) == of_git(&registry.public()));
    registry.command(["verify"]).ok();
    // A removed skill is gone, its repository too.
    registry.remove("team/hello", &registry.admin()).expect(204);
    assert!(!registry.public().join("team/hello.git").exists());
    registry.restore("team/hello", &registry.admin()).expect(200);
    assert!(of_git(&again) == of_git(&registry.public()));
}
