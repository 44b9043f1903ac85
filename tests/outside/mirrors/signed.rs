//! Mirrors of a registry that signs its history.

use std::path::Path;

use crate::harness::{CommandOutput, Registry, TamperedTree, User, run, tree};

/// A registry that signs, with one skill.
fn signing() -> (Registry, User) {
    let mut registry = Registry::configured("[mirror]\ncounter_interval = 86400\n");
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    registry.restart();
    let admin = registry.admin();
    registry.team("tools", &admin);
    registry.versions("tools/hello", &["1.0.0"], &admin);
    (registry, admin)
}

fn generate(registry: &Registry, feed: &Path, keys: &[&str]) -> CommandOutput {
    let mirror = registry.folder().join("mirror");
    let mut arguments = vec!["generate", "--feed", feed.to_str().unwrap(), "--out", mirror.to_str().unwrap()];
    keys.iter().for_each(|key| arguments.extend(["--vkey", key]));
    run(registry.folder(), &arguments.into_iter().map(Into::into).collect::<Vec<_>>())
}

/// A key of the same name that signs nothing here.
const STRANGER: &str = "skills.example.org+a629d354+AROY9ixtGkV8UbpqS189vS9p/KkyFiGNyJl+QWvRfZPK";

#[test]
fn mirror_with_a_key_takes_only_what_the_key_has_signed() {
    let (registry, admin) = signing();
    let key = registry.command(["key", "show"]).ok().stdout.trim().to_owned();
    let (source, mirror) = (registry.public(), registry.folder().join("mirror"));
    let refused = generate(&registry, &source, &[STRANGER]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.stderr.contains("api/v1/log/checkpoint of"), "{refused:?}");
    assert!(refused.stderr.contains("not signed with a key that is trusted here"), "{refused:?}");
    assert!(!mirror.join("api").exists());

    generate(&registry, &source, &[&key]).ok();
    tree::assert_equal(&tree::contents(&mirror), &registry.tree_bytes());
    registry.versions("tools/hello", &["1.1.0"], &admin);
    generate(&registry, &source, &[STRANGER, &key]).ok();
    tree::assert_equal(&tree::contents(&mirror), &registry.tree_bytes());
    let other = STRANGER.replace("skills", "others");
    let refused = generate(&registry, &source, &[&key, &other]);
    assert!(refused.stderr.contains("not a verifier key"), "{refused:?}");
}

/// How a liar changes a row.
type Lie<'a> = &'a dyn Fn(&str) -> String;

/// What a liar may want to hide or say, with pages and head that fit to each other.
#[test]
fn changed_hidden_and_made_up_rows_are_refused() {
    let (registry, admin) = signing();
    registry.yank("tools/hello", "1.0.0", &admin).expect(200);
    let key = registry.command(["key", "show"]).ok().stdout.trim().to_owned();
    let lies: [(&str, Lie<'_>); 4] = [
        ("yanked", &|_| String::new()),
        ("yanked", &|row| row.replace("It greets nobody.", "It greets everybody.")),
        ("published", &|row| row.replace("\"version\":\"1.0.0\"", "\"version\":\"2.0.0\"")),
        ("yanked", &|row| format!("{row},{}", row.replacen("\"revision\":", "\"revision\":1", 1))),
    ];
    for (kind, lie) in lies {
        let liar = TamperedTree::of(&registry);
        liar.change_row(kind, lie);
        let refused = generate(&registry, liar.folder(), &[&key]);
        assert!(refused.code == 1 && refused.stderr.contains("api/v1/"), "{refused:?}");
        assert!(!registry.folder().join("mirror/api").exists(), "{refused:?}");
    }
    generate(&registry, &registry.public(), &[&key]).ok();
}
