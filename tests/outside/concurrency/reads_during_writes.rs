//! Reads during writes, over HTTP: readers see only consistent documents.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::harness::{Client, Registry, Skill};

/// A document, by a client that takes gzip or does not.
fn read(client: &Client, path: &str) -> Value {
    serde_json::from_slice(&client.get(path).expect(200).decompressed()).expect("JSON")
}

/// Follows all references in a list, and their references.
fn look(client: &Client, list: &str, last: &mut u64) {
    let revision = read(client, "/api/v1/mirror/head.json")["revision"].as_u64().unwrap();
    assert!(revision >= *last, "the head goes back from {last} to {revision}");
    *last = revision;
    for item in read(client, list)["items"].as_array().unwrap().iter().take(6) {
        let [namespace, slug, version] = ["namespace", "slug", "version"].map(|field| &item[field]);
        let skill = format!("/api/v1/skills/{}/{}", namespace.as_str().unwrap(), slug.as_str().unwrap());
        let newest = read(client, &skill)["latest"]["version"].as_str().unwrap().to_owned();
        for version in [version.as_str().unwrap(), &newest] {
            let record = read(client, &format!("{skill}/versions/{version}"));
            let zip = client.get(record["downloadUrl"].as_str().unwrap()).expect(200);
            assert_eq!(zip.require_header("etag"), format!("\"{}\"", record["sha256"].as_str().unwrap()));
            assert_eq!(crate::harness::sha256(&zip.body), record["sha256"].as_str().unwrap());
        }
        let resolved = read(client, &format!("{skill}/resolve"));
        client.head(resolved["downloadUrl"].as_str().unwrap()).expect(200);
    }
}

#[test]
fn acknowledged_write_is_seen_by_the_next_read() {
    let registry = Registry::start();
    let (admin, done) = (registry.admin(), AtomicBool::new(false));
    const WRITERS: [&str; 3] = ["one", "two", "three"];
    for team in WRITERS {
        registry.team(team, &admin);
    }
    let (plain, gzip) = (registry.anonymous(), registry.anonymous().with("accept-encoding", "gzip"));
    std::thread::scope(|scope| {
        for (client, list) in [(&plain, "/api/v1/skills"), (&gzip, "/api/v1/skills.json")] {
            let done = &done;
            scope.spawn(move || {
                let mut last = 0;
                while !done.load(Ordering::SeqCst) {
                    look(client, list, &mut last);
                }
            });
        }
        let writers = WRITERS.map(|team| {
            let (registry, admin, plain, gzip) = (&registry, &admin, &plain, &gzip);
            scope.spawn(move || {
                for number in 0..60 {
                    let (slug, version) = (format!("{team}-{}", number % 6), format!("1.{number}.0"));
                    let skill = Skill::named(&slug).text(&version);
                    registry.publish(skill).to(team).version(&version).by(admin).expect(201);
                    let client = if number % 2 == 0 { plain } else { gzip };
                    let own = format!("/api/v1/skills/{team}/{slug}");
                    assert_eq!(read(client, &own)["version"], *version);
                    assert_eq!(read(client, &format!("{own}/resolve"))["version"], *version);
                    let canonical = format!("/api/v1/resolve?slug={team}--{slug}");
                    assert_eq!(read(client, &canonical)["version"], *version);
                    let list = read(client, &format!("/api/v1/skills?namespace={team}"));
                    assert_eq!(
                        (&list["items"][0]["slug"], &list["items"][0]["version"]),
                        (&slug.into(), &version.into())
                    );
                }
            })
        });
        let ended = writers.map(|writer| writer.join().is_ok());
        // Readers end even if a writer has failed.
        done.store(true, Ordering::SeqCst);
        assert_eq!(ended, [true; 3], "a writer has failed");
    });
    registry.command(["verify"]).ok();
}
