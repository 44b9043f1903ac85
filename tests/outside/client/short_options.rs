//! Short options, and lists for programs.

use crate::harness::{Home, Project, Registry, Skill};

#[test]
fn short_options_do_what_long_ones_do() {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    let project = Project::new();
    let said = project.run_with(registry.base(), "install hello@1 -q").ok();
    assert!(said.stdout.is_empty() && said.stderr.is_empty(), "{said:?}");
    assert!(project.path("skills/hello/SKILL.md").exists());
    registry.publish(Skill::named("hello").text("New.")).version("1.1.0").by(&admin).expect(201);
    assert!(project.run("update -n").ok().stdout.contains("would update hello 1.0.0 -> 1.1.0"));
    let said = project.run("uninstall nothing -q");
    assert!(said.code == 1 && said.stderr.contains("nothing"), "failures are printed: {said:?}");

    let home = Home::new();
    home.login(registry.base(), &admin);
    std::fs::write(home.folder().join("x.zip"), Skill::named("other").zip()).unwrap();
    assert!(home.run(&["publish", "x.zip", "-n"]).ok().stdout.contains("nothing was published"));
    home.run(&["delete", "hello", "-y"]).ok();
    let imported =
        registry.command(["import", home.folder().join("x.zip").to_str().unwrap(), "-v"]).ok().stdout;
    assert!(imported.contains("imported 1 version"), "{imported}");
}

#[test]
fn search_without_words_lists_the_newest() {
    let registry = Registry::start();
    for slug in ["first", "second"] {
        registry.publish(Skill::named(slug)).by(&registry.admin()).expect(201);
    }
    let found = Home::new().json(&["search", "--registry", registry.base()]);
    let slugs: Vec<_> = found["results"].as_array().unwrap().iter().map(|found| &found["slug"]).collect();
    assert_eq!(slugs, ["second", "first"]);
}

#[test]
fn info_begins_with_the_command_and_sorts_versions() {
    let registry = Registry::start();
    registry.versions("global/hello", &["1.10.0", "1.9.0", "2.0.0-rc.1"], &registry.admin());
    let text = Home::new().run(&["info", "hello", "--registry", registry.base()]).ok().stdout;
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(at("install    skillmirror install hello") < at("version    "), "{text}");
    assert!(at("\n  2.0.0-rc.1 ") < at("\n  1.10.0 ") && at("\n  1.10.0 ") < at("\n  1.9.0 "), "{text}");
    assert!(at("versions") < at("other clients"), "{text}");
}

#[test]
fn lists_of_operators_are_for_programs_too() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let list = |words: &[&str]| -> serde_json::Value {
        let printed = registry.command([words, &["--json"]].concat()).ok().stdout;
        assert!(!printed.contains(&ann.token), "no secret: {printed}");
        serde_json::from_str(&printed).unwrap()
    };
    let tokens = list(&["token", "list", "ann"]);
    assert_eq!(tokens["items"][0]["user"], "ann", "{tokens}");
    assert_eq!(tokens["items"][0]["name"], "test", "{tokens}");
    assert_eq!(list(&["user", "list"])["items"][1]["handle"], "ann");
    assert_eq!(list(&["key", "list"])["items"], serde_json::json!([]));
}

#[test]
fn issued_token_only_reads_and_ends_unless_options_say_else() {
    let registry = Registry::start();
    registry.user("ann");
    let said = registry.command(["token", "issue", "ann", "--name", "least"]).ok();
    assert_eq!(said.stdout.split_whitespace().count(), 1, "only the token: {said:?}");
    assert!(said.stderr.contains("has the scopes read and expires 20"), "{said:?}");
    let said = registry
        .command([
            "token",
            "issue",
            "ann",
            "--name",
            "most",
            "--scopes",
            "read,publish",
            "--expires",
            "never",
        ])
        .ok();
    assert!(said.stderr.is_empty(), "{said:?}");
    let listed = registry.command(["token", "list", "ann", "--json"]).ok().stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let of = |name: &str| {
        listed["items"].as_array().unwrap().iter().find(|it| it["name"] == name).unwrap().clone()
    };
    assert_eq!(of("least")["scopes"], serde_json::json!(["read"]));
    assert!(of("least")["expiresAt"].is_string() && of("most")["expiresAt"].is_null(), "{listed}");
}

#[test]
fn reviews_that_wait_are_counted_in_me() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.reviewing_team("tools", &ann);
    registry.join("tools", &ann, &bob, "member");
    let home = Home::new();
    home.login(registry.base(), &ann);
    assert!(!home.run(&["me"]).ok().stdout.contains("for you to review"));
    for slug in ["one", "two"] {
        registry.submit(&format!("tools/{slug}"), "1.0.0", &bob);
    }
    let said = home.run(&["me"]).ok().stdout;
    assert!(said.contains("for you to review\n2 in @tools: `skillmirror review list tools`\n"), "{said}");
    assert_eq!(home.json(&["me"])["toReview"], serde_json::json!([{"namespace": "tools", "count": 2}]));
    let of_bob = Home::new();
    of_bob.login(registry.base(), &bob);
    assert_eq!(of_bob.json(&["me"])["toReview"], serde_json::json!([]));
}

#[test]
fn verify_without_a_path_is_about_the_project() {
    let registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let project = Project::new();
    let said = project.run("verify");
    assert!(said.code == 1 && said.stderr.contains("there is nothing to verify here"), "{said:?}");
    assert!(said.stderr.contains("--data"), "{said:?}");
    project.run_with(registry.base(), "install hello").ok();
    let said = project.run("verify");
    assert!(said.code == 1 && said.stderr.contains("`skillmirror trust add`"), "{said:?}");
    assert!(said.stderr.contains("`skillmirror list --verify`"), "{said:?}");
}
