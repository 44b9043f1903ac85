//! Roles by groups.

use serde_json::json;

use super::*;

const ROLES: &str =
    "admins = [\"root\"]\nroles = { staff = \"team:member\", leads = [\"team:admin\", \"other:owner\"] }";

fn role(registry: &Registry, namespace: &str) -> Value {
    let path = format!("/api/v1/namespaces/{namespace}/members");
    let members = registry.as_user(&registry.admin()).get(&path).expect_json(200);
    let items = members["items"].as_array().unwrap();
    items
        .iter()
        .find(|member| member["handle"] == "ann-smith")
        .map_or(Value::Null, |member| member["role"].clone())
}

#[test]
fn groups_give_and_take_roles_at_each_sign_in() {
    let provider = Provider::start();
    let registry = registry_with(&provider, ROLES);
    let admin = registry.admin();
    registry.team("team", &admin);
    registry.team("other", &admin);
    registry.team("third", &admin);
    for (groups, team, other, platform) in [
        (json!(["staff", "unknown"]), json!("member"), Value::Null, "user"),
        (json!(["leads", "staff"]), json!("admin"), json!("owner"), "user"),
        (json!(["root"]), Value::Null, Value::Null, "admin"),
        (json!("staff"), json!("member"), Value::Null, "user"),
        (Value::Null, Value::Null, Value::Null, "user"),
    ] {
        provider.state().claims = json!({ "groups": groups });
        let me = me(&signed_in(&registry, &provider));
        assert_eq!((role(&registry, "team"), role(&registry, "other")), (team, other), "{groups}");
        assert_eq!(me["role"], platform, "{groups}");
    }
    // The registry is the actor of these rows.
    let log = registry.command(["audit"]).ok().stdout;
    assert!(log.contains("ann-smith"), "{log}");
}

#[test]
fn role_that_the_settings_do_not_name_stays() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "roles = { staff = \"team:member\" }");
    let admin = registry.admin();
    registry.team("team", &admin);
    registry.team("other", &admin);
    signed_in(&registry, &provider);
    let add = |team: &str, role: &str| {
        let body = json!({ "userId": "ann-smith", "role": role });
        registry.as_user(&admin).post_json(&format!("/api/v1/namespaces/{team}/members"), &body).expect(201);
    };
    add("team", "admin");
    add("other", "member");
    for groups in [json!(["staff"]), json!([])] {
        provider.state().claims = json!({ "groups": groups });
        signed_in(&registry, &provider);
        assert_eq!((role(&registry, "team"), role(&registry, "other")), (json!("admin"), json!("member")));
    }
}

#[test]
fn last_owner_keeps_the_role_and_comes_in() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "roles = { leads = \"team:owner\" }");
    let admin = registry.admin();
    registry.team("team", &admin);
    provider.state().claims = json!({ "groups": ["leads"] });
    signed_in(&registry, &provider);
    let leave = registry.as_user(&admin).delete("/api/v1/namespaces/team/members/admin");
    leave.expect(204);
    provider.state().claims = json!({ "groups": [] });
    signed_in(&registry, &provider);
    assert_eq!(role(&registry, "team"), "owner");
}

#[test]
fn person_outside_the_allowed_groups_does_not_come_in() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "allowed_groups = [\"staff\", \"leads\"]");
    for (groups, status) in [
        (json!(["others", "staffing"]), 403),
        (Value::Null, 403),
        (json!([]), 403),
        (json!("leads"), 303),
        (json!(["others", "staff"]), 303),
        (json!(["others"]), 403),
    ] {
        provider.state().claims = json!({ "groups": groups });
        let response = sign_in(&registry, &provider).expect(status);
        let is_refused = response.text().contains("is in no group that may sign in here");
        assert_eq!(is_refused, status == 403, "{groups}");
    }
}
