//! What members do in a private namespace over HTTP.

use serde_json::{Value, json};

use super::{MARKER, NOTHING, add_member, inside, marked, publish, registry_of_ann, skill, with_token};
use crate::harness::{Client, PASSWORD, Registry, User};

fn slug() -> String {
    format!("{MARKER}-skill")
}

/// The decision on a review.
fn decide(registry: &Registry, by: &User, receipt: &Value, verdict: &str) -> crate::harness::Response {
    let review = receipt["reviewId"].as_str().unwrap();
    let path = format!("/api/v1/namespaces/{MARKER}/reviews/{review}/{verdict}");
    marked(registry, by).post_json(&path, &json!({"comment": "Seen."}))
}

#[test]
fn member_stars_rates_tags_and_yanks() {
    let (registry, ann) = registry_of_ann();
    let eve = registry.user("eve");
    add_member(&registry, &ann, "eve");
    for version in ["1.0.0", "1.1.0"] {
        publish(&registry, &ann, &slug(), version).expect(201);
    }
    let client = marked(&registry, &eve);
    client.request("POST", &format!("{}/star", skill()), None).expect(200);
    client.post_json(&format!("{}/rating", skill()), &json!({"score": 5})).expect(200);
    let client = marked(&registry, &ann);
    client.put_json(&format!("{}/tags/good", skill()), &json!({"version": "1.0.0"})).expect(201);
    client
        .post_json(&format!("{}/versions/1.1.0/yank", skill()), &json!({"reason": "It is wrong."}))
        .expect(200);
    let record = client.get(&skill()).expect_json(200);
    assert_eq!(record["tags"]["good"], "1.0.0", "{record}");
    assert_eq!(record["latest"]["version"], "1.0.0", "{record}");
    let stars = marked(&registry, &eve).get("/api/v1/me/stars").expect_json(200);
    assert_eq!(stars["total"], 1, "{stars}");
    assert_eq!(registry.as_user(&eve).get("/api/v1/me/stars").expect_json(200)["total"], 0);
}

#[test]
fn versions_of_plain_members_wait_for_a_review() {
    let (registry, ann) = registry_of_ann();
    let eve = registry.user("eve");
    add_member(&registry, &ann, "eve");
    let namespace = format!("/api/v1/namespaces/{MARKER}");
    marked(&registry, &ann).put_json(&namespace, &json!({"reviewRequired": true})).expect(200);
    for (version, verdict, status) in [("1.0.0", "reject", 404), ("1.1.0", "approve", 200)] {
        let receipt = publish(&registry, &eve, &slug(), version).expect_json(201);
        assert_eq!(receipt["status"], "pending_review");
        let own = marked(&registry, &eve).get("/api/v1/me/reviews").expect_json(200);
        assert_eq!(own["items"][0]["version"], version, "{own}");
        decide(&registry, &eve, &receipt, verdict).problem(403, "forbidden");
        decide(&registry, &ann, &receipt, verdict).expect(200);
        marked(&registry, &eve).get(&format!("{}/versions/{version}", skill())).expect(status);
    }
    let admin = registry.as_user(&registry.admin());
    assert_eq!(admin.get("/api/v1/reviews").expect_json(200)["total"], 0);
}

#[test]
fn invited_person_becomes_an_owner_and_sees_nothing_before() {
    let (registry, ann) = registry_of_ann();
    let ian = registry.user("ian");
    let invitations = format!("/api/v1/namespaces/{MARKER}/invitations");
    let invite = |handle: &str| marked(&registry, &ann).post_json(&invitations, &json!({"userId": handle}));
    invite("nobody").problem(404, "not_found");
    let accept = || marked(&registry, &ian).post_json(&format!("{invitations}/ian/accept"), &json!({}));
    accept().problem(404, "not_found");
    invite("ian").expect(201);
    marked(&registry, &ian).get("/api/v1/skills").problem(404, "not_found");
    marked(&registry, &ian).get("/").expect(404);
    let listed = marked(&registry, &ian).get("/api/v1/me/invitations").expect_json(200);
    assert_eq!(listed["total"], 1, "{listed}");
    let me = registry.as_user(&ian).get("/api/v1/auth/me").expect_json(200);
    assert_eq!(me.get("privateNamespaces"), None, "{me}");
    accept().expect(200);
    marked(&registry, &ian).get("/api/v1/skills").expect(200);
    publish(&registry, &ian, &slug(), "1.0.0").expect(201);
}

#[test]
fn only_owners_and_admins_manage_members() {
    let (registry, ann) = registry_of_ann();
    let [eve, bob] = ["eve", "bob"].map(|name| registry.user(name));
    add_member(&registry, &ann, "eve");
    let members = format!("/api/v1/namespaces/{MARKER}/members");
    let bob_joins = json!({"userId": "bob", "role": "member"});
    marked(&registry, &eve).post_json(&members, &bob_joins).problem(403, "forbidden");
    let platform_admin = registry.admin();
    marked(&registry, &platform_admin).post_json(&members, &bob_joins).problem(404, "not_found");
    // Refused requests leave nothing, and a platform admin has only the rights of a member inside.
    add_member(&registry, &ann, "admin");
    marked(&registry, &platform_admin).post_json(&members, &bob_joins).problem(403, "forbidden");
    marked(&registry, &platform_admin).get("/api/v1/audit").problem(403, "forbidden");
    let audit = registry.command(["audit", "--private", MARKER]).ok().stdout;
    assert!(audit.contains("eve") && !audit.contains("bob"), "{audit}");
    marked(&registry, &ann).delete(&format!("{members}/admin")).expect(204);
    let unknown = json!({"userId": "nobody", "role": "member"});
    marked(&registry, &ann).post_json(&members, &unknown).problem(404, "not_found");
    let admin = json!({"role": "admin"});
    marked(&registry, &ann).put_json(&format!("{members}/eve/role"), &admin).expect(200);
    marked(&registry, &eve).post_json(&members, &bob_joins).expect(201);
    let listed = marked(&registry, &bob).get(&members).expect_json(200);
    assert_eq!(listed["total"], 3, "{listed}");
    marked(&registry, &bob).delete(&format!("{members}/bob")).expect(204);
    marked(&registry, &bob).get("/").expect(404);
}

#[test]
fn browser_of_a_member_reads_and_writes_with_its_session() {
    let (registry, ann) = registry_of_ann();
    publish(&registry, &ann, &slug(), "1.0.0").expect(201);
    for name in ["eve", "outsider"] {
        registry.user_with_password(name, PASSWORD);
    }
    // The server knows a person whom another process has added once that person signs in.
    let [eve, outsider] = ["eve", "outsider"].map(|name| registry.sign_in(name, PASSWORD).cookie);
    add_member(&registry, &ann, "eve");
    let browser = |cookie: &str| inside(&registry, MARKER).with("cookie", cookie).with("accept", "text/html");
    let page = format!("/{MARKER}/{MARKER}-skill/");
    let shown = browser(&eve).get(&page).expect(200);
    assert_eq!(shown.header("access-control-allow-origin"), None, "{shown}");
    assert!(shown.text().contains(MARKER) && shown.require_header("cache-control").starts_with("private"));
    let folder = inside(&registry, "").with("cookie", &eve).get(MARKER);
    assert_eq!((folder.status, folder.header("location")), (308, Some("zebrafish/")), "{folder}");
    browser(&outsider).get(&page).expect(404);
    let signs_in = inside(&registry, MARKER).with("accept", "text/html").get(&page).expect(303);
    let to = signs_in.require_header("location");
    assert_eq!(to, "/login/?to=%2D%2Fzebrafish%2Fzebrafish%2Fzebrafish%2Dskill%2F");
    let star = |client: &Client| client.request("POST", &format!("{}/star", skill()), None);
    star(&browser(&eve)).problem(403, "forbidden");
    star(&browser(&eve).with("origin", "http://a.example")).problem(403, "forbidden");
    star(&browser(&eve).with("origin", registry.base())).expect(200);
    star(&browser(&outsider).with("origin", registry.base())).expect(404);
}

#[test]
fn account_names_the_private_namespaces_of_its_person_only() {
    let (registry, ann) = registry_of_ann();
    let eve = registry.user("eve");
    let me = |user: &User| registry.as_user(user).get("/api/v1/auth/me").expect_json(200);
    assert_eq!(me(&ann)["privateNamespaces"], json!([MARKER]));
    assert_eq!(me(&eve).get("privateNamespaces"), None);
    // Below it, the namespaces are its own, and the token is that of the main registry.
    let below = marked(&registry, &ann).get("/api/v1/auth/me").expect_json(200);
    assert_eq!(below["namespaces"], json!([{ "slug": MARKER, "role": "owner" }]));
    assert_eq!(below["token"]["id"], me(&ann)["token"]["id"]);
    for (name, path) in [MARKER, NOTHING].iter().zip(["/api/v1/auth/me", "/api/v1/whoami"]) {
        inside(&registry, name).as_user(&eve).get(path).expect(404);
    }
}

#[test]
fn token_does_in_a_private_namespace_what_its_scopes_say() {
    let (registry, ann) = registry_of_ann();
    let token = |scopes: &str| {
        let token = registry.issue("ann", &["--name", scopes, "--scopes", scopes]);
        registry.wait_until_known(ann.with_token(&token))
    };
    let (read, write, manage) = (token("read"), token("read,publish"), token("manage"));
    publish(&registry, &read, &slug(), "1.0.0").problem(403, "forbidden");
    publish(&registry, &write, &slug(), "1.0.0").expect(201);
    marked(&registry, &read).get(&skill()).expect(200);
    let namespace = format!("/api/v1/namespaces/{MARKER}");
    let texts = json!({"description": "New."});
    marked(&registry, &write).put_json(&namespace, &texts).problem(403, "forbidden");
    for path in [namespace.clone(), "/".into(), "/api/v1/search?q=x".into()] {
        marked(&registry, &manage).get(&path).problem(403, "forbidden");
    }
    // A write needs no scope to read, as in the main registry.
    marked(&registry, &manage).put_json(&namespace, &texts).expect(200);
    marked(&registry, &token("publish")).get(&skill()).problem(403, "forbidden");
    publish(&registry, &token("publish,social"), &slug(), "1.1.0").expect(201);
}

#[test]
fn every_answer_of_a_private_namespace_is_private() {
    let (registry, ann) = registry_of_ann();
    publish(&registry, &ann, &slug(), "1.0.0").expect(201);
    let key = super::new_key(&registry, MARKER);
    let key = with_token(&inside(&registry, MARKER), &key);
    for path in [
        "/".to_owned(),
        "/.well-known/registry.json".into(),
        "/robots.txt".into(),
        "/login/".into(),
        "/healthz".into(),
        skill(),
        format!("{}/versions/1.0.0/download", skill()),
        "/api/v1/search?q=x".into(),
        "/nothing".into(),
    ] {
        for client in [&marked(&registry, &ann), &key] {
            let response = client.get(&path);
            let cache = response.require_header("cache-control").to_owned();
            assert!(cache.starts_with("private") || cache == "no-store", "{path}: {cache}");
            let vary = response.header_values("vary");
            assert!(vary.contains("Authorization, Cookie"), "{path}: {vary}");
        }
    }
}
