//! Publishes that are refused before the package is read.

use crate::harness::{Registry, Shared, Skill, User, noise};

static RUNNING: Shared<Registry> = Shared::new();

#[test]
fn form_without_file_is_400() {
    let registry = RUNNING.get(Registry::start);
    let response = registry.publish(Skill::named("x")).without_file().to("global").by(&registry.admin());
    let problem = response.problem(400, "invalid_request");
    assert_eq!(problem["detail"], "The field `file` is missing: send the zip of the skill in it.");
    assert_eq!(problem["errors"][0]["code"], "missing_field", "{response}");
}

#[test]
fn invalid_fields_are_400_and_named() {
    let registry = RUNNING.get(Registry::start);
    let bad = [
        ("version", "one"),
        ("version", ""),
        ("slug", "Not A Slug"),
        ("slug", "a--b--c"),
        ("slug", ""),
        ("tags", ""),
        ("tags", "fine,Not Fine"),
        ("namespace", "No Namespace"),
        ("dryRun", "perhaps"),
        ("allowFile", ""),
        ("allowFile", "../.env"),
        ("changelog", "\u{1b}[2J"),
        ("changelog", "a\u{202e}b"),
        ("changelog", "a\u{200b}b"),
        ("colour", "red"),
    ];
    for (field, value) in bad {
        let response = registry.publish(Skill::named("fields")).field(field, value).by(&registry.admin());
        let problem = response.problem(400, "invalid_request");
        assert!(problem.to_string().contains(field), "{field}={value}: {response} names the field");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.starts_with(|c: char| c.is_uppercase()) && detail.ends_with(['.', '`']), "{detail}");
    }
    registry.get("/api/v1/skills/global/fields").problem(404, "not_found");
}

#[test]
fn repeated_field_is_400() {
    let registry = RUNNING.get(Registry::start);
    let twice = registry.publish(Skill::named("twice")).version("1.0.0").version("2.0.0");
    twice.by(&registry.admin()).problem(400, "invalid_request");
}

#[test]
fn body_that_is_not_a_form_is_415() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.as_user(&registry.admin());
    let post = |kind: &str, body: &[u8]| {
        admin.with("content-type", kind).request("POST", "/api/v1/publish", Some(body.to_vec()))
    };
    post("application/json", b"{\"file\":\"x\"}").problem(415, "unsupported_media_type");
    post("application/zip", &Skill::named("x").zip()).problem(415, "unsupported_media_type");
    let untyped = admin.request("POST", "/api/v1/publish", Some(b"x".to_vec()));
    untyped.problem(415, "unsupported_media_type");
}

#[test]
fn broken_form_is_400() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.as_user(&registry.admin());
    let form = admin.with("content-type", "multipart/form-data; boundary=edge");
    for body in
        ["", "nothing of the kind", "--edge\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nhalf"]
    {
        let response = form.request("POST", "/api/v1/publish", Some(body.into()));
        response.problem(400, "invalid_request");
    }
    let unbounded = admin.with("content-type", "multipart/form-data");
    unbounded.request("POST", "/api/v1/publish", Some(b"x".to_vec())).problem(400, "invalid_request");
}

#[test]
fn upload_over_the_limit_is_413() {
    let registry = Registry::with_config("[limits]\nzip = 65536\n");
    let admin = registry.admin();
    let large = Skill::named("large").file("data.bin", noise(200_000, 1));
    let problem = registry.publish(large).by(&admin).problem(413, "too_large");
    assert!(problem["detail"].as_str().unwrap().len() > 10, "{problem}");
    registry.publish(Skill::named("small").file("data.bin", noise(50_000, 2))).by(&admin).expect(201);
    let field = registry.publish(Skill::named("small")).changelog(&"x".repeat(300_000)).by(&admin);
    assert!([400, 413].contains(&field.status), "{field}");
}

#[test]
fn refused_publish_leaves_nothing_behind() {
    let registry = Registry::start();
    let admin = registry.admin();
    let before = registry.tree_bytes();
    registry.publish_bytes(b"no zip".to_vec()).by(&admin).refused_package();
    registry.publish(Skill::named("x").undescribed()).by(&admin).refused_package();
    registry.publish(Skill::named("x")).version("one").by(&admin).problem(400, "invalid_request");
    assert_eq!(registry.tree_bytes(), before);
    assert_eq!(registry.as_user(&admin).get("/api/v1/auth/me").status, 200);
}

#[test]
fn unauthorized_publish_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-upload");
    registry.team("closed", &registry.admin());
    let send = |namespace: &str, by: &User| registry.publish(Skill::named("kept-out")).to(namespace).by(by);
    send("nowhere", &ann).problem(404, "not_found");
    send("closed", &ann).problem(403, "forbidden");
    registry.publish(Skill::named("kept-out")).slug("closed--x").by(&ann).problem(403, "forbidden");
    send("closed", &registry.admin()).expect(201);
}
