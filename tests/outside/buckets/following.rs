//! What is in the bucket, and in which order it gets there.

use super::{HEAD, assert_equal};
use crate::harness::{CREDENTIALS, ObjectStore, Skill, eventually};

#[test]
fn bucket_has_the_files_with_the_headers_of_the_server() {
    let store = ObjectStore::start();
    let registry = store.registry();
    let admin = registry.admin();
    registry.team("tools", &admin);
    registry.publish(Skill::named("hello").version("1.0.0")).to("tools").by(&admin).expect(201);
    registry.publish(Skill::named("hello").version("1.1.0")).to("tools").by(&admin).expect(201);
    registry.publish(Skill::named("gone")).by(&admin).expect(201);
    registry.remove("global/gone", &admin).expect(204);
    store.settled(&registry);
    assert_equal(&store, &registry);
    // A bare bucket answers the API.
    for path in [
        "/api/v1/skills/tools/hello",
        "/api/v1/skills/tools/hello/versions/1.0.0",
        "/api/v1/skills/tools/hello/versions/1.0.0/download",
        "/api/v1/skills",
        "/tools/hello/index.html",
    ] {
        let (object, answer) = (store.client().get(path).expect(200), registry.get(path));
        let answer = if answer.status == 200 { answer } else { registry.get("/tools/hello/") };
        assert_eq!(object.body, answer.body, "{path}");
        for name in ["content-type", "cache-control"] {
            assert_eq!(object.require_header(name), answer.require_header(name), "{path}");
        }
    }
    let objects = store.objects();
    let package = &objects["api/v1/skills/tools/hello/versions/1.0.0/download"];
    assert_eq!(package.headers["content-disposition"], "attachment; filename=\"hello-1.0.0.zip\"");
    assert!(objects.keys().all(|key| !key.contains("gone")), "a removed skill has no object");
}

#[test]
fn publication_is_put_in_the_order_of_the_stages_and_nothing_else() {
    let store = ObjectStore::start();
    let registry = store.registry();
    let admin = registry.admin();
    registry.publish(Skill::named("other")).by(&admin).expect(201);
    store.settled(&registry);
    let before = store.put().len();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    store.settled(&registry);
    let put = store.put().split_off(before);
    let at = |key: &str| {
        let found = put.iter().position(|it| it == key);
        found.unwrap_or_else(|| panic!("{key} was not put: {put:#?}"))
    };
    let order = [
        "api/v1/skills/global/hello/versions/1.0.0/download.zip",
        "api/v1/skills/global/hello/versions/1.0.0.json",
        "api/v1/skills/global/hello.json",
        "api/v1/skills/_list/_all/name-1.json",
        HEAD,
    ];
    assert!(order.iter().map(|key| at(key)).is_sorted(), "{put:#?}");
    assert_eq!(put.last().map(String::as_str), Some(HEAD));
    assert!(put.iter().all(|key| !key.contains("other")), "unchanged objects are not put: {put:#?}");
}

#[test]
fn start_with_an_unchanged_tree_puts_nothing() {
    let store = ObjectStore::start();
    let mut registry = store.registry();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    store.settled(&registry);
    registry.stop();
    let before = store.put().len();
    registry.start_with_variables(&CREDENTIALS);
    store.settled(&registry);
    let put = store.put().split_off(before);
    assert!(put.iter().all(|key| key.starts_with(".skillmirror/")), "{put:#?}");
}

#[test]
fn changed_objects_are_found_by_verify_and_repaired_on_demand() {
    let store = ObjectStore::start();
    let registry = store.registry();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    store.settled(&registry);
    let verify = || registry.command_with_variables(["verify"], &CREDENTIALS);
    assert!(verify().ok().stdout.contains("s3://skills/tree matches the tree\n"));
    store.set("api/v1/skills.json", b"{}");
    store.set("somebody.txt", b"mine");
    let said = verify();
    assert_eq!(said.code, 1, "{said:?}");
    for line in ["differs    s3://skills/tree/api/v1/skills.json", "s3://skills/tree/somebody.txt"] {
        assert!(said.stdout.contains(line), "{said:?}");
    }
    registry.process().hang_up();
    eventually("the bucket is repaired", || {
        (store.objects()["api/v1/skills.json"].bytes != b"{}").then_some(())
    });
    store.settled(&registry);
    // Somebody may need it.
    assert_eq!(store.objects()["somebody.txt"].bytes, b"mine");
    store.remove_object("tree/somebody.txt");
    store.settled(&registry);
    assert_equal(&store, &registry);
    verify().ok();
}

#[test]
fn generate_fills_a_bucket_without_a_server() {
    let store = ObjectStore::start();
    let mut registry = store.registry();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    let other = ObjectStore::start();
    registry.write("config.toml", other.settings().as_bytes());
    let said = registry.command_with_variables(["generate"], &CREDENTIALS).ok();
    assert!(said.printed().contains("s3://skills/tree is up to date: wrote "), "{said:?}");
    assert_equal(&other, &registry);
    let said = registry.command_with_variables(["generate"], &CREDENTIALS).ok();
    assert!(said.printed().contains("wrote 0 objects, deleted 0"), "{said:?}");
}

#[test]
fn metrics_show_the_bucket() {
    let store = ObjectStore::start();
    let settings = format!("{}[metrics]\nlisten = 0\n", store.settings());
    let mut registry = crate::harness::Registry::configured(&settings);
    registry.start_with_variables(&CREDENTIALS);
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    store.settled(&registry);
    let printed = registry.printed();
    let address = printed.lines().find_map(|line| line.strip_prefix("metrics are at ")).unwrap();
    let metrics =
        crate::harness::Client::of(address.trim_end_matches("/metrics")).get("/metrics").expect(200);
    for line in ["skillmirror_target_failing 0.0", "skillmirror_target_waiting 0.0"] {
        assert!(metrics.text().contains(line), "{metrics}");
    }
}
