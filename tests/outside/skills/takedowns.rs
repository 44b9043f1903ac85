//! What staff took down, only staff lift. What a team's admins took down, its author does not.

use serde_json::json;

use crate::harness::{Registry, Response, Skill, User, skill_path};

const SKILL: &str = "team/hello";

/// A registry with `team/hello` 1.0.0 and 2.0.0 of ann's team.
fn with_skill() -> (Registry, User, User) {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("team", &ann);
    registry.versions(SKILL, &["1.0.0", "2.0.0"], &ann);
    let admin = registry.admin();
    (registry, ann, admin)
}

fn unyank(registry: &Registry, version: &str, by: &User) -> Response {
    registry.as_user(by).delete(&format!("{}/versions/{version}/yank", skill_path(SKILL)))
}

fn status(registry: &Registry, version: &str) -> String {
    let version = registry.read(&format!("{}/versions/{version}", skill_path(SKILL)));
    version["status"].as_str().unwrap().to_owned()
}

#[test]
fn yank_by_staff_is_undone_only_by_staff() {
    let (mut registry, ann, admin) = with_skill();
    registry.yank(SKILL, "1.0.0", &admin).expect(200);
    let check = |registry: &Registry| {
        unyank(registry, "1.0.0", &ann).problem(403, "forbidden");
        let path = format!("{}/versions/1.0.0/yank", skill_path(SKILL));
        registry.as_user(&ann).post_json(&path, &json!({"reason": "Mine."})).problem(403, "forbidden");
        assert_eq!(status(registry, "1.0.0"), "yanked");
    };
    check(&registry);
    // Removing and restoring the skill changes nothing about it.
    registry.remove(SKILL, &ann).expect(204);
    registry.restore(SKILL, &ann).expect(200);
    check(&registry);
    // The same content does not come back under another number.
    let again = Skill::named("hello").text("This is 1.0.0.\n");
    registry.publish(again).to("team").version("3.0.0").by(&ann).problem(409, "conflict");
    registry.stop();
    registry.restart();
    check(&registry);
    let audit = registry.command(["audit", "--skill", "team--hello"]).ok();
    assert!(audit.stdout.contains("admin yanked team--hello 1.0.0"), "{audit:?}");
    assert!(audit.stdout.contains("admin left it to staff to undo the yank"), "{audit:?}");
    unyank(&registry, "1.0.0", &admin).expect(200);
    // From here on the author's own yank is the author's again.
    registry.yank(SKILL, "1.0.0", &ann).expect(200);
    unyank(&registry, "1.0.0", &ann).expect(200);
    assert_eq!(status(&registry, "1.0.0"), "published");
}

#[test]
fn approval_does_not_bring_back_what_staff_yanked() {
    let (registry, ann, admin) = with_skill();
    let bob = registry.user("bob");
    registry.join("team", &ann, &bob, "member");
    let reviewed = json!({"reviewRequired": true});
    registry.as_user(&ann).put_json("/api/v1/namespaces/team", &reviewed).expect(200);
    let same = Skill::named("hello").text("This is 1.0.0.\n");
    let submitted = registry.publish(same).to("team").version("3.0.0").by(&bob).expect_json(201);
    registry.yank(SKILL, "1.0.0", &admin).expect(200);
    let review = ("team", &submitted["reviewId"]);
    let refused = registry.decide(&ann, "approve", review).problem(409, "conflict");
    assert!(refused["detail"].as_str().unwrap().contains("staff has yanked version 1.0.0"), "{refused}");
    registry.decide(&admin, "approve", review).expect(200);
    assert_eq!(status(&registry, "3.0.0"), "published");
}

#[test]
fn yank_by_staff_of_a_yanked_version_takes_it_over() {
    let (registry, ann, admin) = with_skill();
    registry.yank(SKILL, "1.0.0", &ann).expect(200);
    registry.yank(SKILL, "1.0.0", &admin).expect(200);
    unyank(&registry, "1.0.0", &ann).problem(403, "forbidden");
    // A repeated request of the author still changes nothing.
    registry.yank(SKILL, "1.0.0", &ann).expect(200);
    unyank(&registry, "2.0.0", &ann).expect(200);
}

#[test]
fn removal_by_staff_is_undone_only_by_staff() {
    let (registry, ann, admin) = with_skill();
    registry.remove(SKILL, &admin).expect(204);
    registry.restore(SKILL, &ann).problem(403, "forbidden");
    registry.get(&skill_path(SKILL)).expect(410);
    registry.restore(SKILL, &admin).expect(200);
    registry.remove(SKILL, &ann).expect(204);
    registry.restore(SKILL, &ann).expect(200);
    // Removing it first does not keep it from staff.
    registry.remove(SKILL, &ann).expect(204);
    registry.remove(SKILL, &admin).expect(204);
    registry.remove(SKILL, &admin).problem(410, "gone");
    registry.restore(SKILL, &ann).problem(403, "forbidden");
    let audit = registry.command(["audit", "--skill", "team--hello"]).ok();
    assert_eq!(audit.stdout.matches("admin left it to staff to restore").count(), 2, "{audit:?}");
}

#[test]
fn platform_admin_acts_as_the_author_of_own_skills() {
    let registry = Registry::start();
    let (admin, ann) = (registry.admin(), registry.user("ann"));
    registry.team("team", &admin);
    registry.join("team", &admin, &ann, "admin");
    registry.versions(SKILL, &["1.0.0"], &admin);
    registry.yank(SKILL, "1.0.0", &admin).expect(200);
    unyank(&registry, "1.0.0", &ann).expect(200);
}

/// Asserts that the team's members cannot undo the yank of 1.0.0.
fn assert_yank_stays(registry: &Registry, author: &User) {
    unyank(registry, "1.0.0", author).problem(403, "forbidden");
    let path = format!("{}/versions/1.0.0/yank", skill_path(SKILL));
    registry.as_user(author).post_json(&path, &json!({"reason": "Mine."})).problem(403, "forbidden");
    let again = Skill::named("hello").text("This is 1.0.0.\n");
    registry.publish(again).to("team").version("3.0.0").by(author).problem(409, "conflict");
    assert_eq!(status(registry, "1.0.0"), "yanked");
}

#[test]
fn yank_by_a_namespace_admin_is_not_undone_by_the_author() {
    let registry = Registry::start();
    let [own, adm, ann] = ["own", "adm", "ann"].map(|name| registry.user(name));
    registry.team("team", &own);
    registry.join("team", &own, &adm, "admin");
    registry.join("team", &own, &ann, "member");
    registry.versions(SKILL, &["1.0.0", "2.0.0"], &ann);
    for (by, lifted_by) in [(&adm, &own), (&own, &adm), (&adm, &registry.admin())] {
        registry.yank(SKILL, "1.0.0", by).expect(200);
        assert_yank_stays(&registry, &ann);
        unyank(&registry, "1.0.0", lifted_by).expect(200);
        // The author's own yank is the author's.
        registry.yank(SKILL, "1.0.0", &ann).expect(200);
        unyank(&registry, "1.0.0", &ann).expect(200);
    }
    // An admin can take over the yank of the author, and staff that of the admin.
    registry.yank(SKILL, "1.0.0", &ann).expect(200);
    registry.yank(SKILL, "1.0.0", &adm).expect(200);
    assert_yank_stays(&registry, &ann);
    registry.yank(SKILL, "1.0.0", &registry.admin()).expect(200);
    registry.yank(SKILL, "1.0.0", &adm).expect(200);
    unyank(&registry, "1.0.0", &own).problem(403, "forbidden");
    let audit = registry.command(["audit", "--skill", "team--hello"]).ok();
    let left = "adm left it to the namespace's admins to undo the yank";
    assert!(audit.stdout.contains(left), "{audit:?}");
}

#[test]
fn removal_by_a_namespace_owner_is_not_undone_by_the_author() {
    let mut registry = Registry::start();
    let [own, ann] = ["own", "ann"].map(|name| registry.user(name));
    registry.team("team", &own);
    registry.join("team", &own, &ann, "member");
    registry.versions(SKILL, &["1.0.0"], &ann);
    registry.remove(SKILL, &own).expect(204);
    registry.remove(SKILL, &own).problem(410, "gone");
    registry.restore(SKILL, &ann).problem(403, "forbidden");
    registry.stop();
    registry.restart();
    registry.restore(SKILL, &ann).problem(403, "forbidden");
    registry.restore(SKILL, &own).expect(200);
    registry.remove(SKILL, &ann).expect(204);
    registry.restore(SKILL, &ann).expect(200);
    registry.remove(SKILL, &ann).expect(204);
    registry.remove(SKILL, &own).expect(204);
    registry.restore(SKILL, &ann).problem(403, "forbidden");
}
