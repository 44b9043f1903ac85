//! Commands of operators with `--private`.

use super::{MARKER, inside, marked, new_key, publish, registry_of_ann, skill, with_token};
use crate::harness::{Registry, User, tree};

fn slug() -> String {
    format!("{MARKER}-skill")
}

/// A registry whose private namespace has a version.
fn published() -> (Registry, User) {
    let (registry, ann) = registry_of_ann();
    publish(&registry, &ann, &slug(), "1.0.0").expect(201);
    (registry, ann)
}

fn command(registry: &Registry, arguments: &[&str]) -> crate::harness::CommandOutput {
    registry.command([arguments, &["--private", MARKER]].concat())
}

#[test]
fn commands_work_on_the_registry_of_a_private_namespace() {
    let (mut registry, ann) = published();
    let audit = command(&registry, &["audit"]).ok().stdout;
    assert!(audit.contains(&slug()), "{audit}");
    assert!(!registry.command(["audit"]).ok().stdout.contains(&slug()));
    command(&registry, &["gc"]).ok();
    command(&registry, &["journal", "check"]).ok();
    let private = registry.folder().join("public.private").join(MARKER);
    registry.stop();
    let before = tree::contents(&private);
    std::fs::remove_file(private.join("api/v1/skills.json")).unwrap();
    command(&registry, &["generate"]).ok();
    tree::assert_equal(&before, &tree::contents(&private));
    command(&registry, &["verify"]).ok();
    let counted = command(&registry, &["downloads"]).ok().stdout;
    assert!(!counted.is_empty());
    registry.restart();
    marked(&registry, &ann).get(&skill()).expect(200);
}

#[test]
fn backup_of_a_private_namespace_is_restored() {
    let (mut registry, ann) = published();
    // The backup of the main registry has a file for it.
    let made = registry.command(["journal", "backup", "main.backup", "--json"]).ok().stdout;
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    let file = made["privateNamespaces"][0]["file"].as_str().unwrap();
    assert_eq!(file, format!("main.backup.{MARKER}.private"));
    command(&registry, &["journal", "backup", "private.backup"]).ok();
    publish(&registry, &ann, &slug(), "2.0.0").expect(201);
    registry.stop();
    command(&registry, &["journal", "restore", file]).ok();
    registry.restart();
    let record = marked(&registry, &ann).get(&skill()).expect_json(200);
    assert_eq!(record["latest"]["version"], "1.0.0", "{record}");
    // The public history stays that which it was.
    registry.team("tools", &ann);
    publish(&registry, &ann, &slug(), "3.0.0").expect(201);
}

#[test]
fn snapshot_of_a_private_namespace_is_served_to_keys_only() {
    let (mut registry, _ann) = published();
    registry.stop();
    let made = command(&registry, &["snapshot", "create", "--out", "all.tar.zst"]).ok();
    assert!(!made.printed().is_empty());
    command(&registry, &["snapshot", "verify", "all.tar.zst"]).ok();
    let served = registry.start_other(&["snapshot", "serve", "all.tar.zst", "--listen", "127.0.0.1:0"]);
    served.client().get("/api/v1/skills").problem(401, "unauthenticated");
    let arguments = ["read-key", "new", "local", "--public", "all.tar.zst.tree"].map(Into::into);
    let key = crate::harness::run(registry.folder(), &arguments).ok().stdout;
    let skills = with_token(&served.client(), key.trim()).get("/api/v1/skills").expect(200);
    assert!(skills.text().contains(MARKER));
    // The snapshot of the main registry has nothing of it.
    registry.command(["snapshot", "create", "--out", "main.tar.zst"]).ok();
    let main = registry.start_other(&["snapshot", "serve", "main.tar.zst", "--listen", "127.0.0.1:0"]);
    assert!(!main.client().get("/api/v1/skills").expect(200).text().contains(MARKER));
}

#[test]
fn read_keys_of_a_private_namespace_are_its_own() {
    let (registry, _ann) = published();
    let key = new_key(&registry, MARKER);
    let main = registry.command(["read-key", "new", "main"]).ok().stdout;
    let listed = command(&registry, &["read-key", "list"]).ok().stdout;
    assert!(listed.contains("ci") && !listed.contains("main"), "{listed}");
    assert!(!registry.command(["read-key", "list"]).ok().stdout.contains("ci"));
    with_token(&inside(&registry, MARKER), &key).get(&skill()).expect(200);
    with_token(&inside(&registry, MARKER), main.trim()).get(&skill()).expect(401);
    let state = registry.folder().join(format!("public.private/{MARKER}.state/read-keys"));
    assert_eq!(std::fs::read_dir(state).unwrap().count(), 1);
}

#[test]
fn commands_of_the_main_registry_refuse_a_private_namespace() {
    let (registry, _ann) = published();
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["user", "add", "zoe"],
        &["token", "issue", "ann", "--name", "x"],
        &["key", "show"],
    ] {
        let refused = command(&registry, arguments);
        assert_ne!(refused.code, 0, "{refused:?}");
        assert!(refused.stderr.contains("leave out --private"), "{refused:?}");
    }
    let refused = registry.command(["audit", "--private", "nosuch"]);
    assert_ne!(refused.code, 0, "{refused:?}");
    let refused = registry.command(["read-key", "new", "ci", "--private", "nosuch"]);
    assert_ne!(refused.code, 0, "{refused:?}");
    assert!(!registry.folder().join("data/private/nosuch").exists());
    assert!(!registry.folder().join("public.private/nosuch.state").exists());
}
