//! `skillmirror pack`.

use crate::harness::{Home, Registry, Skill, sha256};

#[test]
fn package_is_the_one_that_the_registry_keeps() {
    let registry = Registry::start();
    let user = registry.user("ann");
    registry.team("tools", &user);
    let home = Home::new();
    home.login(registry.base(), &user);
    Skill::named("hello")
        .executable("run.sh", "#!/bin/sh\n")
        .file("ä.txt", "ä")
        .write_to(&home.folder().join("hello"));
    let output = home.run(&["pack", "hello", "--out", "a.zip"]).ok();
    let packed = std::fs::read(home.folder().join("a.zip")).unwrap();
    assert!(output.stdout.starts_with("packed 3 files into a.zip ("), "{output:?}");
    assert!(output.stdout.ends_with(&format!("sha256 {}\n", sha256(&packed))), "{output:?}");
    // Another time, and from the package itself.
    for (source, out) in [("hello", "b.zip"), ("a.zip", "c.zip")] {
        let json = home.json(&["pack", source, "--out", out]);
        assert_eq!(json["sha256"], sha256(&packed));
        assert_eq!(std::fs::read(home.folder().join(out)).unwrap(), packed);
    }
    let published = home.json(&["publish", "hello", "--namespace", "tools"]);
    assert_eq!(published["sha256"], sha256(&packed));
}

#[test]
fn invalid_skill_and_file_in_the_folder_are_refused() {
    let home = Home::new();
    Skill::named("hello").write_to(&home.folder().join("hello"));
    let why = home.refusal("unreadable", &["pack", "hello", "--out", "hello/hello.zip"]);
    assert!(why.contains("would be part of the next package"), "{why}");
    Skill::named("bad").undescribed().write_to(&home.folder().join("bad"));
    let why = home.refusal("invalid_package", &["pack", "bad", "--out", "bad.zip"]);
    assert!(why.contains("was not written") && !why.contains("sent"), "{why}");
    assert!(!home.folder().join("bad.zip").exists() && !home.folder().join("hello/hello.zip").exists());
}
