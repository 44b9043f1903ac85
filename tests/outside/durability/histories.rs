//! After every kind of write, the server, its tree, a new tree and a mirror agree.

use serde_json::json;

use crate::harness::{Registry, Skill, User, eventually, run, sha256, skill_path, tree};

/// Skills that are starred once, and how many have rated them.
const OPINIONS: &[(&str, u64)] =
    &[("team/tool", 1), ("attic/old", 1), ("global/many-3", 0), ("global/back", 0)];

/// Clients with unknown addresses: their downloads are not counted, so that reading everything
/// changes nothing.
const NOT_COUNTED: &str = "[limits]\ntrusted_proxies = [\"127.0.0.1\"]\n";

/// A registry in which everything public has happened at least once.
fn lived_in() -> Registry {
    // So that a new tree does not say otherwise where it is served.
    let listen = "listen = \"127.0.0.1:0\"\n";
    let toml = format!("{listen}[mirror]\ncounter_interval = 0\nlist_depth = 1\n{NOT_COUNTED}");
    let registry = Registry::with_config(&toml);
    let admin = registry.admin();
    let [ann, bob] = ["ann", "bob"].map(|handle| registry.user(handle));
    registry.reviewing_team("team", &ann);
    registry.join("team", &ann, &bob, "member");
    registry.team("attic", &ann);
    registry.versions("attic/old", &["1.0.0"], &ann);
    registry.versions("team/tool", &["1.0.0", "1.1.0", "2.0.0-rc.1"], &ann);
    reviews(&registry, (&admin, &ann, &bob));
    registry.tag("team/tool", "stable", "1.0.0", &ann).expect(201);
    registry.tag("team/tool", "stable", "1.1.0", &ann).expect(200);
    registry.tag("team/tool", "short-lived", "1.1.0", &ann).expect(201);
    registry.as_user(&ann).delete(&format!("{}/tags/short-lived", skill_path("team/tool"))).expect(204);
    registry.yank("team/tool", "1.1.0", &ann).expect(200);
    registry.yank("team/tool", "1.0.0", &ann).expect(200);
    registry.as_user(&ann).delete(&format!("{}/versions/1.0.0/yank", skill_path("team/tool"))).expect(200);
    registry.versions("global/emptied", &["1.0.0"], &admin);
    registry.yank("global/emptied", "1.0.0", &admin).expect(200);
    for (skill, comes_back) in [("global/gone", false), ("global/back", true)] {
        registry.versions(skill, &["1.0.0", "1.1.0"], &admin);
        registry.tag(skill, "beta", "1.0.0", &admin).expect(201);
        registry.remove(skill, &admin).expect(204);
        if comes_back {
            registry.restore(skill, &admin).expect(200);
        }
    }
    let path = format!("{}/transfer", skill_path("team/tool"));
    registry.as_user(&ann).post_json(&path, &json!({"to": "bob"})).expect(201);
    registry.as_user(&bob).request("POST", &format!("{path}/accept"), None).expect(200);
    for number in 0..21 {
        registry.versions(&format!("global/many-{number}"), &["1.0.0"], &admin);
    }
    let archived = json!({"status": "archived"});
    registry.as_user(&ann).put_json("/api/v1/namespaces/attic", &archived).expect(200);
    for (skill, ratings) in OPINIONS {
        registry.star(skill, &ann).expect(200);
        if *ratings > 0 {
            registry.rate(skill, 4, &admin).expect(200);
        }
    }
    settled(&registry);
    registry
}

/// Something approved, something rejected, something waiting, a promotion.
fn reviews(registry: &Registry, (admin, ann, bob): (&User, &User, &User)) {
    let approved = registry.submit("team/reviewed", "1.0.0", bob);
    registry.decide(ann, "approve", ("team", &approved["reviewId"])).expect(200);
    let rejected = registry.submit("team/rejected", "1.0.0", bob);
    registry.decide(ann, "reject", ("team", &rejected["reviewId"])).expect(200);
    registry.submit("team/reviewed", "2.0.0", bob);
    let id = registry.read(&skill_path("team/tool"))["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/namespaces/team/skills/{id}/promote");
    let asked = registry.as_user(ann).post_json(&path, &json!({"version": "1.1.0"})).expect_json(201);
    registry.decide(admin, "approve", ("global", &asked["id"])).expect(200);
}

/// Waits until all numbers are published.
fn settled(registry: &Registry) {
    eventually("the counters are published", || {
        let shown = |(skill, ratings): &(&str, u64)| {
            let id = registry.read(&skill_path(skill))["id"].as_str().unwrap().to_owned();
            let path = format!("api/v1/mirror/counters/{}.json", &sha256(id.as_bytes())[..2]);
            let counters = &registry.tree_json(&path)["counters"][&id];
            counters["starCount"] == 1 && counters["ratingCount"] == *ratings
        };
        OPINIONS.iter().all(shown).then_some(())
    });
    // This waits for the tree, and with it for all earlier changes.
    registry.publish(Skill::named("the-last")).by(&registry.admin()).expect(201);
}

#[test]
fn server_tree_and_mirror_agree_after_every_kind_of_write() {
    let mut registry = lived_in();
    registry.command(["verify"]).ok();
    let there = registry.tree_bytes();
    let mirror = registry.folder().join("mirror");
    let arguments = ["generate", "--feed", "public", "--out", mirror.to_str().unwrap()];
    run(registry.folder(), &arguments.map(Into::into)).ok();
    tree::assert_equal(&tree::contents(&mirror), &there);

    registry.stop();
    registry.restart();
    tree::assert_equal(&registry.tree_bytes(), &there);
    registry.stop();
    std::fs::remove_dir_all(registry.public()).unwrap();
    registry.command(["generate"]).ok();
    tree::assert_equal(&registry.tree_bytes(), &there);

    // A server without a tree renders the same. HEAD of a package is not a download, which would
    // change the counts.
    registry.restart();
    let beside = registry.start_second(&["--no-mirror"]);
    for (path, bytes) in there.iter().filter(|(path, _)| !path.ends_with(".gz")) {
        for client in [registry.anonymous(), beside.client()] {
            let address = format!("/{path}");
            if path.ends_with(".zip") {
                let response = client.head(&address).expect(200);
                assert_eq!(response.require_header("etag"), format!("\"{}\"", sha256(bytes)), "{path}");
            } else {
                let response = client.get(&address).expect(200);
                assert!(response.body == *bytes, "{path}: {response}");
            }
        }
    }
    registry.command(["journal", "check"]).ok();
}
