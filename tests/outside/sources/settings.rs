//! Sources in the settings.

use std::fs;

use super::Following;

#[test]
fn sources_are_added_to_the_settings_and_removed_again() {
    let world = Following::with("# A comment stays.\n");
    let file = world.registry.folder().join("config.toml");
    let before = fs::read_to_string(&file).unwrap();
    let printed = [
        "source",
        "add",
        "office",
        "https://git.example.org/acme/skills",
        "--kind",
        "git",
        "--into",
        "@tools",
    ];
    let printed = world.registry.command(printed).ok().stdout;
    assert!(printed.contains("submitted to @tools") && printed.contains("source check office"), "{printed}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with(&before), "{text}");
    assert!(
        text.contains("[source.office]\naddress = \"https://git.example.org/acme/skills\"\nkind = \"git\"\n"),
        "{text}"
    );
    let listed = world.registry.command(["source", "list", "--json"]).ok().stdout;
    assert!(listed.contains("\"name\":\"office\"") && listed.contains("\"checkedAt\":null"), "{listed}");
    world.set("\n[limits]\nfiles = 500\n");
    world.registry.command(["source", "remove", "office"]).ok();
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{before}\n[limits]\nfiles = 500\n"));
    let again = world.registry.command(["source", "remove", "office"]);
    assert!(again.code == 1 && again.stderr.contains("there is no source `office`"), "{again:?}");
}

#[test]
fn invalid_source_is_refused_and_changes_nothing() {
    let world = Following::start();
    world.registry.command(["user", "add", "gone"]).ok();
    let file = world.registry.folder().join("config.toml");
    let before = fs::read_to_string(&file).unwrap();
    let long = format!("https://example.org/{}", "a".repeat(500));
    for (options, says) in [
        ("ext::sh%20-c%20id --kind git", "`ext` addresses are not followed"),
        ("--upload-pack=id --kind git", "--upload-pack"),
        ("ssh://git@example.org/a --kind git", "`ssh` addresses are not followed"),
        ("git://example.org/a --kind git", "`git` addresses are not followed"),
        ("git@example.org:acme/skills --kind git", "not an address"),
        ("https://user:hunter2@example.org/a --kind git", "name a credential_file"),
        ("https://example.org/a?token=hunter2 --kind index", "everybody sees the address"),
        ("relative/folder --kind git", "not an address"),
        ("file:///srv/index.json --kind index", "only a git repository may be a folder"),
        (&format!("{long} --kind git"), "at most 400"),
        ("https://example.org/a --kind git --branch --upload-pack=id", "unexpected argument"),
        ("https://example.org/a --kind git --branch=--upload-pack=id", "not the name of a branch"),
        ("https://example.org/a --kind git --branch a:refs/heads/b", "not the name of a branch"),
        ("https://example.org/a --kind git --tags a*b*", "one `*`"),
        ("https://example.org/a --kind git --folder ../up", "a path in the repository"),
        ("https://example.org/a --kind index --branch main", "only a git repository has it"),
        ("https://example.org/a --kind registry", "name the namespaces"),
        ("https://example.org/a --kind git --as nobody", "no user `nobody`"),
        ("https://example.org/a --kind git --into @nobodys", "nobodys"),
    ] {
        let into = if options.contains("--into") { "" } else { " --into tools" };
        let words = format!("source add office {options}{into}");
        let output = world.registry.command(words.split_whitespace());
        assert!(output.code != 0 && output.stderr.contains(says), "{options}: {output:?}");
        assert!(!output.stderr.contains("hunter2"), "{output:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), before, "{options}");
    }
}

#[test]
fn private_namespace_is_no_goal_of_a_source() {
    let world = Following::start();
    let body = serde_json::json!({"slug": "secret", "private": true});
    let admin = world.registry.admin();
    world.registry.as_user(&admin).post_json("/api/v1/namespaces", &body).expect(201);
    let words = ["source", "add", "office", "https://example.org/a", "--kind", "git", "--into", "secret"];
    let output = world.registry.command(words);
    assert!(output.code == 1 && output.stderr.contains("private namespace"), "{output:?}");
}
