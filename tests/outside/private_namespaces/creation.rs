//! Creating private namespaces.

use serde_json::json;

use super::{
    MARKER, NOTHING, add_member, create, inside, marked, new_key, publish, registry_of_ann, with_token,
};
use crate::harness::{Home, Registry};

/// Whether the registry has a trace of a private namespace on its disk.
fn is_on_disk(registry: &Registry, name: &str) -> bool {
    let [data, tree] = [format!("data/private/{name}"), format!("public.private/{name}")];
    registry.folder().join(data).exists() || registry.folder().join(tree).exists()
}

#[test]
fn only_platform_admins_create_private_namespaces() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let body = json!({"slug": MARKER, "private": true});
    registry.as_user(&ann).post_json("/api/v1/namespaces", &body).problem(403, "forbidden");
    registry.anonymous().post_json("/api/v1/namespaces", &body).problem(401, "unauthenticated");
    assert!(!is_on_disk(&registry, MARKER));
    let admin = registry.admin();
    let texts = json!({
        "slug": MARKER, "private": true, "displayName": "The Fish", "description": "All.", "reviewRequired": true
    });
    let record = registry.as_user(&admin).post_json("/api/v1/namespaces", &texts).expect_json(201);
    assert_eq!((&record["displayName"], &record["reviewRequired"]), (&json!("The Fish"), &json!(true)));
    let read = marked(&registry, &admin).get(&format!("/api/v1/namespaces/{MARKER}")).expect_json(200);
    assert_eq!(read["description"], "All.", "the caller is its owner");
    marked(&registry, &ann).get("/api/v1/namespaces").expect(404);
}

#[test]
fn private_namespace_that_cannot_be_is_refused_and_leaves_nothing() {
    let (registry, ann) = registry_of_ann();
    let admin = registry.as_user(&registry.admin());
    registry.command(["user", "add", "gone"]).ok();
    registry.command(["user", "disable", "gone"]).ok();
    let long = "x".repeat(3000);
    for (body, status) in [
        (json!({"slug": MARKER}), 409),
        (json!({"slug": "global"}), 409),
        (json!({"slug": "quartz", "owner": "nobody"}), 404),
        (json!({"slug": "quartz", "owner": "gone"}), 404),
        (json!({"slug": "quartz", "owner": "Not A Handle"}), 400),
        (json!({"slug": "quartz", "displayName": ""}), 400),
        (json!({"slug": "quartz", "displayName": "a\u{7}b"}), 400),
        (json!({"slug": "quartz", "description": long}), 400),
        (json!({"slug": "Not A Name"}), 400),
        (json!({"slug": "quartz", "nothing": true}), 400),
    ] {
        let mut body = body;
        body["private"] = true.into();
        assert_eq!(admin.post_json("/api/v1/namespaces", &body).status, status, "{body}");
    }
    admin.post_json("/api/v1/namespaces", &json!({"slug": "quartz", "owner": "ann"})).expect(400);
    assert!(!is_on_disk(&registry, "quartz") && !is_on_disk(&registry, "global"));
    create(&registry, "quartz", &ann).expect(201);
    let inner = json!({"slug": "inner", "private": true});
    marked(&registry, &ann).post_json("/api/v1/namespaces", &inner).expect(400);
    let public = json!({"slug": "inner"});
    marked(&registry, &ann).post_json("/api/v1/namespaces", &public).problem(403, "forbidden");
    assert!(!is_on_disk(&registry, "inner"));
}

#[test]
fn name_like_a_reserved_one_can_be_private_and_survives_a_restart() {
    let (mut registry, ann) = registry_of_ann();
    // Admins may create them in public, too.
    for name in ["adm1n", "zebraflsh"] {
        create(&registry, name, &ann).expect(201);
        inside(&registry, name).as_user(&ann).get("/api/v1/skills").expect(200);
    }
    registry.stop();
    registry.restart();
    for name in ["adm1n", "zebraflsh"] {
        inside(&registry, name).as_user(&ann).get("/api/v1/skills").expect(200);
    }
}

#[test]
fn public_namespace_may_have_the_name_of_a_private_one() {
    let (registry, ann) = registry_of_ann();
    let bob = registry.user("bob");
    registry.team(MARKER, &bob);
    let slug = format!("{MARKER}-skill");
    publish(&registry, &ann, &slug, "1.0.0").expect(201);
    publish(&registry, &bob, &slug, "2.0.0").expect(404);
    registry.versions(&format!("{MARKER}/{slug}"), &["3.0.0"], &bob);
    let latest = |client: &crate::harness::Client| {
        client.get(&super::skill()).expect_json(200)["latest"]["version"].clone()
    };
    assert_eq!(latest(&marked(&registry, &ann)), "1.0.0");
    assert_eq!(latest(&registry.anonymous()), "3.0.0");
}

#[test]
fn our_client_creates_a_private_namespace() {
    let registry = Registry::start();
    let [ann, eve] = ["ann", "eve"].map(|name| registry.user(name));
    let admin = Home::new();
    admin.login(registry.base(), &registry.admin());
    let said = admin.run(&["namespace", "create", MARKER, "--private", "--owner", "ann"]).ok().stdout;
    let place = format!("{}/-/{MARKER}", registry.base());
    assert!(said.contains(&place), "{said}");
    assert!(said.contains("versions need no review"), "{said}");
    admin.refusal("conflict", &["namespace", "create", MARKER, "--private"]);
    let plain = Home::new();
    plain.login(registry.base(), &eve);
    plain.refusal("forbidden", &["namespace", "create", "mine", "--private"]);
    let output = plain.run(&["namespace", "create", "mine", "--owner", "ann"]);
    assert_ne!(output.code, 0, "{output:?}");
    let owner = Home::new();
    owner.login(&place, &ann);
    owner.run(&["member", "add", MARKER, "eve"]).ok();
    let listed = owner.run(&["namespace", "members", MARKER]).ok().stdout;
    assert!(listed.contains("ann") && listed.contains("eve"), "{listed}");
}

#[test]
fn restart_keeps_private_namespaces() {
    let (mut registry, ann) = registry_of_ann();
    let eve = registry.user("eve");
    add_member(&registry, &ann, "eve");
    publish(&registry, &ann, &format!("{MARKER}-skill"), "1.0.0").expect(201);
    registry.stop();
    registry.restart();
    marked(&registry, &eve).get(&super::skill()).expect(200);
    publish(&registry, &ann, &format!("{MARKER}-skill"), "1.1.0").expect(201);
    registry.kill();
    registry.restart();
    let record = marked(&registry, &eve).get(&super::skill()).expect_json(200);
    assert_eq!(record["latest"]["version"], "1.1.0");
    create(&registry, MARKER, &ann).problem(409, "conflict");
}

#[test]
fn closed_registry_has_private_namespaces_that_its_own_readers_do_not_see() {
    let registry = Registry::with_config("[reads]\nrequire = \"token\"\n");
    let [ann, eve] = ["ann", "eve"].map(|name| registry.user(name));
    create(&registry, MARKER, &ann).expect(201);
    let main = registry.command(["read-key", "new", "main"]).ok().stdout;
    let own = new_key(&registry, MARKER);
    for (token, public, private, nothing) in [
        (&ann.token[..], 200, 200, 404),
        (&eve.token, 200, 404, 404),
        (main.trim(), 200, 401, 401),
        (&own, 401, 200, 401),
        ("smt_nothing", 401, 401, 401),
    ] {
        let statuses = [registry.anonymous(), inside(&registry, MARKER), inside(&registry, NOTHING)]
            .map(|client| with_token(&client, token).get("/api/v1/skills").status);
        assert_eq!(statuses, [public, private, nothing], "{token}");
    }
}
