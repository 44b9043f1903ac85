//! Submissions are pending and invisible until they are approved.

use serde_json::{Value, json};

use crate::harness::{Registry, Skill, User};

/// A team `desk` with required review: an owner and two members.
fn desk() -> (Registry, User, [User; 2]) {
    let registry = Registry::start();
    let (ann, bob, eve) = (registry.user("ann"), registry.user("bob"), registry.user("eve"));
    let body = json!({"slug": "desk", "reviewRequired": true});
    registry.as_user(&ann).post_json("/api/v1/namespaces", &body).expect(201);
    registry.join("desk", &ann, &bob, "member");
    registry.join("desk", &ann, &eve, "member");
    (registry, ann, [bob, eve])
}

#[test]
fn submission_of_a_member_is_pending_and_not_public() {
    let (registry, _, [bob, _]) = desk();
    let before = registry.tree_bytes();
    let skill = Skill::named("unseen-name").description("An unseen description.");
    let response = registry.publish(skill).to("desk").tags("unseen-tag").by(&bob);
    assert!(response.require_header("x-revision").parse::<u64>().unwrap() > 0);
    let receipt = response.expect_json(201);
    assert_eq!((&receipt["status"], &receipt["version"]), (&json!("pending_review"), &json!("1.0.0")));
    receipt["reviewId"].as_str().expect("a review").parse::<u64>().expect("an id is a decimal revision");

    assert_eq!(registry.tree_bytes(), before, "nothing public happened");
    for path in [
        "/api/v1/skills/desk/unseen-name",
        "/api/v1/skills/desk/unseen-name/versions/1.0.0",
        "/api/v1/skills/desk/unseen-name/download",
        "/api/v1/resolve?slug=desk--unseen-name",
        "/api/v1/download/desk--unseen-name/1.0.0",
    ] {
        registry.get(path).problem(404, "not_found");
        registry.as_user(&bob).get(path).problem(404, "not_found");
    }
    assert_eq!(registry.read("/api/v1/namespaces/desk")["skillCount"], 0);
    assert_eq!(registry.read("/api/v1/skills")["total"], 0);
}

#[test]
fn submission_stays_out_of_the_feed() {
    let (registry, ann, [bob, _]) = desk();
    registry.publish(Skill::named("unseen-name").version("7.7.7")).to("desk").by(&bob).expect(201);
    registry.publish(Skill::named("seen")).to("desk").by(&ann).expect(201);
    for (path, bytes) in registry.tree_bytes() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("unseen-name") && !text.contains("7.7.7"), "{path} names what is pending");
    }
}

#[test]
fn owners_and_admins_publish_without_review() {
    let (registry, ann, [bob, _]) = desk();
    let path = format!("/api/v1/namespaces/desk/members/{}/role", bob.handle);
    registry.as_user(&ann).put_json(&path, &json!({"role": "admin"})).expect(200);
    for (user, name) in [(&ann, "by-owner"), (&bob, "by-admin"), (&registry.admin(), "by-platform")] {
        let receipt = registry.publish(Skill::named(name)).to("desk").by(user).expect_json(201);
        assert_eq!((&receipt["status"], &receipt["reviewId"]), (&json!("published"), &Value::Null), "{name}");
    }
}

#[test]
fn team_without_review_publishes_at_once() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.team("open", &ann);
    registry.join("open", &ann, &bob, "member");
    let receipt = registry.publish(Skill::named("hello")).to("open").by(&bob).expect_json(201);
    assert_eq!(receipt["status"], "published");
}

#[test]
fn global_accepts_submissions_from_anyone() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let receipt = registry.publish(Skill::named("hello")).by(&ann).expect_json(201);
    assert_eq!((&receipt["status"], &receipt["namespace"]), (&json!("pending_review"), &json!("global")));
    registry.get("/api/v1/skills/global/hello").problem(404, "not_found");
}

#[test]
fn same_submission_again_is_the_same_review() {
    let (registry, _, [bob, _]) = desk();
    let submit = || registry.publish(Skill::named("hello")).to("desk").by(&bob);
    let first = submit().expect_json(201);
    let again = submit().expect_json(200);
    assert_eq!(again, first);
    let with_version = registry.publish(Skill::named("hello")).to("desk").version("1.0.0").by(&bob);
    assert_eq!(with_version.expect_json(200)["reviewId"], first["reviewId"]);
}

#[test]
fn newer_submission_of_a_version_replaces_it() {
    let (registry, _, [bob, _]) = desk();
    let submit = |text: &str| {
        registry
            .publish(Skill::named("hello").text(text))
            .to("desk")
            .version("1.0.0")
            .by(&bob)
            .expect_json(201)
    };
    let (old, new) = (submit("old"), submit("new"));
    assert_ne!(old["reviewId"], new["reviewId"]);
    assert_eq!(new["status"], "pending_review");
}

#[test]
fn submission_of_a_version_by_another_user_is_409() {
    let (registry, _, [bob, eve]) = desk();
    registry.publish(Skill::named("hello")).to("desk").version("1.0.0").by(&bob).expect(201);
    let other = Skill::named("hello").text("Hers.\n");
    registry.publish(other).to("desk").version("1.0.0").by(&eve).problem(409, "conflict");
    let same = registry.publish(Skill::named("hello")).to("desk").version("1.0.0").by(&eve);
    same.problem(409, "conflict");
}

#[test]
fn pending_submission_survives_a_restart() {
    let (mut registry, _, [bob, _]) = desk();
    let first = registry.publish(Skill::named("hello")).to("desk").by(&bob).expect_json(201);
    registry.stop();
    registry.restart();
    let again = registry.publish(Skill::named("hello")).to("desk").by(&bob).expect_json(200);
    assert_eq!(again, first);
}

#[test]
fn published_name_in_global_belongs_to_its_author() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.publish(Skill::named("taken")).by(&registry.admin()).expect(201);
    let other = Skill::named("taken").text("Mine.\n");
    registry.publish(other).by(&ann).problem(409, "conflict");
}

#[test]
fn pending_version_number_is_skipped_and_its_id_is_kept() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry
        .as_user(&ann)
        .post_json("/api/v1/namespaces", &json!({"slug": "tt", "reviewRequired": true}))
        .expect(201);
    registry.join("tt", &ann, &bob, "member");
    let waiting = registry.publish(Skill::named("alpha").text("bob's")).to("tt").by(&bob).expect_json(201);
    assert_eq!(
        (waiting["status"].as_str(), waiting["version"].as_str()),
        (Some("pending_review"), Some("1.0.0"))
    );
    // A user need not know the numbers of invisible submissions.
    let direct = registry.publish(Skill::named("alpha").text("ann's")).to("tt").by(&ann).expect_json(201);
    assert_eq!((direct["status"].as_str(), direct["version"].as_str()), (Some("published"), Some("1.0.1")));
    assert_eq!(direct["skillId"], waiting["skillId"]);
}

#[test]
fn pending_submission_looks_like_a_missing_skill_to_others() {
    let (registry, ann, [bob, eve]) = desk();
    let form = registry.publish(Skill::named("waiting")).to("desk").version("7.7.7").tags("beta");
    form.by(&bob).expect(201);
    let rejected = registry.submit("desk/refused", "7.7.7", &bob);
    registry.decide(&ann, "reject", ("desk", &rejected["reviewId"])).expect(200);
    let rests = ["", "/versions", "/versions/7.7.7", "/download", "/resolve", "/resolve?tag=beta", "/tags"];
    for (slug, rest) in ["waiting", "refused"].iter().flat_map(|slug| rests.map(|rest| (*slug, rest))) {
        for user in [&eve, &ann, &bob] {
            let printed = |slug: &str| {
                let response = registry.as_user(user).get(&format!("/api/v1/skills/desk/{slug}{rest}"));
                response.problem(404, "not_found")["detail"].to_string().replace(slug, "")
            };
            assert_eq!(printed(slug), printed("absent"), "{rest} for {}", user.handle);
        }
    }
    for deed in ["star", "restore", "transfer/accept"] {
        let printed = |slug: &str| {
            let path = format!("/api/v1/skills/desk/{slug}/{deed}");
            let response = registry.as_user(&eve).request("POST", &path, None);
            response.problem(404, "not_found")["detail"].to_string().replace(slug, "")
        };
        assert_eq!(printed("waiting"), printed("absent"), "{deed}");
    }
}

#[test]
fn waiting_reviews_are_listed_for_those_who_decide_them() {
    let (registry, ann, [bob, eve]) = desk();
    let waiting = |by: &User| -> Vec<(String, String)> {
        let list = registry.as_user(by).get("/api/v1/reviews").expect_json(200);
        let items = list["items"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        items.map(|review| (text(&review["namespace"]), text(&review["slug"]))).collect()
    };
    registry.publish(Skill::named("first")).to("desk").by(&bob).expect(201);
    registry.publish(Skill::named("second")).by(&bob).expect(201);
    let third = registry.publish(Skill::named("third")).to("desk").by(&eve).expect_json(201);
    let names = |names: &[(&str, &str)]| -> Vec<(String, String)> {
        names.iter().map(|(namespace, slug)| ((*namespace).to_owned(), (*slug).to_owned())).collect()
    };
    assert_eq!(waiting(&ann), names(&[("desk", "first"), ("desk", "third")]));
    assert_eq!(waiting(&bob), names(&[]));
    assert_eq!(
        waiting(&registry.admin()),
        names(&[("desk", "first"), ("global", "second"), ("desk", "third")])
    );
    registry.decide(&ann, "reject", ("desk", &third["reviewId"])).expect(200);
    assert_eq!(waiting(&ann), names(&[("desk", "first")]));
    // Nobody but platform admins decides on what they have submitted.
    registry.command(["user", "add", "mia", "--role", "moderator"]).ok();
    let mia = User { handle: "mia".into(), token: registry.issue("mia", &["--name", "test"]) };
    registry.publish(Skill::named("fourth")).by(&mia).expect(201);
    assert_eq!(waiting(&mia), names(&[("desk", "first"), ("global", "second")]));
}
