//! Our own client, git, agents and mirrors at a private namespace.

use std::path::Path;

use serde_json::json;

use super::{
    MARKER, NOTHING, add_member, inside, marked, new_key, publish, registry_of_ann, skill, with_token,
};
use crate::harness::{Git, Home, Registry, User, tree};

fn name() -> String {
    format!("{MARKER}/{MARKER}-skill")
}

fn address(registry: &Registry, namespace: &str) -> String {
    format!("{}/-/{namespace}", registry.base())
}

/// A registry with a version in its private namespace, and the member `eve`.
fn published() -> (Registry, User) {
    let (registry, ann) = registry_of_ann();
    publish(&registry, &ann, &format!("{MARKER}-skill"), "1.0.0").expect(201);
    let eve = registry.user("eve");
    add_member(&registry, &ann, "eve");
    (registry, eve)
}

#[track_caller]
fn search_and_install(home: &Home, address: &str) {
    let found = home.run(&["search", MARKER, "--registry", address]).ok();
    assert!(found.stdout.contains(&name()), "{found:?}");
    home.run(&["install", &name(), "--registry", address, "--dir", "here"]).ok();
    assert!(home.folder().join(format!("here/{MARKER}-skill/SKILL.md")).is_file());
}

#[test]
fn member_publishes_searches_and_installs() {
    let (registry, eve) = published();
    let home = Home::new();
    let place = address(&registry, MARKER);
    home.login(&place, &eve);
    search_and_install(&home, &place);
    let folder = home.folder().join("second");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(
        folder.join("SKILL.md"),
        format!("---\nname: second\ndescription: {MARKER}\n---\n\nDo.\n"),
    )
    .unwrap();
    let said = home.run(&["publish", "second", "--namespace", MARKER, "--version", "1.0.0"]).ok().stdout;
    assert!(said.contains(&place), "{said}");
    marked(&registry, &eve).get(&format!("/api/v1/skills/{MARKER}/second")).expect(200);
    registry.get(&format!("/api/v1/skills/{MARKER}/second")).expect(404);
    home.run(&["star", &name()]).ok();
    let program = Home::new().with("SKILLMIRROR_READ_TOKEN", &new_key(&registry, MARKER));
    search_and_install(&program, &place);
}

#[test]
fn stranger_gets_the_same_messages_as_at_nothing() {
    let (registry, _eve) = published();
    let stranger = registry.user("stranger");
    let said = |namespace: &str, is_logged_in: bool| {
        let (home, place) = (Home::new(), address(&registry, namespace));
        if is_logged_in {
            home.run_with_input(&["login", "--token-stdin", "--registry", &place], &stranger.token);
        }
        let skill = name();
        let commands = [&["search", MARKER][..], &["install", &skill, "--dir", "here"], &["info", &skill]];
        let outputs = commands.map(|command| {
            let output = home.run(&[command, &["--registry", &place]].concat());
            assert_ne!(output.code, 0, "{output:?}");
            output.printed().replace(&place, "PLACE")
        });
        outputs.join("\n")
    };
    for is_logged_in in [false, true] {
        assert_eq!(said(MARKER, is_logged_in), said(NOTHING, is_logged_in));
    }
}

#[test]
fn git_and_agents_read_with_a_key_of_the_namespace() {
    let (registry, eve) = published();
    let key = new_key(&registry, MARKER);
    for credential in [&key, &eve.token] {
        let git = Git::new();
        let base = address(&registry, MARKER).replace("http://", &format!("http://x:{credential}@"));
        git.clone(&format!("{base}/{}.git", name()), "clone", &[]);
        assert!(git.files("clone").contains_key("SKILL.md"));
        let search = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "search_skills", "arguments": {"query": MARKER}},
        });
        let agent = inside(&registry, MARKER).with("accept", "application/json, text/event-stream");
        agent.post_json("/mcp", &search).expect(401);
        let found = with_token(&agent, credential).post_json("/mcp", &search).expect(200);
        assert!(found.text().contains(&name()), "{found}");
    }
}

#[test]
fn mirror_of_a_private_namespace_follows_with_a_key_and_is_closed() {
    let (registry, eve) = published();
    let key = new_key(&registry, MARKER);
    let feed = address(&registry, MARKER);
    let watch = ["watch", "--once", "--feed", &feed, "--public", "mirror"];
    let nobody = Home::new();
    assert_ne!(nobody.run(&watch).code, 0);
    let home = Home::new().with("SKILLMIRROR_READ_TOKEN", &key);
    home.run(&watch).ok();
    publish(&registry, &eve, &format!("{MARKER}-skill"), "1.1.0").expect(201);
    home.run(&watch).ok();
    let mirror = home.folder().join("mirror");
    let original = registry.folder().join("public.private").join(MARKER);
    let same = |path: &str| assert_eq!(read(&mirror, path), read(&original, path), "{path}");
    same("api/v1/skills.json");
    same(&format!("api/v1/skills/{MARKER}/{MARKER}-skill.json"));
    assert!(read(&mirror, ".well-known/registry.json").contains("\"reads\":\"token\""));
    let (made, there) = (tree::files(&mirror), tree::files(&original));
    assert_eq!(made.len(), there.len());
    home.run(&["snapshot", "create", "--public", "mirror", "--out", "mirror.tar.zst"]).ok();
    let arguments = ["snapshot", "serve", "mirror.tar.zst", "--listen", "127.0.0.1:0"];
    let file = home.folder().join("mirror.tar.zst");
    std::fs::copy(file, registry.folder().join("mirror.tar.zst")).unwrap();
    let served = registry.start_other(&arguments);
    served.client().get(&skill()).problem(401, "unauthenticated");
}

fn read(folder: &Path, path: &str) -> String {
    std::fs::read_to_string(folder.join(path)).unwrap()
}
