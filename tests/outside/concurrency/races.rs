//! Concurrent writes: one wins, the others get an error, and nothing is lost.

use std::collections::BTreeMap;
use std::sync::Barrier;

use serde_json::{Value, json};

use crate::harness::{Client, Registry, Response, Skill, User, eventually, skill_path};

/// Does `deed` as many times at once as there are `inputs`, and gives the
/// answers in their order.
fn at_once<I: Sync>(inputs: &[I], deed: impl Fn(&I) -> Response + Sync) -> Vec<Response> {
    let barrier = Barrier::new(inputs.len());
    std::thread::scope(|scope| {
        let run = |input| {
            let (barrier, deed) = (&barrier, &deed);
            scope.spawn(move || {
                barrier.wait();
                deed(input)
            })
        };
        let running: Vec<_> = inputs.iter().map(run).collect();
        running.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    })
}

/// How many answers there are of each status.
fn statuses(answers: &[Response]) -> BTreeMap<u16, usize> {
    let mut statuses = BTreeMap::new();
    for response in answers {
        *statuses.entry(response.status).or_default() += 1;
    }
    statuses
}

#[track_caller]
fn one_wins(answers: &[Response], won: u16) {
    let wanted = BTreeMap::from([(won, 1), (409, answers.len() - 1)]);
    assert_eq!(statuses(answers), wanted, "{:?}", answers.iter().map(Response::text).collect::<Vec<_>>());
}

fn people<const N: usize>(registry: &Registry, team: &str, owner: &User, role: &str) -> [User; N] {
    std::array::from_fn(|n| {
        let user = registry.user(&format!("{role}-{n}"));
        registry.join(team, owner, &user, role);
        user
    })
}

#[test]
fn concurrent_review_decisions_have_one_winner() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.reviewing_team("team", &ann);
    registry.join("team", &ann, &bob, "member");
    let [admin] = people(&registry, "team", &ann, "admin");
    for round in 0..12 {
        let receipt = registry.submit("team/hello", &format!("1.{round}.0"), &bob);
        let verdicts = if round % 3 == 2 { ["approve", "reject"] } else { ["approve", "approve"] };
        let answers = at_once(&[(&ann, verdicts[0]), (&admin, verdicts[1])], |(who, verdict)| {
            registry.decide(who, verdict, ("team", &receipt["reviewId"]))
        });
        one_wins(&answers, 200);
    }
    registry.command(["verify"]).ok();
}

#[test]
fn concurrent_publishes_of_one_version_have_one_winner() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("team", &ann);
    let members: [User; 4] = people(&registry, "team", &ann, "member");
    for round in 0..8 {
        let answers = at_once(&members, |member| {
            let skill = Skill::named("hello").text(&format!("By {}.\n", member.handle));
            registry.publish(skill).to("team").version(&format!("1.{round}.0")).by(member)
        });
        one_wins(&answers, 201);
        // Equal content is no conflict.
        let answers = at_once(&members, |member| {
            let skill = Skill::named("same").text(&format!("Number {round}.\n"));
            registry.publish(skill).to("team").version(&format!("1.{round}.0")).by(member)
        });
        assert_eq!(statuses(&answers), BTreeMap::from([(201, 1), (200, 3)]));
        let digests: Vec<Value> = answers.iter().map(|response| response.json()["sha256"].clone()).collect();
        assert!(digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
    }
    registry.command(["verify"]).ok();
}

#[test]
fn thousand_stars_from_32_connections_are_all_counted() {
    let registry = Registry::with_config("[mirror]\ncounter_interval = 1\n");
    registry.versions("global/hello", &["1.0.0"], &registry.admin());
    let fans: Vec<User> = (0..32).map(|n| registry.user(&format!("fan-{n}"))).collect();
    let path = format!("{}/star", skill_path("global/hello"));
    // Each gives and takes a star 32 times; the even ones leave theirs.
    let barrier = Barrier::new(fans.len());
    std::thread::scope(|scope| {
        for (number, fan) in fans.iter().enumerate() {
            let (client, barrier, path) = (registry.as_user(fan), &barrier, path.as_str());
            scope.spawn(move || {
                barrier.wait();
                for turn in 0..32 {
                    let gives = turn % 2 != number % 2;
                    let response = client.request(if gives { "POST" } else { "DELETE" }, path, None);
                    assert_eq!(response.expect_json(200)["starred"], gives);
                }
            });
        }
    });
    let fan = registry.as_user(&fans[0]);
    assert_eq!(fan.request("POST", &path, None).unchanged(), json!({"starred": true, "starCount": 16}));
    eventually("the tree shows the number", || {
        (registry.tree_json("api/v1/skills/global/hello.json")["starCount"] == 16).then_some(())
    });
    for (number, fan) in fans.iter().enumerate() {
        let total = registry.as_user(fan).get("/api/v1/me/stars").expect_json(200)["total"].clone();
        assert_eq!(total, 1 - number % 2);
    }
    registry.command(["verify"]).ok();
}

#[test]
fn concurrent_ratings_are_all_counted() {
    let registry = Registry::start();
    registry.versions("global/hello", &["1.0.0"], &registry.admin());
    let raters: Vec<User> = (0..16).map(|n| registry.user(&format!("rater-{n}"))).collect();
    for score in 1..=5 {
        let answers = at_once(&raters, |rater| registry.rate("global/hello", score, rater));
        assert_eq!(statuses(&answers), BTreeMap::from([(200, 16)]));
    }
    let last = registry.rate("global/hello", 5, &raters[0]).unchanged();
    assert_eq!((&last["ratingAverage"], &last["ratingCount"]), (&json!(5), &json!(16)));
}

#[test]
fn concurrent_creations_of_a_namespace_have_one_winner() {
    let registry = Registry::start();
    let people: Vec<User> = (0..8).map(|n| registry.user(&format!("user-{n}"))).collect();
    let answers = at_once(&people, |user| {
        registry.as_user(user).post_json("/api/v1/namespaces", &json!({"slug": "wanted"}))
    });
    one_wins(&answers, 201);
    let owner = answers.iter().position(|response| response.status == 201).expect("a winner");
    let members = registry.as_user(&people[owner]).get("/api/v1/namespaces/wanted/members").expect_json(200);
    assert_eq!(
        (&members["total"], &members["items"][0]["handle"]),
        (&json!(1), &json!(people[owner].handle))
    );
}

#[test]
fn concurrent_writes_to_a_member_tag_or_token_have_one_winner() {
    let registry = Registry::start();
    let (ann, new) = (registry.user("ann"), registry.user("new"));
    registry.team("team", &ann);
    registry.versions("team/hello", &["1.0.0", "1.1.0"], &ann);
    let clients: Vec<Client> = (0..8).map(|_| registry.as_user(&ann)).collect();
    let body = json!({"userId": "new", "role": "member"});
    let added = at_once(&clients, |client| client.post_json("/api/v1/namespaces/team/members", &body));
    one_wins(&added, 201);
    let path = "/api/v1/namespaces/team/members/new";
    let removed = at_once(&clients, |client| client.delete(path));
    assert_eq!(statuses(&removed), BTreeMap::from([(204, 1), (404, 7)]));
    registry.as_user(&new).get("/api/v1/namespaces/team/members").problem(403, "forbidden");

    let tag = format!("{}/tags/stable", skill_path("team/hello"));
    let set = at_once(&clients, |client| client.put_json(&tag, &json!({"version": "1.0.0"})));
    assert_eq!(statuses(&set), BTreeMap::from([(200, 7), (201, 1)]), "it was made once");
    assert_eq!(set.iter().filter(|response| response.header("x-revision").is_some()).count(), 1);
    let removed = at_once(&clients, |client| client.delete(&tag));
    assert_eq!(statuses(&removed), BTreeMap::from([(204, 1), (404, 7)]));

    let made = at_once(&clients, |client| client.post_json("/api/v1/tokens", &json!({"name": "ci"})));
    one_wins(&made, 201);
    let id = made.iter().find(|response| response.status == 201).expect("a winner").json()["id"].clone();
    let path = format!("/api/v1/tokens/{}", id.as_str().unwrap());
    let ended = at_once(&clients, |client| client.delete(&path));
    assert_eq!(statuses(&ended), BTreeMap::from([(204, 1), (404, 7)]));
    registry.command(["verify"]).ok();
}

#[test]
fn last_owner_cannot_leave_concurrently() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("team", &ann);
    let owners: [User; 4] = people(&registry, "team", &ann, "owner");
    registry.as_user(&ann).delete("/api/v1/namespaces/team/members/ann").expect(204);
    let answers = at_once(&owners, |owner| {
        registry.as_user(owner).delete(&format!("/api/v1/namespaces/team/members/{}", owner.handle))
    });
    assert_eq!(statuses(&answers), BTreeMap::from([(204, 3), (409, 1)]));
}

#[test]
fn concurrent_yank_removal_and_promotion_stay_consistent() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("team", &ann);
    registry.versions("team/hello", &["1.0.0", "1.1.0"], &ann);
    let id = registry.read(&skill_path("team/hello"))["id"].as_str().unwrap().to_owned();
    let clients: Vec<Client> = (0..6).map(|_| registry.as_user(&ann)).collect();
    let path = format!("/api/v1/namespaces/team/skills/{id}/promote");
    one_wins(&at_once(&clients, |client| client.post_json(&path, &json!({}))), 201);
    let path = format!("{}/versions/1.0.0/yank", skill_path("team/hello"));
    let yanked = at_once(&clients, |client| client.post_json(&path, &json!({"reason": "Once."})));
    assert_eq!(statuses(&yanked), BTreeMap::from([(200, 6)]));
    assert_eq!(yanked.iter().filter(|response| response.header("x-revision").is_some()).count(), 1);
    let removed = at_once(&clients, |client| client.delete(&skill_path("team/hello")));
    assert_eq!(statuses(&removed), BTreeMap::from([(204, 1), (410, 5)]));
    let restored =
        at_once(&clients, |client| client.request("POST", "/api/v1/skills/team/hello/restore", None));
    assert_eq!(statuses(&restored), BTreeMap::from([(200, 6)]));
    assert_eq!(registry.read(&skill_path("team/hello"))["version"], "1.1.0");
    registry.command(["verify"]).ok();
}

#[test]
fn concurrent_publishes_on_two_servers_have_one_winner() {
    let registry = Registry::start();
    let beside = registry.start_second(&["--no-mirror"]);
    let admin = registry.admin();
    registry.versions("global/hello", &["1.0.0"], &admin);
    let servers = || [registry.as_user(&admin), beside.client().as_user(&admin)];
    for round in 0..8 {
        let name = json!({"slug": format!("team-{round}")});
        one_wins(&at_once(&servers(), |server| server.post_json("/api/v1/namespaces", &name)), 201);
        let ann = registry.user(&format!("ann-{round}"));
        let receipt = registry.submit(&format!("global/skill-{round}"), "1.0.0", &ann);
        let review = receipt["reviewId"].as_str().unwrap();
        let path = format!("/api/v1/namespaces/global/reviews/{review}/approve");
        one_wins(&at_once(&servers(), |server| server.post_json(&path, &json!({}))), 200);
        let tag = format!("{}/tags/tag-{round}", skill_path("global/hello"));
        let set = at_once(&servers(), |server| server.put_json(&tag, &json!({"version": "1.0.0"})));
        assert_eq!(statuses(&set), BTreeMap::from([(200, 1), (201, 1)]));
    }
    registry.command(["verify"]).ok();
}
