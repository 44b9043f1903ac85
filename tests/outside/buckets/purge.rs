//! A command tells a CDN what has changed.

use std::path::Path;

use crate::harness::{CREDENTIALS, ObjectStore, Registry, Reply, Skill, eventually};

/// The settings of a registry with a script that gets the addresses.
fn settings(script: &Path) -> String {
    format!(
        "public_url = \"https://skills.example.org\"\n[purge]\ninterval = 0\ncommand = [\"sh\", \"{}\"]\n",
        script.display()
    )
}

/// What the script of a registry has noted, line by line.
fn purged(registry: &Registry) -> Vec<String> {
    let text = std::fs::read_to_string(registry.folder().join("purged.txt")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Waits until the script has got a URL.
#[track_caller]
fn has_purged(registry: &Registry, path: &str) {
    let url = format!("https://skills.example.org{path}");
    eventually("it is purged", || purged(registry).contains(&url).then_some(()));
}

/// The first tree is new as a whole, which the script gets first.
#[track_caller]
fn has_purged_everything(registry: &Registry) {
    eventually("everything is purged", || (purged(registry).first()? == "all").then_some(()));
}

#[test]
fn command_reads_the_urls_of_changed_documents() {
    let mut registry = Registry::configured("");
    let script = registry.write("purge.sh", b"cat >> purged.txt\n");
    registry.write("config.toml", format!("listen = 0\n{}", settings(&script)).as_bytes());
    registry.restart();
    has_purged_everything(&registry);
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    for path in ["/global/hello/", "/api/v1/skills/global/hello", "/api/v1/skills/global/hello.json"] {
        has_purged(&registry, path);
    }
    has_purged(&registry, "/api/v1/skills");
    // A package never changes at its address.
    let package = "/api/v1/skills/global/hello/versions/1.0.0/download";
    assert!(!purged(&registry).iter().any(|url| url.ends_with(package)), "{:?}", purged(&registry));
    registry.remove("global/hello", &registry.admin()).expect(204);
    has_purged(&registry, package);
}

#[test]
fn command_that_fails_delays_no_write_is_named_and_gets_the_urls_again() {
    let mut registry = Registry::configured("");
    let script = registry.write("purge.sh", b"cat >> purged.txt; cat status; exit $(cat status)\n");
    registry.write("status", b"3");
    registry.write("config.toml", format!("listen = 0\n{}", settings(&script)).as_bytes());
    registry.restart();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let log = || std::fs::read_to_string(registry.folder().join("serve.log")).unwrap();
    let says = "purge.command (`sh`) has failed (exit status: 3)";
    eventually("the failure is logged", || log().contains(says).then_some(()));
    let tries = purged(&registry).iter().filter(|line| *line == "all").count();
    registry.write("status", b"0");
    eventually("it is tried again", || {
        (purged(&registry).iter().filter(|line| *line == "all").count() > tries).then_some(())
    });
}

#[test]
fn objects_are_purged_after_they_are_put() {
    let store = ObjectStore::start();
    let mut registry = Registry::configured("");
    let script = registry.write("purge.sh", b"cat >> purged.txt\n");
    let settings = store.settings().replace("listen = 0\n", &settings(&script));
    registry.write("config.toml", format!("listen = 0\n{settings}").as_bytes());
    registry.start_with_variables(&CREDENTIALS);
    store.settled(&registry);
    has_purged(&registry, "/api/v1/skills");
    // Nothing is put, so nothing is purged.
    store.fail(|asked| (asked.method == "PUT").then(|| Reply::status(503).header("Retry-After", "0")));
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    assert!(!purged(&registry).iter().any(|url| url.contains("hello")), "{:?}", purged(&registry));
    store.mend();
    has_purged(&registry, "/api/v1/skills/global/hello");
}

#[test]
fn command_without_a_public_url_is_refused() {
    let registry = Registry::configured("listen = 0\n[purge]\ncommand = [\"true\"]\n");
    let said = registry.command(["serve"]);
    assert!(said.code == 1 && said.stderr.contains("purge.command: set public_url"), "{said:?}");
}
