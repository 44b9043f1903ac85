//! The registry protocol of `apm`. tests/clients/apm has the client itself.

use serde_json::{Value, json};

use crate::harness::{Registry, Skill, User, sha256};

/// Sends a skill as `apm publish` does.
fn put(registry: &Registry, user: &User, path: &str, zip: Vec<u8>) -> crate::harness::Response {
    let client = registry.as_user(user).with("content-type", "application/zip");
    client.request("PUT", &format!("/api/apm/v1/packages/{path}"), Some(zip))
}

#[test]
fn apm_gets_offered_versions_and_the_packages_of_all() {
    let registry = Registry::start();
    let admin = registry.admin();
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(Skill::named("hello").text(version)).version(version).by(&admin).expect(201);
    }
    registry.yank("global/hello", "1.0.0", &admin).expect(200);
    let path = "/api/apm/v1/packages/global/hello/versions";
    let list = registry.get(path).expect(200).json();
    let zip = registry.get(&format!("{path}/1.1.0/download")).expect(200);
    assert_eq!(zip.require_header("content-type"), "application/zip");
    assert_eq!(list["package"], "global/hello");
    let versions = list["versions"].as_array().unwrap();
    assert_eq!((versions.len(), &versions[0]["version"]), (1, &json!("1.1.0")));
    assert_eq!(versions[0]["digest"], format!("sha256:{}", sha256(&zip.body)));
    assert_eq!(versions[0]["size_bytes"], zip.body.len());
    // What a lock file names stays.
    registry.get(&format!("{path}/1.0.0/download")).expect(200);
    registry.get(&format!("{path}/1.2.0/download")).expect(404);
    registry.get("/api/apm/v1/packages/global/nothing/versions").expect(404);
    registry.remove("global/hello", &admin).expect(204);
    registry.get(path).expect(410);
}

#[test]
fn zip_that_apm_sends_is_published_once() {
    let registry = Registry::start();
    let admin = registry.admin();
    let skill = Skill::named("hello").file("apm.yml", "name: hello\nversion: 2.0.0\n");
    let done = put(&registry, &admin, "global/hello/versions/2.0.0", skill.zip()).expect(201).json();
    assert_eq!((&done["package"], &done["version"]), (&json!("global/hello"), &json!("2.0.0")));
    let list = registry.get("/api/apm/v1/packages/global/hello/versions").expect(200).json();
    assert_eq!(list["versions"][0]["digest"], done["digest"]);
    assert_eq!(list["versions"][0]["published_at"], done["published_at"]);
    let again = put(&registry, &admin, "global/hello/versions/2.0.0", skill.zip()).expect(409).json();
    assert!(again["detail"].as_str().unwrap().contains("never changes"), "{again}");
    let without = Skill::without_entry().file("apm.yml", "name: hello\n").zip();
    let refused = put(&registry, &admin, "global/hello/versions/3.0.0", without).expect(422).json();
    assert_eq!(refused["errors"][0]["code"], "skill_md_missing");
    for (path, status) in [
        ("global/hello/versions/x", 404),
        ("Global/hello/versions/3.0.0", 404),
        ("none/hello/versions/3.0.0", 404),
    ] {
        put(&registry, &admin, path, skill.zip()).expect(status);
    }
    registry.anonymous().request("PUT", "/api/apm/v1/packages/global/hello/versions/4.0.0", None).expect(401);
    // In `global`, a reviewer approves what others publish.
    let ann = registry.user("ann");
    let waits =
        put(&registry, &ann, "global/other/versions/1.0.0", Skill::named("other").zip()).expect(202).json();
    assert_eq!(waits["published_at"], Value::Null);
}
