//! The main registry has no trace of a private namespace.

use serde_json::json;

use super::addresses::{call, is_of_accounts, path_of};
use super::world::{World, said, world};
use super::{MARKER, NOTHING, add_member, create, inside, marked, new_key, publish, registry_of_ann, skill};
use crate::harness::{Client, Skill, routes};
use crate::outside::closed::addresses;

/// Words that only the private namespace has: its name, and a member who has done nothing elsewhere.
const WORDS: [&str; 2] = [MARKER, "insider"];

/// Those who may ask the main registry without learning anything.
fn askers(world: &World) -> [(&'static str, Client); 5] {
    let registry = &world.registry;
    [
        ("nobody", registry.anonymous()),
        ("a browser", registry.anonymous().with("accept", "text/html")),
        ("a stranger", registry.as_user(&world.stranger)),
        ("a removed member", registry.as_user(&world.removed)),
        ("a platform admin", registry.as_user(&registry.admin())),
    ]
}

#[track_caller]
fn assert_no_trace(text: &str, what: &str) {
    for word in WORDS {
        assert!(!text.contains(word), "{word} is in {what}: {text}");
    }
}

#[test]
fn public_files_have_no_trace_of_a_private_namespace() {
    let world = world();
    let registry = &world.registry;
    for (path, bytes) in registry.tree_bytes() {
        assert_no_trace(&path, "the tree");
        let text = if path.ends_with(".gz") { crate::harness::gunzip(&bytes) } else { bytes };
        assert_no_trace(&String::from_utf8_lossy(&text), &path);
    }
    let metrics = registry.printed();
    let address = metrics.lines().find_map(|line| line.strip_prefix("metrics are at ")).unwrap();
    let metrics = Client::of(address.trim_end_matches("/metrics")).get("/metrics").expect(200).text();
    assert!(metrics.contains("skillmirror_skills 1"), "{metrics}");
    assert_no_trace(&metrics, "the metrics");
    assert_no_trace(&registry.printed(), "standard output");
    assert_no_trace(&std::fs::read_to_string(registry.folder().join("serve.log")).unwrap(), "the log");
    let snapshot = registry.folder().join("public.tar.zst");
    registry.command(["snapshot", "create", "--out", snapshot.to_str().unwrap()]).ok();
    let packed = zstd::decode_all(&*std::fs::read(&snapshot).unwrap()).unwrap();
    assert_no_trace(&String::from_utf8_lossy(&packed), "the snapshot");
}

#[test]
fn requests_to_the_main_registry_find_no_trace_of_a_private_namespace() {
    let world = world();
    let files = addresses(&world.registry.public());
    for (who, client) in askers(&world) {
        for path in files.iter().filter(|path| !path.contains("/counters/")) {
            assert_no_trace(&client.get(path).text(), &format!("{path} for {who}"));
        }
        for word in WORDS {
            for path in ["/api/v1/search?q=", "/api/search?q=", "/clawhub/api/v1/search?q=", "/?q="] {
                let [found, nothing] = [word, NOTHING].map(|word| client.get(&format!("{path}{word}")));
                assert_eq!(said(&found).2.replace("insider", "NAME"), said(&nothing).2, "{path} for {who}");
            }
        }
    }
}

#[test]
fn routes_of_the_main_registry_answer_as_if_there_were_no_private_namespace() {
    let world = world();
    for (who, client) in askers(&world) {
        for route in routes().iter().filter(|route| !is_of_accounts(&route.path)) {
            // Admins see in the audit log that it was created.
            if route.path == "/api/v1/audit" && who == "a platform admin" {
                continue;
            }
            let ask = |name: &str| call(&client, route, &path_of(route, name));
            let (there, nowhere) = (ask(MARKER), ask(NOTHING));
            assert_eq!(said(&there), said(&nowhere), "{who}: {} {}", route.method, route.path);
            if !route.path.contains('{') {
                assert_no_trace(&there.text(), &format!("{} for {who}", route.path));
            }
        }
    }
}

#[test]
fn creating_a_public_namespace_does_not_tell_of_a_private_one() {
    let (registry, ann) = registry_of_ann();
    let stranger = registry.user("stranger");
    for name in [MARKER, NOTHING] {
        let body = json!({"slug": name, "private": true});
        registry.as_user(&stranger).post_json("/api/v1/namespaces", &body).problem(403, "forbidden");
        registry.as_user(&ann).post_json("/api/v1/namespaces", &body).problem(403, "forbidden");
        registry.team(name, &stranger);
    }
    let admin = registry.as_user(&registry.admin());
    let audit = admin.get("/api/v1/audit").expect_json(200).to_string();
    assert!(audit.contains("private_namespace_created"), "{audit}");
}

#[test]
fn private_changes_change_nothing_in_public() {
    let (registry, ann) = registry_of_ann();
    let [eve, bob] = ["eve", "bob"].map(|name| registry.user(name));
    registry.team("tools", &bob);
    let publish_hello = |version: &str| {
        let form = registry.publish(Skill::named("hello").text(version)).to("tools").version(version);
        form.by(&bob).expect(201).revision()
    };
    let revision = publish_hello("1.0.0");
    let before = registry.tree_bytes();
    let answers = |paths: &[&str]| -> Vec<_> { paths.iter().map(|path| said(&registry.get(path))).collect() };
    let read = ["/", "/api/v1/skills", "/api/v1/namespaces", "/api/v1/mirror/head.json", "/readyz"];
    let answered = answers(&read);

    add_member(&registry, &ann, "eve");
    publish(&registry, &ann, &format!("{MARKER}-skill"), "1.0.0").expect(201);
    let inside_it = marked(&registry, &eve);
    inside_it.request("POST", &format!("{}/star", skill()), None).expect(200);
    inside_it.get(&format!("{}/versions/1.0.0/download", skill())).expect(200);
    inside_it.get("/api/v1/auth/me").expect(200);
    let key = new_key(&registry, MARKER);
    super::with_token(&inside(&registry, MARKER), &key).get("/api/v1/skills").expect(200);
    marked(&registry, &ann).delete(&skill()).expect(204);

    assert_eq!(answers(&read), answered);
    crate::harness::tree::assert_equal(&before, &registry.tree_bytes());
    assert_eq!(publish_hello("1.1.0"), revision + 1);
    create(&registry, "quartz", &ann).expect(201);
    assert!(!registry.folder().join("public/quartz").exists());
}
