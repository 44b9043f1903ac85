//! The version and tags of a publish.

use serde_json::{Value, json};

use crate::harness::{Registry, Shared, Skill};

static RUNNING: Shared<Registry> = Shared::new();

fn published(registry: &Registry, skill: Skill) -> Value {
    registry.publish(skill).by(&registry.admin()).expect_json(201)
}

#[test]
fn first_version_is_1_0_0_and_the_next_raises_the_patch() {
    let registry = RUNNING.get(Registry::start);
    let skill = |text: &str| Skill::named("patches").text(text);
    assert_eq!(published(&registry, skill("one"))["version"], "1.0.0");
    assert_eq!(published(&registry, skill("two"))["version"], "1.0.1");
    let third = registry.publish(skill("three")).version("2.4.9").by(&registry.admin()).expect_json(201);
    assert_eq!(third["version"], "2.4.9");
    assert_eq!(published(&registry, skill("four"))["version"], "2.4.10");
}

#[test]
fn version_field_takes_precedence_over_front_matter() {
    let registry = RUNNING.get(Registry::start);
    assert_eq!(published(&registry, Skill::named("matter").version("3.1.4"))["version"], "3.1.4");
    let metadata = Skill::named("meta").line("metadata:\n  version: \"0.2.0\"");
    assert_eq!(published(&registry, metadata)["version"], "0.2.0");
    let both = Skill::named("both").version("1.0.0");
    let receipt = registry.publish(both).version("5.0.0").by(&registry.admin()).expect_json(201);
    assert_eq!(receipt["version"], "5.0.0");
}

#[test]
fn equal_content_without_version_is_the_existing_version() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let old = registry.publish(Skill::named("equal").text("old")).by(&admin).expect_json(201);
    let new = registry.publish(Skill::named("equal").text("new")).by(&admin).expect_json(201);
    assert_eq!(registry.publish(Skill::named("equal").text("new")).by(&admin).expect_json(200), new);
    assert_eq!(
        registry.publish(Skill::named("equal").text("old")).by(&admin).expect_json(200),
        old,
        "any published version counts, not the latest alone"
    );
    let wanted = registry.publish(Skill::named("equal").text("old")).version("3.0.0").by(&admin);
    let wanted = wanted.expect_json(201);
    assert_eq!((&wanted["version"], &wanted["sha256"]), (&json!("3.0.0"), &old["sha256"]));
}

#[test]
fn loose_version_is_repaired_with_a_warning() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    for (name, written, read) in
        [("loose-v", "v1.2", "1.2.0"), ("loose-one", "1", "1.0.0"), ("loose-ten", "1.10", "1.10.0")]
    {
        let matter = published(&registry, Skill::named(name).version(written));
        assert_eq!(matter["version"], read);
        assert!(!matter["warnings"].as_array().unwrap().is_empty(), "{matter}");
        let form = registry.publish(Skill::named(&format!("{name}-form"))).version(written).by(&admin);
        let form = form.expect_json(201);
        assert_eq!(form["version"], read);
        assert!(!form["warnings"].as_array().unwrap().is_empty(), "{form}");
    }
}

#[test]
fn invalid_version_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    for version in ["", "one", "1.0.0+build", "1.0.0-rc.zip", "01.0.0", &format!("1.0.0-{}", "a".repeat(64))]
    {
        let response = registry.publish(Skill::named("bad-form")).version(version).by(&admin);
        response.problem(400, "invalid_request");
    }
    let errors = registry.publish(Skill::named("bad-matter").version("one two")).by(&admin).refused_package();
    assert_eq!(errors[0]["path"], "SKILL.md");
}

#[test]
fn versions_that_differ_only_by_case_are_refused() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    registry.publish(Skill::named("cased")).version("1.0.0-rc").by(&admin).expect(201);
    let other = Skill::named("cased").text("Other.\n");
    registry.publish(other).version("1.0.0-RC").by(&admin).problem(409, "conflict");
}

#[test]
fn latest_is_the_highest_release() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let publish = |version: &str| {
        let skill = Skill::named("order").text(version);
        registry.publish(skill).version(version).by(&admin).expect(201);
        registry.read("/api/v1/skills/global/order")["version"].as_str().unwrap().to_owned()
    };
    assert_eq!(publish("1.0.0-alpha"), "1.0.0-alpha");
    assert_eq!(publish("1.0.0-beta"), "1.0.0-beta");
    assert_eq!(publish("0.9.0"), "0.9.0");
    assert_eq!(publish("2.0.0-rc.1"), "0.9.0");
    assert_eq!(publish("1.10.0"), "1.10.0");
    assert_eq!(publish("1.9.0"), "1.10.0");
    let versions = registry.read("/api/v1/skills/global/order/versions");
    let order: Vec<&str> =
        versions["items"].as_array().unwrap().iter().map(|v| v["version"].as_str().unwrap()).collect();
    assert_eq!(order, ["1.9.0", "1.10.0", "2.0.0-rc.1", "0.9.0", "1.0.0-beta", "1.0.0-alpha"]);
}

#[test]
fn tags_of_a_publish_point_at_its_version() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let skill = |text: &str| Skill::named("tagged").text(text);
    registry.publish(skill("1")).version("1.0.0").tags("stable, lts").by(&admin).expect(201);
    registry.publish(skill("2")).version("2.0.0").tags("stable").by(&admin).expect(201);
    let tags = &registry.read("/api/v1/skills/global/tagged")["tags"];
    assert_eq!(*tags, json!({"lts": "1.0.0", "stable": "2.0.0"}), "latest is left out");
    for bad in ["", "Upper", "1.0.0", "v1", "a b", "x.json", "end."] {
        registry.publish(skill("3")).tags(bad).by(&admin).problem(400, "invalid_request");
    }
}

#[test]
fn changelog_is_stored() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    registry.publish(Skill::named("logged")).changelog("Größer.\nBetter.").by(&admin).expect(201);
    let version = registry.read("/api/v1/skills/global/logged/versions/1.0.0");
    assert_eq!(version["changelog"], "Größer.\nBetter.");
    let silent = published(&registry, Skill::named("silent"));
    assert_eq!(silent["version"], "1.0.0");
    assert_eq!(registry.read("/api/v1/skills/global/silent/versions/1.0.0")["changelog"], "");
    let long = "x".repeat(16 * 1024 + 1);
    registry.publish(Skill::named("too-long")).changelog(&long).by(&admin).problem(400, "invalid_request");
}

#[test]
fn tags_over_the_limit_are_refused() {
    let registry = Registry::start();
    let admin = registry.admin();
    let many: Vec<String> = (0..33).map(|n| format!("tag-{n}")).collect();
    registry.publish(Skill::named("tagged")).tags(&many.join(",")).by(&admin).problem(400, "invalid_request");
    registry.publish(Skill::named("tagged")).tags(&many[..32].join(",")).by(&admin).expect(201);
    let again = registry.publish(Skill::named("tagged")).tags("stable").by(&admin).expect_json(200);
    assert_eq!(again["warnings"][0]["code"], "tags_ignored");
    registry.get("/api/v1/skills/global/tagged/resolve?tag=stable").problem(404, "not_found");
}

#[test]
fn latest_is_accepted_only_for_the_version_that_it_will_point_to() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let publish = |version: &str, text: &str| {
        let skill = Skill::named("newest").text(text);
        registry.publish(skill).version(version).tags("latest").by(&admin)
    };
    assert_eq!(publish("2.0.0", "2").expect(201).json()["warnings"], json!([]));
    publish("2.0.0", "2").expect(200);
    publish("2.1.0", "21").expect(201);
    let refused = publish("1.9.0", "19");
    assert!(refused.problem(409, "conflict")["detail"].as_str().unwrap().contains("2.1.0"), "{refused}");
    publish("3.0.0-rc.1", "3").problem(409, "conflict");
    publish("2.0.0", "2").problem(409, "conflict");
    assert_eq!(registry.read("/api/v1/skills/global/newest/resolve")["version"], "2.1.0");
    assert_eq!(registry.read("/api/v1/skills/global/newest/versions")["total"], 2, "nothing was published");
}

#[test]
fn existing_version_is_refused_with_the_next_one() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let skill = |text: &str| Skill::named("taken").text(text);
    for version in ["1.0.0", "1.4.2", "1.5.0-rc.1"] {
        registry.publish(skill(version)).version(version).by(&admin).expect(201);
    }
    registry.yank("global/taken", "1.4.2", &admin).expect(200);
    for version in ["1.0.0", "1.4.2"] {
        let problem = registry.publish(skill("other")).version(version).by(&admin).problem(409, "conflict");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("for example to 1.4.3") && detail.contains("`--version 1.4.3`"), "{detail}");
    }
}
