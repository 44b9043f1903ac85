//! What `publish` says it left out, and which path means a skill.

use std::fs;

use crate::harness::{Home, Project, Registry, Skill};

#[test]
fn files_of_a_run_are_left_out_and_are_no_change_where_the_skill_is_installed() {
    let registry = Registry::start();
    let user = registry.user("ann");
    registry.team("tools", &user);
    let home = Home::new();
    home.login(registry.base(), &user);
    let skill = Skill::named("hello").file("main.py", "import mod\n").file("mod.py", "");
    let skill = skill.file("__pycache__/mod.cpython-313.pyc", "x").file("a/.pytest_cache/v", "x");
    let skill = skill.file(".gitignore", "dist/\n").file("dist/b.txt", "x");
    skill.write_to(&home.folder().join("hello"));
    let output = home.run(&["publish", "hello/SKILL.md", "--namespace", "tools"]).ok();
    assert!(output.stderr.contains("`hello/SKILL.md` means its folder, `hello`"), "{output:?}");
    assert!(output.stderr.contains("__pycache__: entry was left out"), "{output:?}");
    assert!(output.stdout.ends_with("left out: .gitignore, __pycache__/, a/, dist/\n"), "{output:?}");
    assert!(!output.stdout.contains(".pyc"), "{output:?}");
    let json = home.json(&["publish", "hello", "--namespace", "tools"]);
    assert_eq!(json["leftOut"], serde_json::json!([".gitignore", "__pycache__/", "a/", "dist/"]));

    let project = Project::new();
    project.run_with(registry.base(), "install @tools/hello").ok();
    for litter in [
        "__pycache__/mod.cpython-313.pyc",
        "node_modules/x/y.js",
        ".venv/bin/python",
        ".mypy_cache/x",
        ".DS_Store",
    ] {
        project.write(&format!("hello/{litter}"), "run");
    }
    assert!(project.run("list").ok().stdout.contains("unchanged"));
    // Nobody vouches for code that did not come with the skill.
    let output = project.run("list --verify");
    assert!(output.code == 1 && output.stdout.contains("verified"), "{output:?}");
    assert!(
        output.stderr.contains(".venv, __pycache__, node_modules is not from the registry"),
        "{output:?}"
    );
    // Compiled scripts go. Installed dependencies are somebody's work.
    for words in ["install @tools/hello", "install"] {
        let output = project.run_with(registry.base(), words).ok();
        assert!(output.stderr.contains("hello: .venv, node_modules is not from"), "{words}: {output:?}");
        assert!(!project.path("skills/hello/__pycache__").exists(), "{words}");
        for kept in [".venv/bin/python", "node_modules/x/y.js", ".mypy_cache/x"] {
            assert!(project.path(&format!("skills/hello/{kept}")).exists(), "{words}: {kept}");
        }
        project.write("hello/__pycache__/mod.cpython-313.pyc", "run");
    }
    std::fs::remove_dir_all(project.path("skills/hello/.venv")).unwrap();
    std::fs::remove_dir_all(project.path("skills/hello/node_modules")).unwrap();
    let output = project.run("list --verify");
    assert!(output.code == 1 && output.stderr.contains("hello: __pycache__ is not from"), "{output:?}");
    project.run_with(registry.base(), "install @tools/hello").ok();
    project.run("list --verify").ok();
    project.write("hello/__pycache__/mod.cpython-313.pyc", "run");
    registry.publish(Skill::named("hello").version("2.0.0")).to("tools").by(&user).expect(201);
    project.run_with(registry.base(), "update hello").ok();
    project.write("hello/__pycache__/mod.cpython-313.pyc", "run");
    project.run("uninstall hello").ok();
}

#[test]
fn path_of_a_skill_md_means_its_folder() {
    let home = Home::new();
    Skill::named("hello").file("a.txt", "a").write_to(&home.folder().join("hello"));
    for (arguments, said) in [
        (&["check", "hello/SKILL.md"][..], "2 files"),
        (&["pack", "hello/SKILL.md", "--out", "hello.zip"], "packed 2 files"),
        (&["diff", "hello/SKILL.md", "./hello", "--registry", "http://127.0.0.1:9"], "no file differs"),
    ] {
        let output = home.run(arguments).ok();
        assert!(output.stdout.contains(said), "{arguments:?}: {output:?}");
        assert!(output.stderr.contains("means its folder, `hello`"), "{arguments:?}: {output:?}");
    }
}

#[test]
fn ignore_file_with_too_many_patterns_is_refused() {
    let home = Home::new();
    let folder = home.folder().join("hello");
    Skill::named("hello").write_to(&folder);
    for (name, text) in [
        (".gitignore", "a*\n".repeat(5_001)),
        (".skillmirrorignore", "# a comment that is long\n".repeat(20_000)),
        ("sub/.gitignore", "x/**/y\n".repeat(6_000)),
    ] {
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::write(folder.join(name), text).unwrap();
        let output = home.run(&["check", "hello"]);
        assert_eq!(output.code, 1, "{name}: {output:?}");
        assert!(
            output.stderr.contains("more than 5000 patterns or 256 KiB") && output.stderr.contains(name),
            "{output:?}"
        );
        fs::remove_file(folder.join(name)).unwrap();
    }
    fs::write(folder.join(".gitignore"), "a*\n".repeat(5_000)).unwrap();
    home.run(&["check", "hello"]).ok();
}
