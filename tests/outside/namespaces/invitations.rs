//! Becoming an owner of a namespace.

use serde_json::json;

use crate::harness::{
    Registry, Response, Shared, User, assert_fields, eventually, record_fields::INVITATION,
};

static RUNNING: Shared<Registry> = Shared::new();

fn members(team: &str) -> String {
    format!("/api/v1/namespaces/{team}/members")
}

fn invite(registry: &Registry, team: &str, by: &User, to: &User) -> Response {
    let path = format!("/api/v1/namespaces/{team}/invitations");
    registry.as_user(by).post_json(&path, &json!({"userId": to.handle}))
}

fn accept(registry: &Registry, team: &str, by: &User, to: &User) -> Response {
    let path = format!("/api/v1/namespaces/{team}/invitations/{}/accept", to.handle);
    registry.as_user(by).request("POST", &path, None)
}

fn end(registry: &Registry, team: &str, by: &User, to: &User) -> Response {
    registry.as_user(by).delete(&format!("/api/v1/namespaces/{team}/invitations/{}", to.handle))
}

fn open_invitations(registry: &Registry, user: &User) -> u64 {
    registry.as_user(user).get("/api/v1/me/invitations").expect_json(200)["total"].as_u64().unwrap()
}

#[test]
fn owner_is_made_only_by_an_accepted_invitation() {
    let registry = RUNNING.get(Registry::start);
    let [ann, bob, eve] = ["ann-inv", "bob-inv", "eve-inv"].map(|name| registry.user(name));
    registry.team("invites", &ann);
    registry.join("invites", &ann, &bob, "member");
    let owner = json!({"userId": eve.handle, "role": "owner"});
    let problem = registry.as_user(&ann).post_json(&members("invites"), &owner).problem(403, "forbidden");
    assert!(problem["detail"].as_str().unwrap().contains("are invited, and have to accept"), "{problem}");
    let role = format!("{}/{}/role", members("invites"), bob.handle);
    registry.as_user(&ann).put_json(&role, &json!({"role": "owner"})).problem(403, "forbidden");
    registry.as_user(&registry.admin()).put_json(&role, &json!({"role": "admin"})).expect(200);

    for user in [&bob, &eve] {
        let invitation = invite(&registry, "invites", &ann, user).expect_json(201);
        assert_fields(&invitation, INVITATION);
        assert_eq!(invitation["to"]["handle"], json!(user.handle));
        let listed = registry.as_user(user).get("/api/v1/me/invitations").expect_json(200);
        assert_eq!(listed["items"], json!([invitation]));
        accept(&registry, "invites", &ann, user).problem(404, "not_found");
        let member = accept(&registry, "invites", user, user).expect_json(200);
        assert_fields(&member, "userId handle displayName role createdAt");
        assert_eq!((&member["handle"], &member["role"]), (&json!(user.handle), &json!("owner")));
        assert_eq!(open_invitations(&registry, user), 0);
        accept(&registry, "invites", user, user).problem(404, "not_found");
        invite(&registry, "invites", &ann, user).problem(409, "conflict");
    }
    registry.as_user(&ann).delete(&format!("{}/{}", members("invites"), ann.handle)).expect(204);
}

#[test]
fn invitation_is_declined_or_withdrawn() {
    let registry = RUNNING.get(Registry::start);
    let [ann, bob, eve] = ["ann-dec", "bob-dec", "eve-dec"].map(|name| registry.user(name));
    registry.team("declines", &ann);
    for by in [&ann, &bob] {
        invite(&registry, "declines", &ann, &bob).expect(201);
        end(&registry, "declines", &eve, &bob).problem(404, "not_found");
        end(&registry, "declines", by, &bob).expect(204);
        assert_eq!(open_invitations(&registry, &ann) + open_invitations(&registry, &bob), 0);
        accept(&registry, "declines", &bob, &bob).problem(404, "not_found");
    }
    invite(&registry, "declines", &ann, &bob).expect(201);
    registry.as_user(&ann).put_json("/api/v1/namespaces/declines", &json!({"status": "frozen"})).expect(200);
    accept(&registry, "declines", &bob, &bob).problem(409, "conflict");
    end(&registry, "declines", &bob, &bob).expect(204);
}

#[test]
fn invitation_by_a_former_owner_is_void() {
    let registry = Registry::start();
    let [ann, bob, eve] = ["ann", "bob", "eve"].map(|name| registry.user(name));
    registry.team("former", &ann);
    registry.join("former", &ann, &bob, "owner");
    invite(&registry, "former", &bob, &eve).expect(201);
    registry.as_user(&bob).delete(&format!("{}/bob", members("former"))).expect(204);
    accept(&registry, "former", &eve, &eve).problem(409, "conflict");
    invite(&registry, "former", &ann, &eve).expect(201);
    registry.command(["user", "disable", "ann"]).ok();
    eventually("ann is out", || (registry.as_user(&ann).get("/api/v1/whoami").status == 401).then_some(()));
    accept(&registry, "former", &eve, &eve).problem(409, "conflict");
}
