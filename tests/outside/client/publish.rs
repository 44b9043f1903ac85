//! `skillmirror publish`: local checks, the request, and its result.

use crate::harness::{FakeHost, Home, Registry, Reply, Shared, Skill, User, noise};

static RUNNING: Shared<Registry> = Shared::new();

/// A user with their own team, logged in.
fn at_home(registry: &Registry, handle: &str) -> (Home, User) {
    let user = registry.user(handle);
    registry.team(&format!("team-{handle}"), &user);
    let home = Home::new();
    home.login(registry.base(), &user);
    (home, user)
}

#[test]
fn folder_is_published() {
    let registry = RUNNING.get(Registry::start);
    let (home, _) = at_home(&registry, "ann");
    let skill = Skill::named("hello").executable("run.sh", "#!/bin/sh\n").file("ä.txt", "ä");
    skill.write_to(&home.folder().join("hello"));
    let publish =
        ["publish", "hello", "--namespace", "team-ann", "--tags", "stable,new", "--changelog", "First."];

    let output = home.run(&[&publish[..], &["--dry-run"]].concat()).ok();
    assert!(output.stdout.contains("nothing was published"), "{output:?}");
    registry.get("/api/v1/skills/team-ann/hello").expect(404);

    let output = home.run(&publish).ok();
    let printed = format!("published @team-ann/hello 1.0.0 to {} (3 files, ", registry.base());
    assert!(output.stdout.starts_with(&printed) && output.stderr.is_empty(), "{output:?}");
    let record = registry.read("/api/v1/skills/team-ann/hello");
    assert_eq!(
        (&record["tags"]["stable"], &record["latest"]["changelog"]),
        (&"1.0.0".into(), &"First.".into())
    );
    let package = registry.get("/api/v1/skills/team-ann/hello/download").expect(200).body;
    crate::harness::tree::assert_equal(
        &crate::harness::tree::unpacked(&package)
            .into_iter()
            .map(|(path, (bytes, _))| (path, bytes))
            .collect(),
        &skill.contents(),
    );

    // The same again succeeds.
    let output = home.run(&["publish", "hello", "--namespace", "team-ann"]).ok();
    assert!(output.stdout.contains("already has"), "{output:?}");
    let json = home.json(&["publish", "hello", "--namespace", "team-ann"]);
    assert_eq!((&json["status"], &json["version"]), (&"published".into(), &"1.0.0".into()));
    // Another content under the same number is.
    skill.file("more.txt", "more").write_to(&home.folder().join("hello"));
    let why =
        home.refusal("conflict", &["publish", "hello", "--namespace", "team-ann", "--version", "1.0.0"]);
    assert!(why.contains("1.0.0"), "{why}");
}

#[test]
fn zip_is_published_under_its_own_name() {
    let registry = RUNNING.get(Registry::start);
    let (home, _) = at_home(&registry, "bob");
    std::fs::write(home.folder().join("some.zip"), Skill::nameless().inside("greeter").zip()).unwrap();
    let output = home.run(&["publish", "some.zip", "--namespace", "team-bob"]).ok();
    assert!(
        output.stdout.contains("@team-bob/greeter 1.0.0") && output.stdout.contains("warning: SKILL.md"),
        "{output:?}"
    );
    // And a folder under that of the folder.
    Skill::nameless().text("Other.\n").write_to(&home.folder().join("second"));
    let output = home.run(&["publish", "second/", "--namespace", "team-bob"]).ok();
    assert!(output.stdout.contains("@team-bob/second 1.0.0"), "{output:?}");
    let json = home.json(&["publish", "second", "--slug", "team-bob--third", "--version", "v2"]);
    assert_eq!((&json["canonicalSlug"], &json["version"]), (&"team-bob--third".into(), &"2.0.0".into()));
}

#[test]
fn publish_to_global_waits_for_review() {
    let registry = RUNNING.get(Registry::start);
    let (home, _) = at_home(&registry, "cat");
    Skill::named("cats").write_to(&home.folder().join("cats"));
    let output = home.run(&["publish", "cats"]).ok();
    assert!(output.stdout.contains("it waits for review "), "{output:?}");
    assert_eq!(home.json(&["publish", "cats"])["status"], "pending_review");
    registry.get("/api/v1/skills/global/cats").expect(404);
}

#[test]
fn all_local_errors_are_shown_before_sending() {
    let host = FakeHost::answering(|_| {
        Reply::json(&serde_json::json!({"handle": "a", "displayName": "a", "role": "user"}))
    });
    let home = Home::new();
    home.login(&host.base, &User { handle: "a".to_owned(), token: "token-a".to_owned() });
    let token = ["ghp", "_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
    let key = ["-----BEGIN RSA PRIV", "ATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"].concat();
    let bad = Skill::named("bad").undescribed().file("a:b", "").file("keys/id", key).file("token.txt", token);
    bad.write_to(&home.folder().join("bad"));
    let why = home.refusal("invalid_package", &["publish", "bad"]);
    for printed in ["was not sent", "\n  SKILL.md", "\n  a:b: ", "\n  keys/id:1: "] {
        assert!(why.contains(printed), "{printed:?} in {why}");
    }
    std::os::unix::fs::symlink("/etc/passwd", home.folder().join("bad/link")).unwrap();
    let why = home.refusal("invalid_package", &["publish", "bad"]);
    assert!(why.contains("\n  link: it is a link"), "{why}");
    home.refusal("unreadable", &["publish", "nowhere"]);
    assert_eq!(host.paths(), ["/api/v1/whoami"]);
}

#[test]
fn refusal_of_the_registry_is_shown() {
    let registry = RUNNING.get(Registry::start);
    let (home, _) = at_home(&registry, "dan");
    let owner = registry.user("owner-of-another");
    registry.team("anothers", &owner);
    Skill::named("hello").write_to(&home.folder().join("hello"));
    home.refusal("forbidden", &["publish", "hello", "--namespace", "anothers"]);
    let why = home.refusal("not_found", &["publish", "hello", "--namespace", "no-such-team"]);
    assert!(why.contains("no-such-team"), "{why}");
    let why = home.refusal("no_login", &["publish", "hello", "--registry", "https://skills.example.org"]);
    assert!(why.contains("skillmirror login --registry https://skills.example.org"), "{why}");
    for usage in [["--tags", "1.0.0"], ["--namespace", "A"], ["--version", "x"], ["--slug", "a--b--c"]] {
        assert_eq!(home.run(&[&["publish", "hello"], &usage[..]].concat()).code, 2, "{usage:?}");
    }
}

#[test]
fn mirror_refuses_publish() {
    for status in [404, 405, 501] {
        let host = FakeHost::answering(move |asked| match asked.method.as_str() {
            "GET" => Reply::json(&serde_json::json!({"handle": "a", "displayName": "a", "role": "user"})),
            _ => Reply::status(status),
        });
        let home = Home::new();
        home.login(&host.base, &User { handle: "a".to_owned(), token: "token-a".to_owned() });
        Skill::named("hello").write_to(&home.folder().join("hello"));
        let why = home.refusal("unsupported", &["publish", "hello"]);
        assert!(why.contains("does not accept packages"), "{why}");
    }
}

#[test]
fn web_page_is_not_a_receipt() {
    let host = FakeHost::answering(|asked| match asked.method.as_str() {
        "GET" => Reply::json(&serde_json::json!({"handle": "a", "displayName": "a", "role": "user"})),
        _ => Reply::page(),
    });
    let home = Home::new();
    home.login(&host.base, &User { handle: "a".to_owned(), token: "token-a".to_owned() });
    Skill::named("hello").write_to(&home.folder().join("hello"));
    home.refusal("not_a_registry", &["publish", "hello"]);
}

#[test]
fn large_package_is_refused_before_sending() {
    let registry = RUNNING.get(Registry::start);
    let (home, user) = at_home(&registry, "eve");
    let large = Skill::named("large").file("noise.bin", noise(8 << 20, 1));
    large.write_to(&home.folder().join("large"));
    let tokens = registry.as_user(&user).get("/api/v1/tokens").expect_json(200);
    let id = tokens["items"][0]["id"].as_str().unwrap();
    registry.as_user(&user).delete(&format!("/api/v1/tokens/{id}")).expect(204);
    // And not by a connection that ends while it is sent.
    let why = home.refusal("unauthenticated", &["publish", "large"]);
    assert!(why.contains("skillmirror login"), "{why}");
}

#[test]
fn change_is_found_by_the_next_command() {
    let registry = Registry::with_config("[mirror]\nlists_interval = 600\n");
    let (home, _) = at_home(&registry, "ann");
    for number in 0..5 {
        let name = format!("hello{number}");
        Skill::named(&name).description("Greets.").write_to(&home.folder().join(&name));
        home.run(&["publish", &name, "--namespace", "team-ann"]).ok();
        let found = home.json(&["search", "greets"]);
        assert_eq!(found["total"], number + 1, "{found}");
    }
    home.run(&["delete", "@team-ann/hello0", "--yes"]).ok();
    assert_eq!(home.json(&["search", "greets"])["total"], 4);
}
