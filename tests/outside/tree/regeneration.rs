//! The tree equals the server's responses and a full regeneration.

use serde_json::json;

use crate::harness::{Registry, Skill, eventually, tree};

/// A registry in which everything has happened that changes the tree.
fn lived_in() -> Registry {
    // The downloads of a test must not change the tree while it compares.
    let registry = Registry::with_config("[mirror]\ncounter_interval = 3600\n");
    let (admin, ann) = (registry.admin(), registry.user("ann"));
    registry.team("tools", &ann);
    registry.publish(Skill::named("hello")).version("1.0.0").tags("stable").by(&admin).expect(201);
    let second = Skill::named("hello").text("Louder.\n").executable("run.sh", "#!/bin/sh\n");
    registry.publish(second).version("1.1.0-rc.1").tags("stable,next").by(&admin).expect(201);
    registry.publish(Skill::named("hello").file("data/ä.txt", "ä")).to("tools").by(&ann).expect(201);
    registry.publish(Skill::named("unseen-skill")).by(&ann).expect(201);
    registry
        .as_user(&ann)
        .put_json("/api/v1/namespaces/tools", &json!({"description": "Sharp."}))
        .expect(200);
    registry.team("attic", &ann);
    registry.publish(Skill::named("old")).to("attic").by(&ann).expect(201);
    registry.as_user(&ann).put_json("/api/v1/namespaces/attic", &json!({"status": "archived"})).expect(200);
    for number in 0..22 {
        registry.publish(Skill::named(&format!("many-{number}"))).to("tools").by(&ann).expect(201);
    }
    registry
}

/// Whether a file is fetched under its own name only.
fn is_served_as_it_is(path: &str) -> bool {
    let folders = [
        ".well-known/",
        "api/v1/log/",
        "api/v1/mirror/",
        "api/v1/search/_index/",
        "assets/",
        "advisories/osv/",
    ];
    folders.iter().any(|folder| path.starts_with(folder))
        || ["api/v1/openapi.json", "404.html", "llms.txt", "robots.txt"].contains(&path)
        || [".xml", ".atom", ".md", "skills/index.json", ".claude-plugin/marketplace.json"]
            .iter()
            .any(|end| path.ends_with(end))
}

#[test]
fn server_answers_with_the_bytes_of_the_tree() {
    let registry = lived_in();
    let anyone = registry.anonymous();
    for (path, bytes) in registry.tree_bytes() {
        if let Some(plain) = path.strip_suffix(".gz") {
            // A compressed form has no address.
            anyone.get(&format!("/{path}")).expect(404);
            let coded = anyone.with("accept-encoding", "gzip").get(&format!("/{plain}")).expect(200);
            assert_eq!(coded.require_header("content-encoding"), "gzip", "{path}");
            assert!(coded.body == bytes, "{path} differs");
            continue;
        }
        let suffixed = anyone.get(&format!("/{path}")).expect(200);
        assert!(suffixed.body == bytes, "{path}, as it is, differs");
        if is_served_as_it_is(&path) {
            continue;
        }
        let (plain, _) =
            path.strip_suffix("index.html").map_or_else(|| path.rsplit_once('.').unwrap(), |p| (p, ""));
        let response = anyone.get(&format!("/{plain}")).expect(200);
        assert!(response.body == bytes, "{path}, without its suffix, differs");
        assert_eq!(response.header("content-type"), suffixed.header("content-type"), "{path}");
        assert_eq!(response.header("etag"), suffixed.header("etag"), "{path}");
    }
}

#[test]
fn queries_are_files() {
    let registry = lived_in();
    for (request, file) in [
        ("/api/v1/skills/global/hello/resolve", "api/v1/skills/global/hello/resolve.json"),
        ("/api/v1/skills/global/hello/resolve?tag=next", "api/v1/skills/global/hello/resolve/next.json"),
        ("/api/v1/resolve?slug=hello", "api/v1/resolve/hello.json"),
        ("/api/v1/resolve?slug=tools--hello", "api/v1/resolve/tools--hello.json"),
        ("/api/v1/skills", "api/v1/skills.json"),
        ("/api/v1/skills?page=2", "api/v1/skills/_list/_all/updated-2.json"),
        ("/api/v1/skills?namespace=tools", "api/v1/skills/_list/tools/updated-1.json"),
        ("/api/v1/search", "api/v1/search.json"),
        ("/api/v1/search?q=+&page=1", "api/v1/search.json"),
        ("/api/v1/namespaces", "api/v1/namespaces.json"),
        ("/api/v1/namespaces?page=1", "api/v1/namespaces/_list/1.json"),
    ] {
        let response = registry.get(request).expect(200);
        assert!(response.body == registry.tree_file(file), "{request} is not {file}");
    }
}

#[test]
fn incremental_tree_equals_generated_tree() {
    let mut registry = lived_in();
    let out = registry.folder().join("again");
    let generate = |registry: &Registry| {
        if out.exists() {
            std::fs::remove_dir_all(&out).unwrap();
        }
        registry.command(["generate".as_ref(), "--out".as_ref(), out.as_os_str()]).ok();
        tree::contents(&out)
    };
    let running = generate(&registry);
    tree::assert_equal(&registry.tree_bytes(), &running);
    registry.stop();
    let stopped = generate(&registry);
    tree::assert_equal(&registry.tree_bytes(), &stopped);
    registry.command(["generate"]).ok();
    tree::assert_equal(&registry.tree_bytes(), &stopped);
}

#[test]
fn lost_tree_is_generated_at_the_start() {
    let mut registry = lived_in();
    registry.stop();
    let before = registry.tree_bytes();
    std::fs::remove_dir_all(registry.public()).unwrap();
    let verified = registry.command(["verify"]);
    assert!(
        verified.code == 1 && verified.printed().contains("api/v1/skills/global/hello.json"),
        "{verified:?}"
    );
    let state = registry.folder().join("public.state");
    assert!(state.exists(), "cursor and lock lie beside the tree");
    std::fs::remove_dir_all(&state).unwrap();
    registry.restart();
    tree::assert_equal(&registry.tree_bytes(), &before);
}

#[test]
fn verify_of_a_whole_tree_finds_nothing() {
    let mut registry = lived_in();
    registry.command(["verify"]).ok();
    registry.stop();
    registry.command(["verify"]).ok();
}

#[test]
fn verify_names_damaged_added_and_missing_files() {
    let mut registry = lived_in();
    registry.stop();
    let file = |path: &str| registry.public().join(path);
    let (document, package) = ("api/v1/skills/global/hello.json", "api/v1/download/hello/1.0.0.zip");
    let gone = "api/v1/skills/tools/many-7/versions.json";
    let added = "api/v1/skills/tools/stranger.json";
    let mut bytes = std::fs::read(file(document)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::remove_file(file(document)).unwrap();
    std::fs::write(file(document), bytes).unwrap();
    std::fs::remove_file(file(package)).unwrap();
    std::fs::write(file(package), b"PK").unwrap();
    std::fs::remove_file(file(gone)).unwrap();
    std::fs::write(file(added), b"{}").unwrap();

    let output = registry.command(["verify"]);
    assert_eq!(output.code, 1, "{output:?}");
    for path in [document, package, gone, added] {
        assert!(output.printed().contains(path), "{path} is not named: {output:?}");
    }
    assert!(!output.printed().contains("api/v1/namespaces.json"), "what is whole is not named: {output:?}");

    registry.command(["generate"]).ok();
    registry.command(["verify"]).ok();
}

#[test]
fn secrets_are_not_in_the_tree() {
    let registry = lived_in();
    let admin = registry.admin();
    for (path, bytes) in registry.tree_bytes() {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(&admin.token), "{path} holds the admin's token");
        assert!(!text.contains("unseen-skill"), "{path} knows of the pending skill");
    }
}

#[test]
fn tree_deleted_while_serving_comes_back() {
    let mut registry = Registry::start();
    registry.publish(Skill::named("kept")).by(&registry.admin()).expect(201);
    // In one step: the server may be writing.
    std::fs::rename(registry.public(), registry.folder().join("deleted")).unwrap();
    let head = registry.public().join("api/v1/mirror/head.json");
    eventually("the head is there again", || head.exists().then_some(()));
    registry.publish(Skill::named("more")).by(&registry.admin()).expect(201);
    registry.stop();
    registry.command(["verify"]).ok();
}
