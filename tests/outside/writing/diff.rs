//! `skillmirror diff`.

use crate::harness::{Home, Registry, Skill, folder_address};

#[test]
fn versions_and_folders_are_compared() {
    let registry = Registry::start();
    let admin = registry.admin();
    let skill = Skill::named("hello").file("a.txt", "one\ntwo\n").file("old.txt", "x");
    registry.publish(skill.clone()).version("1.0.0").by(&admin).expect(201);
    let changed = Skill::named("hello").file("a.txt", "one\n2\n").executable("run.sh", "#!/bin/sh\n");
    registry.publish(changed.clone()).version("1.1.0").by(&admin).expect(201);
    let home = Home::new().with("CLI_REGISTRY", registry.base());

    let output = home.run(&["diff", "hello@1.0.0", "hello@1.1.0"]).ok().stdout;
    assert!(
        output.starts_with("hello 1.0.0 -> hello 1.1.0: 1 file changed, 1 added, 1 removed\n"),
        "{output}"
    );
    for line in ["\n one\n-two\n+2\n", "diff a/run.sh b/run.sh\nnew file, mode 0755\n", "removed file"] {
        assert!(output.contains(line), "{line}: {output}");
    }
    let names = home.run(&["diff", "hello@1.0.0", "hello", "--name-only"]).ok().stdout;
    assert!(names.ends_with("\nchanged  a.txt\nremoved  old.txt\nadded    run.sh\n"), "{names}");

    // A folder, and what git ignores in it, and a registry that is a folder.
    changed.file(".gitignore", "*.log\n").file("a.log", "").write_to(&home.folder().join("hello"));
    let output = home.run(&["diff", "hello", "./hello"]).ok().stdout;
    assert_eq!(output, "hello 1.1.0 -> ./hello: no file differs\n");
    let tree = folder_address(&registry.public());
    let json = home.json(&["diff", "hello@1.0.0", "hello/", "--registry", &tree]);
    assert_eq!((&json["new"], json["files"].as_array().unwrap().len()), (&"hello/".into(), 3));

    let why = home.refusal("not_found", &["diff", "hello@1.0.0", "hello@3.0.0"]);
    assert!(why.contains("3.0.0"), "{why}");
    home.refusal("unreadable", &["diff", "hello", "./nowhere"]);
    // A folder that is written like a skill.
    Skill::named("other").write_to(&home.folder().join("other"));
    let output = home.run(&["diff", "hello", "other"]);
    assert!(output.code == 1 && output.stderr.contains("write ./other for the folder"), "{output:?}");
}
