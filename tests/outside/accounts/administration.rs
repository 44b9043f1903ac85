//! What platform admins do with the accounts of others, and the audit log.

use serde_json::{Value, json};

use crate::harness::{Registry, Shared, Skill, User, assert_fields};

static RUNNING: Shared<Registry> = Shared::new();

fn audit(registry: &Registry, query: &str) -> Value {
    registry.as_user(&registry.admin()).get(&format!("/api/v1/audit?{query}")).expect_json(200)
}

fn sentences(page: &Value) -> Vec<&str> {
    let entries = page["items"].as_array().unwrap().iter();
    let acts = entries.flat_map(|entry| entry["acts"].as_array().unwrap());
    acts.map(|act| act["what"].as_str().unwrap()).collect()
}

fn post(registry: &Registry, by: &User, path: &str) -> u16 {
    registry.as_user(by).request("POST", path, None).status
}

#[test]
fn audit_log_is_read_from_its_end_in_pages() {
    let registry = Registry::start();
    let (ann, admin) = (registry.user("ann"), registry.admin());
    registry.team("desk", &ann);
    let hostile = "<script>alert(1)</script> {{ 7 * 7 }} \"'&";
    for version in 1..=30 {
        let skill = Skill::named("hello").text(&format!("Text {version}.\n"));
        registry.publish(skill).to("desk").version(&format!("{version}.0.0")).by(&ann).expect(201);
    }
    let path = "/api/v1/skills/desk/hello/versions/1.0.0/yank";
    registry.as_user(&ann).post_json(path, &json!({ "reason": hostile })).expect(200);

    let response = registry.as_user(&admin).get("/api/v1/audit?size=2").expect(200);
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let page = response.json();
    assert_fields(&page, "items next");
    assert_fields(&page["items"][0], "revision at actor token session request acts");
    let what = format!("yanked desk--hello 1.0.0: {hostile}");
    assert_eq!(sentences(&page)[0], what, "nothing is escaped twice or left out");
    assert_eq!((&page["items"][0]["actor"], &page["next"]), (&json!("ann"), &page["items"][1]["revision"]));

    // All pages together are what the command prints, the other way round.
    let (mut all, mut query) = (Vec::new(), "size=7".to_owned());
    loop {
        let page = audit(&registry, &query);
        all.extend(page["items"].as_array().unwrap().iter().cloned());
        let Some(next) = page["next"].as_u64() else { break };
        query = format!("size=7&before={next}");
    }
    all.reverse();
    let printed: Value = serde_json::from_str(&registry.command(["audit", "--json"]).ok().stdout).unwrap();
    assert_eq!(Value::Array(all), printed["items"]);

    let of_desk = audit(&registry, "namespace=desk&size=100");
    let of_desk = sentences(&of_desk);
    assert_eq!((of_desk.len(), of_desk[0]), (33, what.as_str()));
    assert_eq!(audit(&registry, "user=nobody-at-all")["items"], json!([]));
    for query in
        ["size=0", "size=101", "before=x", "before=-1", "user=a%20b", "namespace=..%2F", "user=%3Cscript%3E"]
    {
        let problem = registry.as_user(&admin).get(&format!("/api/v1/audit?{query}"));
        problem.problem(400, "invalid_request");
    }
}

#[test]
fn account_is_disabled_and_enabled() {
    let registry = RUNNING.get(Registry::start);
    let (ann, admin) = (registry.user("ann-off"), registry.admin());
    let [disable, enable] = ["disable", "enable"].map(|act| format!("/api/v1/users/ann-off/{act}"));
    assert_eq!(post(&registry, &admin, &disable), 204);
    registry.as_user(&ann).get("/api/v1/whoami").problem(401, "unauthenticated");
    assert_eq!(post(&registry, &admin, &disable), 204, "again");
    assert_eq!(post(&registry, &admin, &enable), 204);
    registry.as_user(&ann).get("/api/v1/whoami").expect(200);
    assert_eq!(post(&registry, &admin, "/api/v1/users/admin/disable"), 409);
    registry.as_user(&admin).get("/api/v1/whoami").expect(200);
    for handle in ["nobody-at-all", "%3Cscript%3E", "..", "a%2Fb", "%00"] {
        assert_eq!(post(&registry, &admin, &format!("/api/v1/users/{handle}/disable")), 404, "{handle}");
    }
    let told = audit(&registry, "user=ann-off&size=2");
    assert_eq!(sentences(&told), ["enabled the account ann-off", "disabled the account ann-off"]);
    assert_eq!(told["items"][0]["actor"], "admin");
}

#[test]
fn tokens_of_a_person_are_listed_and_revoked_with_those_made_with_them() {
    let registry = RUNNING.get(Registry::start);
    let (ann, admin) = (registry.user("ann-tokens"), registry.admin());
    let made =
        registry.as_user(&ann).post_json("/api/v1/tokens", &json!({"name": "<b>ci</b>"})).expect_json(201);
    let list = registry.as_user(&admin).get("/api/v1/users/ann-tokens/tokens").expect_json(200);
    assert_eq!(list, registry.as_user(&admin).get("/api/v1/users/ann-tokens/tokens?page=1").expect_json(200));
    assert_eq!((&list["total"], &list["items"][1]["name"]), (&json!(2), &json!("<b>ci</b>")));
    assert!(!list.to_string().contains(made["token"].as_str().unwrap()), "no text of a token");
    let first = list["items"][0]["id"].as_str().unwrap();
    registry.as_user(&admin).delete(&format!("/api/v1/tokens/{first}")).expect(204);
    let ci = ann.with_token(made["token"].as_str().unwrap());
    registry.as_user(&ci).get("/api/v1/whoami").problem(401, "unauthenticated");
    registry.as_user(&admin).delete(&format!("/api/v1/tokens/{first}")).problem(404, "not_found");
    let told = audit(&registry, "user=ann-tokens&size=1");
    assert_eq!(sentences(&told), [format!("revoked the token {first} \"test\" of ann-tokens")]);
    registry.as_user(&admin).get("/api/v1/users/nobody-at-all/tokens").problem(404, "not_found");
}

#[test]
fn others_learn_nothing() {
    let registry = RUNNING.get(Registry::start);
    let (ann, bob) = (registry.user("ann-curious"), registry.user("bob-quiet"));
    let token = registry.as_user(&bob).get("/api/v1/auth/me").expect_json(200)["token"]["id"].clone();
    let refused = |method: &str, path: &str| {
        let response = registry.as_user(&ann).request(method, path, None);
        let problem = response.problem(403, "forbidden");
        problem["detail"].as_str().unwrap().to_owned()
    };
    for (method, end) in [("POST", "/disable"), ("POST", "/enable"), ("GET", "/tokens"), ("GET", "")] {
        let [known, unknown] = ["bob-quiet", "nobody-at-all"]
            .map(|handle| refused(method, &format!("/api/v1/users/{handle}{end}")));
        assert_eq!(known, unknown);
    }
    for query in ["", "?user=bob-quiet", "?user=ann-curious", "?before=x"] {
        let detail = refused("GET", &format!("/api/v1/audit{query}"));
        assert_eq!(detail, "Not allowed: the audit log is for platform admins.");
    }
    let [known, unknown] = [token.as_str().unwrap(), "999999999"].map(|id| {
        let problem =
            registry.as_user(&ann).delete(&format!("/api/v1/tokens/{id}")).problem(404, "not_found");
        problem["detail"].as_str().unwrap().replace(id, "ID")
    });
    assert_eq!(known, unknown);
    registry.as_user(&bob).get("/api/v1/whoami").expect(200);
}
