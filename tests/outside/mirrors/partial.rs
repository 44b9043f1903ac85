//! Partial mirrors.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::{CommandOutput, Project, Registry, User, folder_address, run, tree};

/// A registry that signs, with skills in two namespaces.
fn signing() -> (Registry, User) {
    let mut registry = Registry::configured("[mirror]\ncounter_interval = 86400\n");
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    registry.restart();
    let admin = registry.admin();
    for team in ["tools", "games"] {
        registry.team(team, &admin);
    }
    registry.versions("tools/hello", &["1.0.0", "1.1.0"], &admin);
    registry.versions("games/chess", &["1.0.0"], &admin);
    registry.tag("tools/hello", "stable", "1.1.0", &admin).expect(201);
    (registry, admin)
}

struct Mirror<'a> {
    registry: &'a Registry,
    key: String,
}

impl Mirror<'_> {
    fn of(registry: &Registry) -> Mirror<'_> {
        Mirror { registry, key: registry.command(["key", "show"]).ok().stdout.trim().to_owned() }
    }

    fn folder(&self) -> PathBuf {
        self.registry.folder().join("mirror")
    }

    fn generate(&self, options: &str) -> CommandOutput {
        let (source, to) = (self.registry.public(), self.folder());
        let mut arguments =
            vec!["generate", "--feed", source.to_str().unwrap(), "--out", to.to_str().unwrap()];
        arguments.extend(["--vkey", &self.key]);
        arguments.extend(options.split_whitespace());
        run(self.registry.folder(), &arguments.into_iter().map(Into::into).collect::<Vec<_>>())
    }

    fn has(&self, path: &str) -> bool {
        self.folder().join("api/v1").join(path).exists()
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&fs::read(self.folder().join("api/v1").join(path)).unwrap()).unwrap()
    }
}

#[test]
fn mirror_of_a_namespace_has_its_skills_and_proves_them() {
    let (registry, admin) = signing();
    let mirror = Mirror::of(&registry);
    mirror.generate("--namespace tools").ok();
    assert!(
        mirror.has("skills/tools/hello/versions/1.1.0/download.zip") && mirror.has("namespaces/tools.json")
    );
    assert!(!mirror.has("skills/games") && !mirror.has("namespaces/games.json"));
    assert!(!mirror.folder().join("games").exists());
    assert_eq!(mirror.json("skills.json")["total"], 1);
    assert_eq!(mirror.json("search.json")["total"], 1);
    assert_eq!(mirror.json("mirror/settings.json")["partial"]["namespaces"], json!(["tools"]));
    // Feed and log are whole.
    for same in ["mirror/changes/1.json", "log/checkpoint", "skills/tools/hello.json"] {
        let theirs = registry.tree_file(&format!("api/v1/{same}"));
        assert_eq!(fs::read(mirror.folder().join("api/v1").join(same)).unwrap(), theirs, "{same}");
    }
    let (project, address) = (Project::new(), folder_address(&mirror.folder()));
    project.run(&format!("trust add {address} --vkey {}", mirror.key)).ok();
    let output = project.run_with(&address, "install @tools/hello").ok();
    assert!(output.stdout.contains("as skills.example.org has signed it"), "{output:?}");
    project.refused(&address, "install @games/chess", "not_found");

    let refused = mirror.generate("--namespace tools --namespace nowhere");
    assert!(refused.code == 1 && refused.stderr.contains("has no namespace `nowhere`"), "{refused:?}");

    // What is new and selected follows; a later run selects otherwise.
    registry.versions("tools/hello", &["1.2.0"], &admin);
    registry.versions("games/chess", &["1.1.0"], &admin);
    mirror.generate("--namespace tools").ok();
    assert!(mirror.has("skills/tools/hello/versions/1.2.0.json") && !mirror.has("skills/games"));
    mirror.generate("--namespace games").ok();
    assert!(mirror.has("skills/games/chess/versions/1.1.0.json") && !mirror.has("skills/tools"));
    mirror.generate("").ok();
    tree::assert_equal(&tree::contents(&mirror.folder()), &registry.tree_bytes());
}

#[test]
fn denied_and_earlier_versions_are_left_out() {
    let (registry, _) = signing();
    let mirror = Mirror::of(&registry);
    let deny = registry.folder().join("deny.txt");
    fs::write(&deny, "# not for us\n@games/chess\n@tools/hello@1.1.0  # later\n").unwrap();
    mirror.generate("--deny deny.txt").ok();
    assert!(mirror.has("skills/tools/hello/versions/1.0.0.json") && !mirror.has("skills/games"));
    assert!(!mirror.has("skills/tools/hello/versions/1.1.0.json"));
    assert_eq!(mirror.json("skills/tools/hello/resolve.json")["version"], "1.0.0");
    assert_eq!(mirror.json("skills/tools/hello.json")["tags"], json!({}), "stable is an absent version");
    let listed = &mirror.json("mirror/settings.json")["partial"]["deny"];
    assert_eq!(*listed, json!(["@games/chess", "@tools/hello@1.1.0"]));
    fs::write(&deny, "@games/chess\nchess\n").unwrap();
    let refused = mirror.generate("--deny deny.txt");
    assert!(
        refused.code == 1 && refused.stderr.contains("deny.txt, line 2: `chess` is not a name"),
        "{refused:?}"
    );
    let refused = mirror.generate("--deny nowhere.txt");
    assert!(refused.stderr.contains("nowhere.txt"), "{refused:?}");

    let rows = registry.tree_json("api/v1/mirror/changes/1.json");
    let first = rows["changes"].as_array().unwrap().iter().find(|row| row["slug"] == "hello").unwrap();
    mirror.generate(&format!("--since {}", first["revision"])).ok();
    assert!(!mirror.has("skills/tools/hello/versions/1.0.0.json"));
    assert!(mirror.has("skills/tools/hello/versions/1.1.0.json") && mirror.has("skills/games/chess.json"));
    // Nothing is a year old.
    mirror.generate("--min-age 365d").ok();
    assert_eq!(mirror.json("skills.json")["total"], 0);
    assert_eq!(mirror.json("mirror/settings.json")["partial"]["minAge"], 365 * 86_400);
}

#[test]
fn mirror_of_a_partial_mirror_is_partial_in_the_same_way() {
    let (registry, _) = signing();
    let mirror = Mirror::of(&registry);
    mirror.generate("--namespace tools").ok();
    let second = registry.folder().join("second");
    let follow = |options: &[&str]| {
        let folder = mirror.folder();
        let mut arguments =
            vec!["generate", "--feed", folder.to_str().unwrap(), "--out", second.to_str().unwrap()];
        arguments.extend(options);
        run(registry.folder(), &arguments.into_iter().map(Into::into).collect::<Vec<_>>())
    };
    follow(&["--vkey", &mirror.key]).ok();
    tree::assert_equal(&tree::contents(&second), &tree::contents(&mirror.folder()));
    let refused = follow(&["--namespace", "games"]);
    assert!(refused.code == 1 && refused.stderr.contains("is that of a partial mirror"), "{refused:?}");
    mirror.generate("--min-age 1d").ok();
    let refused = follow(&[]);
    assert!(refused.code == 1 && refused.stderr.contains("waits with new versions"), "{refused:?}");
}

#[test]
fn snapshot_of_a_namespace_is_that_of_a_partial_mirror() {
    let (registry, admin) = signing();
    let mirror = Mirror::of(&registry);
    mirror.generate("--namespace tools").ok();
    let create = |options: &str| {
        let given = format!("snapshot create --out {options}");
        registry.command(given.split(' ').collect::<Vec<_>>())
    };
    create("tools.tar.zst --namespace tools").ok();
    create("games.tar.zst --namespace games").ok();
    create("all.tar.zst").ok();
    let command =
        |arguments: &[&str]| run(registry.folder(), &arguments.iter().map(Into::into).collect::<Vec<_>>());
    let output = command(&["snapshot", "verify", "tools.tar.zst", "--vkey", &mirror.key]).ok();
    assert!(output.stdout.contains("a trusted key has signed its history"), "{output:?}");
    command(&["snapshot", "apply", "tools.tar.zst", "--to", "applied", "--vkey", &mirror.key]).ok();
    let applied = tree::contents(&registry.folder().join("applied"));
    tree::assert_equal(&applied, &tree::contents(&mirror.folder()));

    // A delta continues a mirror of the same selection.
    registry.versions("tools/hello", &["1.2.0"], &admin);
    let delta = |old: &str, options: &str| {
        create(format!("new.tar.zst {options}").trim()).ok();
        registry.command(["snapshot", "delta", old, "new.tar.zst", "--out", "other.tar.zst"]).ok();
    };
    for (old, options) in [("games.tar.zst", "--namespace games"), ("all.tar.zst", "")] {
        delta(old, options);
        let refused = command(&["snapshot", "apply", "other.tar.zst", "--to", "applied"]);
        assert!(refused.code == 1 && refused.stderr.contains("other namespaces or versions"), "{refused:?}");
    }
    delta("tools.tar.zst", "--namespace tools");
    command(&["snapshot", "apply", "other.tar.zst", "--to", "applied"]).ok();
    mirror.generate("--namespace tools").ok();
    let applied = tree::contents(&registry.folder().join("applied"));
    tree::assert_equal(&applied, &tree::contents(&mirror.folder()));

    mirror.generate("--min-age 1d").ok();
    let refused = create("x.tar.zst --tree mirror");
    assert!(refused.code == 1 && refused.stderr.contains("waits with new versions"), "{refused:?}");
}
