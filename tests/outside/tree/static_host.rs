//! The tree behind a plain file server.

use std::process::Command;

use crate::harness::{Registry, Skill, StaticHost, sha256, tree};

#[test]
fn resolve_download_and_unzip_work_without_the_server() {
    let mut registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    let skill =
        Skill::named("hello").executable("scripts/run.sh", "#!/bin/sh\necho hello\n").file("ä.txt", "ä");
    registry.publish(skill.clone()).to("tools").by(&ann).expect(201);
    registry.stop();

    let host = StaticHost::over(&registry.public());
    let resolved = host.client().get("/api/v1/skills/tools/hello/resolve.json").expect(200);
    assert_eq!(resolved.require_header("content-type"), "application/json");
    let resolved = resolved.json();
    let url = format!("{}.zip", resolved["downloadUrl"].as_str().unwrap());
    let zip = host.client().get(&url).expect(200);
    assert_eq!(zip.require_header("content-type"), "application/zip");
    assert_eq!(resolved["sha256"], sha256(&zip.body));

    let archive = registry.write("got.zip", &zip.body);
    let into = registry.folder().join("got");
    let unzip =
        Command::new("unzip").arg("-q").arg(&archive).arg("-d").arg(&into).status().expect("unzip runs");
    assert!(unzip.success(), "{unzip}");
    tree::assert_equal(&tree::contents(&into), &skill.contents());
    let run = Command::new(into.join("scripts/run.sh")).output().expect("the script can be run");
    assert_eq!(run.stdout, b"hello\n");
}

#[test]
fn every_file_is_served_under_its_own_name() {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).tags("stable").by(&registry.admin()).expect(201);
    registry.stop();
    let host = StaticHost::over(&registry.public());
    let client = host.client();
    for (path, bytes) in registry.tree_bytes() {
        let response = client.get(&format!("/{path}")).expect(200);
        assert!(response.body == bytes, "{path} differs");
        if path.ends_with(".bin") {
            assert_eq!(response.require_header("content-type"), "application/octet-stream", "{path}");
        }
    }
    client.get("/api/v1/skills/global/nothing.json").expect(404);
}

#[test]
fn compatibility_routes_work_without_the_server() {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).tags("stable").by(&registry.admin()).expect(201);
    registry.stop();
    let host = StaticHost::over(&registry.public());
    let client = host.client();
    assert_eq!(client.get("/.well-known/registry.json").expect(200).json()["apiBase"], "/api/v1");
    let resolved = client.get("/api/v1/resolve/hello.json").expect(200).json();
    assert_eq!(resolved["version"], "1.0.0");
    client.get(&format!("{}.zip", resolved["downloadUrl"].as_str().unwrap())).expect(200);
    for version in ["latest", "stable"] {
        client.get(&format!("/api/v1/download/hello/{version}.zip")).expect(200);
    }
}
