//! A full output disk: writes continue, and the tree catches up by itself.

use std::time::{Duration, Instant};

use crate::harness::{OnDisk, Registry, Response, Skill, User, eventually, noise, sha256, tree};

// Downloads that the test makes are not published while it compares trees.
const CONFIG: &str = "[mirror]\nwait_timeout = 1\ncounter_interval = 86400\n";

/// A running registry that has published something, on such a disk.
fn on(what: OnDisk, options: &str) -> Registry {
    let mut registry = Registry::on_small_disk(what, options, CONFIG);
    registry.restart();
    let admin = registry.admin();
    for n in 0..3 {
        registry.publish(sized(n)).version("1.0.0").tags("stable").by(&admin).expect(201);
    }
    registry
}

fn sized(n: u64) -> Skill {
    Skill::named(&format!("skill-{n}")).file("data", noise(100_000, n))
}

fn assert_late(response: Response) {
    assert_ne!(response.require_header("x-mirror-lag"), "0", "{response}");
    response.expect(201);
}

/// Publishes a new skill and a new version while nothing can be put into the
/// tree. Both are acknowledged.
fn publish_late(registry: &Registry, admin: &User) {
    assert_late(registry.publish(sized(100)).version("1.0.0").by(admin));
    assert_late(registry.publish(sized(0).text("Louder.\n")).version("2.0.0").tags("stable").by(admin));
    registry.as_user(admin).get("/api/v1/whoami").expect(200);
}

fn assert_not_ready(registry: &Registry) {
    let problem = eventually("it is not ready", || {
        let response = registry.get("/readyz");
        (response.status == 503).then(|| response.problem(503, "unavailable"))
    });
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("these documents cannot be written: api/v1/"), "{detail}");
    assert!(!detail.contains("os error") && !detail.contains("small"), "{detail}");
}

/// Every document that a reader can reach is complete.
fn assert_nothing_is_half(registry: &Registry) {
    let list = registry.read("/api/v1/skills");
    let mut followed = 0;
    for item in list["items"].as_array().unwrap() {
        let slug = item["slug"].as_str().unwrap();
        let skill = registry.read(&format!("/api/v1/skills/global/{slug}"));
        let resolved = registry.read(&format!("/api/v1/resolve?slug={slug}"));
        let tagged = skill["tags"].as_object().unwrap().values();
        for version in tagged.chain([&skill["version"], &resolved["version"]]) {
            let version = version.as_str().unwrap();
            let about = registry.read(&format!("/api/v1/skills/global/{slug}/versions/{version}"));
            let package = registry.get(&format!("/api/v1/download/{slug}/{version}")).expect(200);
            assert_eq!(about["sha256"], sha256(&package.body), "{slug} {version}");
            followed += 1;
        }
    }
    assert!(followed >= 9, "{list}");
}

/// The tree has caught up: it is what a generated one would be.
fn assert_caught_up(registry: &Registry) {
    eventually("it is ready again", || (registry.get("/readyz").status == 200).then_some(()));
    registry.command(["verify"]).ok();
    let out = registry.folder().join("again");
    registry.command(["generate".as_ref(), "--out".as_ref(), out.as_os_str()]).ok();
    tree::assert_equal(&registry.tree_bytes(), &tree::contents(&out));
    assert_eq!(registry.read("/api/v1/skills/global/skill-0")["tags"]["stable"], "2.0.0");
    registry.get("/api/v1/download/skill-100/1.0.0").expect(200);
}

fn assert_differs(registry: &Registry) {
    let output = registry.command(["verify"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.printed().contains("api/v1/download/skill-100/1.0.0.zip"), "{output:?}");
}

#[test]
fn full_output_disk_delays_only_the_tree() {
    let mut registry = on(OnDisk::Output, "size=8m");
    let admin = registry.admin();
    registry.disk().fill();
    publish_late(&registry, &admin);
    assert_not_ready(&registry);
    assert_differs(&registry);
    assert_nothing_is_half(&registry);

    // Acknowledged writes are in the journal, even if the process dies.
    registry.kill();
    registry.restart();
    assert_nothing_is_half(&registry);
    assert_late(registry.publish(sized(101)).version("1.0.0").by(&admin));
    registry.command(["journal", "check"]).ok();

    registry.disk().free();
    assert_caught_up(&registry);
    registry.get("/api/v1/download/skill-101/1.0.0").expect(200);
    registry.stop();
    registry.command(["verify"]).ok();
}

#[test]
fn write_waits_for_a_full_disk_as_long_as_its_client_prefers() {
    let config = "[mirror]\nwait_timeout = 60\ncounter_interval = 86400\n";
    let mut registry = Registry::on_small_disk(OnDisk::Output, "size=8m", config);
    registry.restart();
    let admin = registry.admin();
    registry.publish(sized(0)).version("1.0.0").by(&admin).expect(201);
    registry.disk().fill();
    let client = registry.as_user(&admin).without_waiting();
    for (number, prefer, applied) in [
        (1, "wait=0", "wait"),
        (2, "WAIT = \"0\"; x=1", "wait"),
        (3, "respond-async", "respond-async"),
        (4, "return=minimal, wait=1", "wait"),
        (5, "wait=0, wait=60", "wait"),
    ] {
        let begun = Instant::now();
        let client = client.with("prefer", prefer);
        let response = registry.publish(sized(number)).version("1.0.0").try_through(&client).unwrap();
        assert_eq!(response.require_header("preference-applied"), applied, "{prefer}");
        assert_late(response);
        assert!(begun.elapsed() < Duration::from_secs(30), "{prefer}: {:?}", begun.elapsed());
    }
    let begun = Instant::now();
    let starred = client.with("prefer", "wait=0").request("DELETE", "/api/v1/skills/global/skill-0", None);
    assert_ne!(starred.expect(204).require_header("x-mirror-lag"), "0");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[test]
fn output_disk_without_inodes_is_a_full_disk() {
    let registry = on(OnDisk::Output, "nr_inodes=3000");
    let admin = registry.admin();
    registry.disk().use_up_files();
    publish_late(&registry, &admin);
    assert_not_ready(&registry);
    assert_differs(&registry);
    assert_nothing_is_half(&registry);
    registry.disk().free();
    assert_caught_up(&registry);
}

#[test]
fn read_only_output_disk_is_a_full_disk() {
    let registry = on(OnDisk::Tree, "size=8m");
    let admin = registry.admin();
    registry.disk().remount("ro");
    publish_late(&registry, &admin);
    assert_not_ready(&registry);
    assert_differs(&registry);
    assert_nothing_is_half(&registry);
    registry.disk().remount("rw");
    assert_caught_up(&registry);
}
