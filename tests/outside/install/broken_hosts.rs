//! Broken hosts between a registry and an install.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::harness::{FakeHost, Project, ReceivedRequest, Registry, Reply, Shared, Skill, noise};

static REGISTRY: Shared<Registry> = Shared::new();

const PACKAGE: &str = "/versions/1.1.0/download.zip";

fn registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    for version in ["1.0.0", "1.1.0"] {
        let skill = Skill::named("hello").file("noise.bin", noise(20_000, 5));
        registry.publish(skill.text(version)).version(version).by(&admin).expect(201);
    }
    registry
}

/// The tree of the registry behind a host that asks `instead` first.
fn host(instead: impl Fn(&ReceivedRequest, Reply) -> Reply + Send + Sync + 'static) -> FakeHost {
    // Kept for as long as requests may come.
    let registry = REGISTRY.get(registry);
    FakeHost::answering(move |asked| {
        let found = std::fs::read(registry.public().join(asked.path.trim_start_matches('/')));
        let reply = found.map_or_else(|_| Reply::status(404), Reply::bytes);
        if asked.path.ends_with(PACKAGE) { instead(asked, reply) } else { reply }
    })
}

#[test]
fn install_of_one_skill_takes_three_requests() {
    let host = host(|_, reply| reply);
    let project = Project::new();
    project.run_with(&host.base, "install hello").ok();
    let skill = "/api/v1/skills/global/hello";
    let asked = ["/resolve.json", "/versions/1.1.0.json", PACKAGE].map(|rest| format!("{skill}{rest}"));
    assert_eq!(host.paths(), asked);
    project.run_with(&host.base, "install hello").ok();
    assert_eq!(host.paths().len(), 5, "what is there is not fetched again");
}

#[test]
fn interrupted_download_is_retried() {
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let host = host(move |_, reply| match counted.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::bytes(b"PK\x03\x04".to_vec()).announcing(20_000),
        1 => Reply::status(503).header("Retry-After", "0"),
        _ => reply,
    });
    let project = Project::new();
    project.run_with(&host.base, "install hello").ok();
    assert_eq!(tries.load(Ordering::SeqCst), 3);
    let list = project.run("list").ok();
    assert!(list.stdout.contains("unchanged"), "{list:?}");
}

#[test]
fn broken_host_changes_nothing() {
    let project = Project::new();
    let good = host(|_, reply| reply);
    project.run_with(&good.base, "install hello@1.0.0").ok();
    let package = REGISTRY.get(registry).tree_file(&format!("api/v1/skills/global/hello{PACKAGE}"));
    let one_short = package[..package.len() - 1].to_vec();
    for (reply, code, found) in [
        (Reply::page(), "not_the_package", "an HTML page"),
        (Reply::bytes(one_short), "not_the_package", "bytes, but the package"),
        (Reply::bytes(vec![0; 4096]).endless(), "too_large", "larger than"),
        (Reply::status(404), "no_package", "1.1.0"),
        (Reply::status(500), "unexpected_answer", "500"),
    ] {
        let host = host(move |_, _| reply.clone());
        let printed = project.refused(&host.base, "install hello --force", code);
        assert!(printed.contains(found), "{found}: {printed}");
    }
}

#[test]
fn moved_package_is_followed_and_checked() {
    let elsewhere = host(|_, reply| reply);
    let to = format!("{}/api/v1/skills/global/hello{PACKAGE}", elsewhere.base);
    let redirecting = host(move |_, _| Reply::redirect(302, &to));
    let project = Project::new();
    project.run_with(&redirecting.base, "install hello").ok();
    let asked = elsewhere.asked();
    assert_eq!(asked.len(), 1);
    assert!(asked.iter().all(|asked| asked.header("authorization").is_none()));
    assert_eq!(project.record()["skills"]["hello"]["registry"], redirecting.base.as_str());

    let liar = FakeHost::answering(|_| Reply::bytes(b"something else".to_vec()));
    let to = format!("{}/x.zip", liar.base);
    let redirecting = host(move |_, _| Reply::redirect(307, &to));
    Project::new().refused(&redirecting.base, "install hello", "not_the_package");
    let circle = FakeHost::answering(|asked| Reply::redirect(302, &asked.path));
    Project::new().refused(&circle.base, "install hello", "redirect");
}

#[test]
fn oversized_response_is_refused() {
    let registry = REGISTRY.get(registry);
    let project = Project::new();
    for (size, found, asked) in [
        (u64::MAX, "18446744073709551615 bytes", 0),
        (1_000_000_000_000_000, "1000000000000000 bytes", 0),
        ((512 << 20) + 1, "536870913 bytes", 0),
        (2 << 20, "limit of 2097152 bytes", 1),
    ] {
        let root = registry.public();
        let host = FakeHost::answering(move |asked| {
            let found = std::fs::read_to_string(root.join(asked.path.trim_start_matches('/')));
            if asked.path.ends_with(PACKAGE) {
                return Reply::bytes(vec![0; 4096]).endless();
            }
            let Ok(text) = found else { return Reply::status(404) };
            let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
            if asked.path.ends_with("/versions/1.1.0.json") {
                document["packageSize"] = size.into();
            }
            Reply::json(&document)
        });
        let printed = project.refused(&host.base, "install hello", "too_large");
        assert!(printed.contains(found), "{printed}");
        assert_eq!(host.paths().iter().filter(|path| path.ends_with(PACKAGE)).count(), asked);
    }
}
