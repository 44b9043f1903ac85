//! Members of a team, and who may change them.

use serde_json::{Value, json};

use crate::harness::{Registry, Response, Shared, User, assert_fields, eventually};

static RUNNING: Shared<Registry> = Shared::new();

/// A team with an owner, an admin, a member and a stranger to it.
struct Team {
    slug: String,
    owner: User,
    admin: User,
    member: User,
    stranger: User,
}

impl Team {
    fn of(registry: &Registry, slug: &str) -> Self {
        let user = |role: &str| registry.user(&format!("{role}-{slug}"));
        let team = Self {
            slug: slug.to_owned(),
            owner: user("owner"),
            admin: user("admin"),
            member: user("member"),
            stranger: user("stranger"),
        };
        registry.team(slug, &team.owner);
        registry.join(slug, &team.owner, &team.admin, "admin");
        registry.join(slug, &team.owner, &team.member, "member");
        team
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/v1/namespaces/{}/members{rest}", self.slug)
    }

    fn add(&self, registry: &Registry, by: &User, handle: &str, role: &str) -> Response {
        registry.as_user(by).post_json(&self.path(""), &json!({"userId": handle, "role": role}))
    }

    fn role(&self, registry: &Registry, by: &User, of: &User, role: &str) -> Response {
        let path = self.path(&format!("/{}/role", of.handle));
        registry.as_user(by).put_json(&path, &json!({"role": role}))
    }

    fn remove(&self, registry: &Registry, by: &User, of: &User) -> Response {
        registry.as_user(by).delete(&self.path(&format!("/{}", of.handle)))
    }
}

#[test]
fn members_are_listed_for_members_and_staff_only() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "seen");
    let list = registry.as_user(&team.member).get(&team.path("")).expect_json(200);
    assert_fields(&list, "items total page size");
    assert_eq!(list["total"], 3);
    let mut roles: Vec<(String, String)> = Vec::new();
    for member in list["items"].as_array().unwrap() {
        assert_fields(member, "userId handle displayName role createdAt");
        assert_eq!(member["userId"], member["handle"]);
        roles.push((text(&member["handle"]), text(&member["role"])));
    }
    roles.sort();
    let pair = |user: &User, role: &str| (user.handle.clone(), role.to_owned());
    assert_eq!(roles, [pair(&team.admin, "admin"), pair(&team.member, "member"), pair(&team.owner, "owner")]);

    registry.as_user(&registry.admin()).get(&team.path("")).expect(200);
    registry.as_user(&team.stranger).get(&team.path("")).problem(403, "forbidden");
    registry.get(&team.path("")).problem(401, "unauthenticated");
    let second = registry.as_user(&team.owner).get(&team.path("?page=2&size=2")).expect_json(200);
    assert_eq!((second["items"].as_array().unwrap().len(), &second["total"]), (1, &json!(3)));
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

#[test]
fn member_is_added_once_and_must_exist() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "adds");
    let added = team.add(&registry, &team.owner, &team.stranger.handle, "member").expect_json(201);
    assert_fields(&added, "userId handle displayName role createdAt");
    team.add(&registry, &team.owner, &team.stranger.handle, "admin").problem(409, "conflict");
    team.add(&registry, &team.owner, "nobody-at-all", "member").problem(404, "not_found");
    team.add(&registry, &team.owner, &team.stranger.handle, "king").problem(400, "invalid_request");
}

#[test]
fn admins_manage_members_and_owners_manage_everyone() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "levels");
    let new = |n: u8| registry.user(&format!("new-{n}-levels")).handle;
    team.add(&registry, &team.admin, &new(1), "member").expect(201);
    team.add(&registry, &team.admin, &new(2), "admin").problem(403, "forbidden");
    team.add(&registry, &team.admin, &new(3), "owner").problem(403, "forbidden");
    team.add(&registry, &team.member, &new(4), "member").problem(403, "forbidden");
    team.add(&registry, &team.stranger, &new(5), "member").problem(403, "forbidden");
    team.role(&registry, &team.admin, &team.member, "admin").problem(403, "forbidden");
    team.remove(&registry, &team.admin, &team.owner).problem(403, "forbidden");
    team.remove(&registry, &team.member, &team.admin).problem(403, "forbidden");
    assert_eq!(team.role(&registry, &team.owner, &team.member, "admin").expect_json(200)["role"], "admin");
    assert_eq!(team.role(&registry, &team.owner, &team.member, "admin").unchanged()["role"], "admin");
    team.remove(&registry, &team.owner, &team.member).expect(204);
    team.role(&registry, &team.owner, &team.member, "admin").problem(404, "not_found");
    team.remove(&registry, &team.owner, &team.member).problem(404, "not_found");
}

#[test]
fn everyone_may_leave_except_the_last_owner() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "leaves");
    team.remove(&registry, &team.member, &team.member).expect(204);
    team.remove(&registry, &team.owner, &team.owner).problem(409, "conflict");
    team.role(&registry, &team.owner, &team.owner, "member").problem(409, "conflict");
    team.remove(&registry, &registry.admin(), &team.owner).problem(409, "conflict");
    team.role(&registry, &registry.admin(), &team.owner, "admin").problem(409, "conflict");

    registry.join("leaves", &team.owner, &team.admin, "owner");
    team.remove(&registry, &team.owner, &team.owner).expect(204);
    let list = registry.as_user(&team.admin).get(&team.path("")).expect_json(200);
    assert_eq!(list["total"], 1);
}

#[test]
fn members_are_not_public() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("quiet-bob"));
    registry.team("quiet", &ann);
    let before = registry.tree_bytes();
    registry.join("quiet", &ann, &bob, "member");
    assert_eq!(registry.tree_bytes(), before, "a membership is no public matter");
    for (path, bytes) in before {
        assert!(!String::from_utf8_lossy(&bytes).contains("quiet-bob"), "{path} names a member");
    }
}

#[test]
fn disabled_owner_does_not_count_as_owner() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.team("pair", &ann);
    registry.join("pair", &ann, &bob, "owner");
    registry.command(["user", "disable", "ann"]).ok();
    eventually("ann is out", || (registry.as_user(&ann).get("/api/v1/whoami").status == 401).then_some(()));
    let left = registry.as_user(&bob).delete("/api/v1/namespaces/pair/members/bob");
    left.problem(409, "conflict");
}
