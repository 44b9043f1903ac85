//! `skillmirror publish`: which files are sent, and what it says about them.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::harness::{FakeHost, Home, Registry, Reply, Shared, Skill, User, tree::unpacked};

static RUNNING: Shared<Registry> = Shared::new();

/// A home folder in which `handle` is logged in and has the team `team-<handle>`.
fn at_home(registry: &Registry, handle: &str) -> Home {
    let user = registry.user(handle);
    registry.team(&format!("team-{handle}"), &user);
    let home = Home::new();
    home.login(registry.base(), &user);
    home
}

/// A host that knows everyone and takes no package.
fn counting_host() -> (FakeHost, Home) {
    let host = FakeHost::answering(|asked| match asked.method.as_str() {
        "GET" => Reply::json(&serde_json::json!({"handle": "a", "displayName": "a", "role": "user"})),
        _ => Reply::status(501),
    });
    let home = Home::new();
    home.login(&host.base, &User { handle: "a".to_owned(), token: "token-a".to_owned() });
    (host, home)
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Publishes `path` and returns the files of the public package.
fn published(registry: &Registry, home: &Home, path: &str, team: &str) -> BTreeSet<String> {
    let receipt = home.json(&["publish", path, "--namespace", team]);
    let slug = receipt["slug"].as_str().unwrap();
    let package = registry.get(&format!("/api/v1/skills/{team}/{slug}/download")).expect(200).body;
    unpacked(&package).into_keys().collect()
}

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|&path| path.to_owned()).collect()
}

#[test]
fn files_that_git_ignores_are_not_published() {
    let registry = RUNNING.get(Registry::start);
    let home = at_home(&registry, "ann");
    let repository = home.folder().join("repository");
    Skill::named("hello").write_to(&repository.join("skills/hello"));
    write(
        &repository,
        &[
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".git/info/exclude", "excluded.txt\n"),
            (".gitignore", "*.log\n/skills/hello/build/\n/elsewhere\n"),
            ("skills/.skillmirrorignore", "parent-draft.md\n"),
            ("skills/hello/.gitignore", ".env\nlocal.*\n!local.md\n"),
            ("skills/hello/.skillmirrorignore", "drafts/\n!kept.log\n"),
            ("skills/hello/.env", "KEY=1\n"),
            ("skills/hello/build/out.bin", "x"),
            ("skills/hello/debug.log", "x"),
            ("skills/hello/kept.log", "x"),
            ("skills/hello/deep/debug.log", "x"),
            ("skills/hello/drafts/a.md", "x"),
            ("skills/hello/elsewhere", "x"),
            ("skills/hello/excluded.txt", "x"),
            ("skills/hello/local.md", "x"),
            ("skills/hello/local.txt", "x"),
            ("skills/hello/parent-draft.md", "x"),
            ("skills/hello/sub/.gitignore", "a\n"),
            ("skills/hello/sub/a", "x"),
            ("skills/hello/sub/b", "x"),
            ("skills/hello/.mcp.json", "{}"),
        ],
    );
    std::os::unix::fs::symlink("/etc/passwd", repository.join("skills/hello/link.log")).unwrap();
    let expected = set(&["SKILL.md", ".mcp.json", "elsewhere", "kept.log", "local.md", "sub/b"]);
    assert_eq!(published(&registry, &home, "repository/skills/hello", "team-ann"), expected);
    let inside = repository.join("skills/hello");
    let mut program = home.program();
    let output = program.args(["publish", ".", "--namespace", "team-ann"]).current_dir(&inside).output();
    let output = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(output.contains("already has @team-ann/hello"), "from within the folder: {output}");
}

#[test]
fn ignore_files_count_without_a_repository() {
    let registry = RUNNING.get(Registry::start);
    let home = at_home(&registry, "bob");
    Skill::named("hello").write_to(&home.folder().join("hello"));
    write(
        home.folder(),
        &[(".gitignore", "*\n"), ("hello/.gitignore", "secret\n"), ("hello/secret", "x"), ("hello/x", "x")],
    );
    assert_eq!(published(&registry, &home, "hello", "team-bob"), set(&["SKILL.md", "x"]));
    // What git leaves out everywhere.
    write(home.folder(), &[("config/git/ignore", "*.swp\n"), ("hello/y.swp", "x"), ("hello/y", "x")]);
    assert_eq!(published(&registry, &home, "hello", "team-bob"), set(&["SKILL.md", "x", "y"]));
}

#[test]
fn unusable_ignore_files_and_an_ignored_skill_are_refused() {
    let (host, home) = counting_host();
    Skill::named("hello").write_to(&home.folder().join("hello"));
    write(home.folder(), &[("hello/.skillmirrorignore", "*\n")]);
    let why = home.refusal("invalid_package", &["publish", "hello"]);
    assert!(why.contains("leaves out SKILL.md") && why.contains("`!SKILL.md`"), "{why}");
    write(home.folder(), &[("hello/.skillmirrorignore", "{a\n")]);
    let why = home.refusal("unreadable", &["publish", "hello"]);
    assert!(why.contains(".skillmirrorignore") && why.contains("{a"), "{why}");
    assert_eq!(host.paths(), ["/api/v1/whoami"]);
}

#[test]
fn ignore_file_that_never_ends_is_refused() {
    let (host, home) = counting_host();
    for (link, at) in
        [(false, "skill/.gitignore"), (true, "skill/sub/.skillmirrorignore"), (true, ".gitignore")]
    {
        let repository = home.folder().join("repository");
        Skill::named("hello").write_to(&repository.join("skill"));
        write(&repository, &[(".git/HEAD", "ref: refs/heads/main\n"), ("skill/sub/a.md", "a")]);
        let ignore = repository.join(at);
        let pipe = if link { home.folder().join("pipe") } else { ignore.clone() };
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        if link {
            symlink(&pipe, &ignore).unwrap();
        }
        let why = home.refusal("unreadable", &["publish", "repository/skill"]);
        assert!(why.contains(at.trim_start_matches("skill/")) && why.contains("not a regular file"), "{why}");
        fs::remove_dir_all(&repository).unwrap();
        let _ = fs::remove_file(home.folder().join("pipe"));
    }
    assert_eq!(host.paths(), ["/api/v1/whoami"]);
}

#[test]
fn secret_files_are_refused_before_sending_unless_they_are_allowed() {
    let (host, home) = counting_host();
    let skill =
        Skill::named("hello").file(".env", "A=1\n").file("a/.aws/config", "").file(".env.example", "");
    skill.write_to(&home.folder().join("hello"));
    fs::write(home.folder().join("hello.zip"), skill.inside("hello").zip()).unwrap();
    for path in ["hello", "hello.zip"] {
        let why = home.refusal("invalid_package", &["publish", path]);
        for printed in ["\n  .env: ", "\n  a/.aws/config: ", "--allow-file"] {
            assert!(why.contains(printed), "{printed:?} in {why}");
        }
        assert!(!why.contains(".env.example"), "{why}");
        let why = home.refusal("invalid_package", &["publish", path, "--allow-file", ".env"]);
        assert!(!why.contains("\n  .env: ") && why.contains("\n  a/.aws/config: "), "{why}");
    }
    let allowed = ["publish", "hello", "--allow-file", "./.env", "--allow-file", "a/.aws/config"];
    let why = home.refusal("unreadable", &[&allowed[..], &["--allow-file", "b"]].concat());
    assert!(why.contains("--allow-file names `b`"), "{why}");
    assert_eq!(host.paths(), ["/api/v1/whoami"]);
    // A file that is allowed is still not sent if git ignores it.
    write(home.folder(), &[("hello/.gitignore", ".env\n")]);
    let why = home.refusal("unreadable", &allowed);
    assert!(why.contains("--allow-file names `.env`") && why.contains("`!.env`"), "{why}");
    assert_eq!(home.run(&["publish", "hello", "--allow-file", "../x"]).code, 2);

    let registry = RUNNING.get(Registry::start);
    let home = at_home(&registry, "cat");
    let allowed = [&allowed[..], &["--namespace", "team-cat"]].concat();
    Skill::named("hello")
        .file(".env", "A=1\n")
        .file("a/.aws/config", "")
        .write_to(&home.folder().join("hello"));
    let output = home.run(&allowed).ok();
    assert!(output.stdout.contains("\n  .env\n") && output.stderr.contains("warning: .env: "), "{output:?}");
}

#[test]
fn publish_lists_the_files() {
    let registry = RUNNING.get(Registry::start);
    let home = at_home(&registry, "dan");
    let many = (10..34).fold(Skill::named("many"), |skill, n| skill.file(&format!("f{n}"), "12345"));
    many.write_to(&home.folder().join("many"));
    let dry = home.run(&["publish", "many", "--namespace", "team-dan", "--dry-run"]).ok().stdout;
    assert!(dry.contains("\n         5 B  f10\n") && dry.contains("         5 B  f33\n"), "{dry}");
    assert_eq!(dry.lines().count(), 2 + 25);
    let output = home.run(&["publish", "many", "--namespace", "team-dan"]).ok().stdout;
    assert!(output.contains("\n  SKILL.md\n  f10\n") && output.contains("\n  and 5 more: "), "{output}");
    assert_eq!(output.lines().count(), 1 + 20 + 1 + 1);
}

#[test]
fn warnings_are_shown_before_sending_and_only_once() {
    let password = ["pass", "word = \"Tr0ub4dor&3\"\n"].concat();
    let skill = Skill::named("hello").file("config.toml", password);
    let (_host, home) = counting_host();
    skill.write_to(&home.folder().join("hello"));
    let output = home.run(&["publish", "hello"]);
    assert!(
        output.code == 1 && output.stderr.starts_with("warning: config.toml:1: a password "),
        "{output:?}"
    );

    let registry = RUNNING.get(Registry::start);
    let home = at_home(&registry, "eve");
    skill.write_to(&home.folder().join("hello"));
    let publish = ["publish", "hello", "--namespace", "team-eve"];
    let output = home.run(&publish).ok();
    assert_eq!((output.stderr.matches("warning").count(), output.stdout.contains("warning")), (1, false));
    let receipt = home.json(&publish);
    assert_eq!(receipt["warnings"][0]["code"], "secret_suspected");
}

#[test]
fn too_large_folder_is_refused_with_the_part_to_leave_out() {
    let (host, home) = counting_host();
    Skill::named("hello").write_to(&home.folder().join("hello"));
    for n in 0..12 {
        let path = home.folder().join(format!("hello/data/{n}.bin"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::File::create(path).unwrap().set_len(9 << 20).unwrap();
    }
    let why = home.refusal("invalid_package", &["publish", "hello"]);
    let part =
        "the files are larger than 100 MiB together, and most of that is in `data`: leave that folder out";
    assert!(why.contains(part), "{why}");
    assert_eq!(host.paths(), ["/api/v1/whoami"]);
}
