//! Rows that no registry would write are refused by mirrors, with and without a key.

use crate::harness::{CommandOutput, Registry, Skill, TamperedTree, run};

/// A registry with a row of each kind.
fn lived_in() -> Registry {
    let registry = Registry::with_config("[mirror]\ncounter_interval = 86400\n");
    let admin = registry.admin();
    registry.team("tools", &admin);
    let body = serde_json::json!({"description": "Useful things."});
    registry.as_user(&admin).put_json("/api/v1/namespaces/tools", &body).expect(200);
    registry.publish(Skill::named("hello")).to("tools").version("1.0.0").by(&admin).expect(201);
    registry.tag("tools/hello", "stable", "1.0.0", &admin).expect(201);
    registry.yank("tools/hello", "1.0.0", &admin).expect(200);
    registry
}

fn generate(registry: &Registry, feed: &TamperedTree) -> CommandOutput {
    let mirror = registry.folder().join("mirror");
    let feed = feed.folder().to_str().unwrap();
    let arguments = ["generate", "--feed", feed, "--out", mirror.to_str().unwrap()];
    run(registry.folder(), &arguments.map(Into::into))
}

/// Replaces the value of a text in a row.
fn with(row: &str, key: &str, value: &str) -> String {
    let start =
        row.find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no {key} in {row}")) + key.len() + 3;
    let rest = &row[start..];
    let end = match rest.as_bytes()[0] {
        b'"' => rest[1..].find('"').unwrap() + 2,
        b'[' => rest.find(']').unwrap() + 1,
        _ => rest.find([',', '}']).unwrap(),
    };
    format!("{}{value}{}", &row[..start], &rest[end..])
}

#[test]
fn rows_that_no_registry_writes_are_refused_with_their_number() {
    let registry = lived_in();
    let text = |length: usize| format!("\"{}\"", "x".repeat(length));
    let list = |count: usize| format!("[{}]", vec!["\"x\""; count].join(","));
    let escape = "\"a\\u001b[2Jb\"";
    let cases: Vec<(&str, &str, String)> = vec![
        ("namespace_updated", "displayName", escape.into()),
        ("namespace_updated", "displayName", "\"Tools\\nof nobody\"".into()),
        ("namespace_updated", "displayName", text(129)),
        ("namespace_updated", "description", text(1 << 20)),
        ("namespace_updated", "description", "\"right\\u202eto left\"".into()),
        ("namespace_updated", "slug", "\"../evil\"".into()),
        ("published", "name", escape.into()),
        ("published", "name", "\"two\\nlines\"".into()),
        ("published", "name", text(129)),
        ("published", "name", "\"\"".into()),
        ("published", "description", text(1 << 20)),
        ("published", "description", text(1025)),
        ("published", "description", "\"a\\u0000b\"".into()),
        ("published", "description", "\" \"".into()),
        ("published", "displayName", escape.into()),
        ("published", "keywords", list(33)),
        ("published", "keywords", format!("[{}]", text(65))),
        ("published", "headings", list(65)),
        ("published", "headings", format!("[{}]", text(129))),
        ("published", "bodyWords", list(33)),
        ("published", "bodyWords", format!("[{}]", text(25))),
        ("published", "bodyWords", format!("[{escape}]")),
        ("published", "license", text(129)),
        ("published", "homepage", "\"javascript:alert(1)\"".into()),
        ("published", "homepage", "\"https://user:pw@example.org\"".into()),
        ("published", "changelog", text(16 * 1024 + 1)),
        ("published", "changelog", escape.into()),
        ("published", "version", "\"1.0.0/../..\"".into()),
        ("published", "fileCount", "7".into()),
        ("published", "unpackedSize", "1".into()),
        ("published", "path", "\"../../evil\"".into()),
        ("published", "path", "\"a\\u0007.md\"".into()),
        ("published", "contentType", "\"text/html\\r\\nX: y\"".into()),
        ("tag_set", "displayName", escape.into()),
        ("tag_set", "tag", "\"a b\"".into()),
        ("yanked", "reason", text(2 * 1024 + 1)),
        ("yanked", "reason", escape.into()),
    ];
    for (kind, key, value) in cases {
        let liar = TamperedTree::of(&registry);
        liar.change_row(kind, |row| with(row, key, &value));
        let said = generate(&registry, &liar);
        let case = format!("{kind} {key} {}", &value[..value.len().min(40)]);
        assert_eq!(said.code, 1, "{case}: {said:?}");
        assert!(said.stderr.contains("api/v1/mirror/changes/1.json"), "{case}: {said:?}");
        assert!(said.stderr.contains("revision "), "{case}: {said:?}");
        assert!(!said.stderr.contains('\u{1b}') && said.stderr.len() < 2000, "{case}");
        assert!(!registry.folder().join("mirror/api").exists(), "{case}");
    }
    generate(&registry, &TamperedTree::of(&registry)).ok();
}

/// A row may be older than a rule. Its version is named as a file for `--deny` has it, and is not checked then.
#[test]
fn row_that_is_refused_does_not_stop_a_mirror_without_its_version() {
    let registry = lived_in();
    registry.write(
        "deny",
        b"@tools/hello@1.0.0
",
    );
    let refused = [
        ("published", "license", r#""a\u200bb""#),
        ("published", "contentType", r#""text/html\r\nX: y""#),
        ("yanked", "reason", r#""a\u200bb""#),
    ];
    for (kind, key, value) in refused {
        let old = TamperedTree::of(&registry);
        old.change_row(kind, |row| with(row, key, value));
        let said = generate(&registry, &old);
        assert_eq!(said.code, 1, "{kind} {key}: {said:?}");
        assert!(said.stderr.contains("put the line `@tools/hello@1.0.0` into a file"), "{said:?}");
        let feed = old.folder().to_str().unwrap();
        let arguments = ["generate", "--feed", feed, "--out", "without", "--deny", "deny"];
        // The row is passed over. That it is not the one in the log is found later.
        let said = run(registry.folder(), &arguments.map(Into::into));
        assert!(said.stderr.contains("root of the log") && !said.stderr.contains("refused"), "{said:?}");
    }
}

#[test]
fn source_of_more_rows_or_files_than_the_settings_take_is_refused() {
    let registry = lived_in();
    let source = TamperedTree::of(&registry);
    let (feed, mirror) = (source.folder().to_str().unwrap(), registry.folder().join("mirror"));
    for (setting, enough) in [("feed_max_rows", 20), ("feed_max_files", 80)] {
        for (value, is_enough) in [(3, false), (enough, true)] {
            registry.write("limits.toml", format!("[mirror]\n{setting} = {value}\n").as_bytes());
            let config = registry.folder().join("limits.toml");
            let arguments = [
                "generate",
                "--config",
                config.to_str().unwrap(),
                "--feed",
                feed,
                "--out",
                mirror.to_str().unwrap(),
            ];
            let said = run(registry.folder(), &arguments.map(Into::into));
            let words = format!("`mirror.{setting}`");
            assert_eq!(said.code == 0, is_enough, "{setting} {value}: {said:?}");
            assert!(is_enough || said.stderr.contains(&words), "{said:?}");
        }
        std::fs::remove_dir_all(&mirror).unwrap();
        std::fs::remove_dir_all(registry.folder().join("mirror.state")).unwrap();
    }
}

/// The estimate of files is no smaller than what a tree has of skills.
#[test]
fn files_of_a_tree_are_no_more_than_the_limit_that_lets_it_pass() {
    let mut registry = Registry::configured("[mirror]\ncounter_interval = 86400\ngit = true\n");
    registry.restart();
    let admin = registry.admin();
    registry.team("tools", &admin);
    let rows = || registry.tree().len();
    let before = rows();
    for n in 0..12 {
        let skill = Skill::named(&format!("skill-{n}")).text(&"A long text. ".repeat(3000));
        registry.publish(skill).to("tools").version("1.0.0").by(&admin).expect(201);
    }
    // What every tree has grows with the words, and each version has at most seven files, each skill 26.
    assert!(rows() - before < 12 * (16 + 10 + 7) + 100, "{} files", rows() - before);
}
