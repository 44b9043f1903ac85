//! Names that look like other names.

use serde_json::{Value, json};

use crate::harness::{Registry, Response, Skill, User};

fn create(registry: &Registry, slug: &str, by: &User) -> Response {
    registry.as_user(by).post_json("/api/v1/namespaces", &json!({"slug": slug}))
}

/// `@anthropics`, with three skills.
fn much_used(registry: &Registry) -> User {
    let owner = registry.user("owner");
    registry.team("anthropics", &owner);
    for slug in ["pdf-tools", "docx", "xlsx"] {
        registry.versions(&format!("anthropics/{slug}"), &["1.0.0"], &owner);
    }
    owner
}

#[test]
fn namespace_that_looks_like_a_reserved_name_needs_an_admin() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    for (slug, known) in [
        ("globa1", "global"),
        ("gl-obal", "global"),
        ("globals", "global"),
        ("adrnin", "admin"),
        ("ap1", "api"),
    ] {
        let problem = create(&registry, slug, &ann).problem(403, "forbidden");
        let detail = problem["detail"].as_str().unwrap();
        for part in [slug, known, "choose another name", "platform admin"] {
            assert!(detail.contains(part), "{part}: {detail}");
        }
    }
    create(&registry, "globa1", &registry.admin()).expect(201);
    create(&registry, "globules", &ann).expect(201);
}

#[test]
fn namespace_that_looks_like_one_in_use_needs_an_admin() {
    let registry = Registry::start();
    let (ann, owner) = (registry.user("ann"), much_used(&registry));
    for slug in ["anthropic", "anthr0pics", "anthropcis", "an-thropics", "anthropjcs"] {
        let problem = create(&registry, slug, &ann).problem(403, "forbidden");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("`anthropics`") && detail.contains("platform admin"), "{detail}");
    }
    create(&registry, "anthropology", &ann).expect(201);
    create(&registry, "anthropic", &owner).expect(201);
    create(&registry, "anthr0pics", &registry.admin()).expect(201);
}

#[test]
fn namespace_like_an_unused_one_is_created() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.team("alpine", &ann);
    create(&registry, "alp1ne", &bob).expect(201);
    registry.versions("alpine/hello", &["1.0.0"], &ann);
    create(&registry, "alpines", &bob).expect(201);
    create(&registry, "al-pine", &bob).problem(403, "forbidden");
}

fn looks_like(registry: &Registry, namespace: &str, receipt: &Value) -> Vec<String> {
    let id = receipt["reviewId"].as_str().unwrap();
    let path = format!("/api/v1/namespaces/{namespace}/reviews/{id}");
    let detail = registry.as_user(&registry.admin()).get(&path).expect_json(200);
    serde_json::from_value(detail["looksLike"].clone()).unwrap()
}

#[test]
fn review_names_what_its_slug_looks_like() {
    let registry = Registry::start();
    much_used(&registry);
    let (admin, bob) = (registry.admin(), registry.user("bob"));
    registry.publish(Skill::named("spread-sheets")).by(&admin).expect(201);
    for (slug, expected) in [
        ("anthropic", vec!["@anthropics"]),
        ("pdf-too1s", vec!["@anthropics/pdf-tools"]),
        ("spreadsheet", vec!["@global/spread-sheets"]),
        ("quite-different", vec![]),
    ] {
        let receipt = registry.submit(&format!("global/{slug}"), "1.0.0", &bob);
        assert_eq!(looks_like(&registry, "global", &receipt), expected, "{slug}");
    }
}

#[test]
fn review_names_what_its_namespace_looks_like() {
    let registry = Registry::start();
    much_used(&registry);
    let (admin, bob) = (registry.admin(), registry.user("bob"));
    create(&registry, "anthropic", &admin).expect(201);
    let path = "/api/v1/namespaces/anthropic";
    registry.as_user(&admin).put_json(path, &json!({"reviewRequired": true})).expect(200);
    registry.join("anthropic", &admin, &bob, "member");
    let receipt = registry.submit("anthropic/hello", "1.0.0", &bob);
    assert_eq!(looks_like(&registry, "anthropic", &receipt), ["@anthropics"]);
    // Skills of other teams are no business of a team.
    let receipt = registry.submit("anthropic/pdf-tools", "1.0.0", &bob);
    assert_eq!(looks_like(&registry, "anthropic", &receipt), ["@anthropics"]);
}
