//! Mistakes of people who do not know the commands yet.

use crate::harness::{CommandOutput, Home, Registry, Skill, run};

#[test]
fn commands_on_a_mistyped_data_folder_create_no_registry() {
    let home = Home::new();
    std::fs::write(home.folder().join("hello.zip"), Skill::named("hello").zip()).unwrap();
    for words in [
        &["user", "add", "ann"][..],
        &["user", "list"],
        &["user", "set-password", "ann"],
        &["user", "disable", "ann"],
        &["token", "issue", "ann", "--name", "x"],
        &["token", "list"],
        &["token", "revoke", "7", "--yes"],
        &["import", "hello.zip"],
        &["generate"],
        &["watch"],
        &["verify"],
        &["audit"],
        &["downloads"],
        &["count-downloads", "hello.zip"],
        &["gc"],
        &["journal", "check"],
        &["journal", "backup", "b"],
        &["journal", "redact", "7", "--reason", "x", "--yes"],
        &["upgrade", "--check"],
    ] {
        let CommandOutput { code, stderr, .. } = home.run(&[words, &["--data", "typo"]].concat());
        assert!(
            code == 1 && stderr.contains("no registry in typo: name its folder with --data"),
            "{words:?}: {stderr}"
        );
    }
    assert!(!home.folder().join("typo").exists());
}

#[test]
fn skills_are_named_as_in_other_commands() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("desk", &ann);
    registry.publish(Skill::named("hello")).to("desk").by(&ann).expect(201);
    for name in ["desk--hello", "@desk/hello", "desk/hello"] {
        let told = registry.command(["audit", "--skill", name]).ok().stdout;
        assert!(told.contains("published desk--hello 1.0.0"), "{name}: {told}");
        registry.command(["downloads", name]).ok();
    }
    let output = registry.command(["downloads", "@desk/nothing"]);
    assert!(output.code == 1 && output.stderr.contains("no skill `@desk/nothing` is public"), "{output:?}");
    assert_eq!(registry.command(["audit", "--skill", "hello@1.0.0"]).code, 2);
}

#[test]
fn retiring_a_key_needs_yes_without_a_terminal() {
    let registry = Registry::not_started();
    let folder = registry.folder().join("keys");
    let without = registry.command(["key", "list"]).ok();
    assert!(without.stdout.is_empty() && without.stderr.contains("no key in keys"), "{without:?}");
    assert!(without.stderr.contains("`signing.keys`"), "{without:?}");
    let key = registry.command(["key", "new", "--name", "skills.example.org"]).ok().stdout;
    let id = key.split('+').nth(1).unwrap();
    let output = registry.command(["key", "retire", id]);
    assert!(output.code == 1 && output.stderr.contains("Use --yes if you mean it"), "{output:?}");
    assert!(folder.join(format!("{id}.key")).exists());
    let output = registry.command(["key", "retire", "nothing"]);
    assert!(output.code == 1 && output.stderr.contains("no key nothing signs"), "{output:?}");
    registry.command(["key", "retire", id, "--yes"]).ok();
    assert!(!folder.join(format!("{id}.key")).exists());
}

#[test]
fn upgrade_without_check_shows_its_own_usage() {
    let output = Home::new().run(&["upgrade"]);
    assert!(output.code == 2 && output.stderr.contains("Usage: skillmirror upgrade --check"), "{output:?}");
}

#[test]
fn missing_proof_of_a_package_is_named_with_the_next_step() {
    let home = Home::new();
    std::fs::write(home.folder().join("hello.zip"), Skill::named("hello").zip()).unwrap();
    for (words, missing) in [
        (&["verify", "hello.zip"][..], "hello.zip.proof"),
        (&["verify", "hello.zip", "--proof", "nowhere.proof"], "nowhere.proof"),
    ] {
        let CommandOutput { code, stderr, .. } = home.run(words);
        assert!(code == 1 && stderr.contains(&format!("there is no file {missing}. ")), "{stderr}");
        assert!(stderr.contains("`--skill NAME@VERSION --registry URL`"), "{stderr}");
    }
}

#[test]
fn verify_in_the_folder_of_another_project_is_about_its_skills() {
    for (config, is_registry) in [
        ("baseURL = \"https://example.org\"\n[params]\nx = 1\n", false),
        ("[search]\nkeep = 60\n", true),
        ("listen = \n", true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        std::fs::write(folder.path().join("config.toml"), config).unwrap();
        let said = run(folder.path(), &["verify".into()]);
        let names_registry = said.stderr.contains("no registry in") || said.stderr.contains("config.toml");
        assert_eq!(names_registry, is_registry, "{config}: {said:?}");
    }
}
