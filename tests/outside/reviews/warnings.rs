//! What a reviewer learns before an approval makes it public.

use serde_json::{Value, json};

use crate::harness::{Registry, Response, Skill, User, eventually};

fn detail(registry: &Registry, namespace: &str, review: &Value) -> Value {
    let path = format!("/api/v1/namespaces/{namespace}/reviews/{}", review.as_str().unwrap());
    registry.as_user(&registry.admin()).get(&path).expect_json(200)
}

#[test]
fn review_shows_changelog_and_tags_and_where_they_point() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let send = |version: &str, tags: &str, changelog: &str| {
        let skill = Skill::named("hello").text(&format!("This is {version}.\n"));
        registry.publish(skill).version(version).tags(tags).changelog(changelog).by(&ann).expect_json(201)
    };
    let first = send("1.0.0", "stable", "The first.");
    registry.decide(&registry.admin(), "approve", ("global", &first["reviewId"])).expect(200);
    let second = send("2.0.0", "stable,beta", "Says more.");
    let shown = detail(&registry, "global", &second["reviewId"]);
    assert_eq!(shown["changelog"], "Says more.");
    let tags = json!([
        {"name": "beta", "currentVersion": null}, {"name": "stable", "currentVersion": "1.0.0"},
    ]);
    assert_eq!(shown["tags"], tags);
    let past = detail(&registry, "global", &first["reviewId"]);
    assert_eq!((&past["changelog"], &past["tags"][0]["name"]), (&json!("The first."), &json!("stable")));
}

#[test]
fn changelog_with_a_secret_is_refused() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let secret = format!("ghp_{}Qw9rTy2Lp8VbXc4Nm6HsJd1Fg7A", "Zk3".repeat(3));
    let response =
        registry.publish(Skill::named("hello")).changelog(&format!("Fixes it.\nUse {secret}.\n")).by(&ann);
    let problem = response.problem(422, "invalid_package");
    assert_eq!(problem["errors"][0]["code"], "secret_found", "{problem}");
    let why = problem["errors"][0]["message"].as_str().unwrap();
    assert!(why.contains("the changelog") && !problem.to_string().contains(&secret), "{problem}");
}

#[test]
fn submission_of_a_disabled_account_needs_consent() {
    let registry = Registry::start();
    let (ann, admin) = (registry.user("ann"), registry.admin());
    let receipt = registry.submit("global/hello", "1.0.0", &ann);
    let review = &receipt["reviewId"];
    assert_eq!(detail(&registry, "global", review)["disabledAccounts"], json!([]));
    registry.command(["user", "disable", "ann"]).ok();
    eventually("ann is disabled", || {
        (registry.as_user(&ann).get("/api/v1/whoami").status == 401).then_some(())
    });
    assert_eq!(detail(&registry, "global", review)["disabledAccounts"], json!(["ann"]));
    let list = registry.as_user(&admin).get("/api/v1/namespaces/global/reviews").expect_json(200);
    assert_eq!(list["items"][0]["disabledAccounts"], json!(["ann"]));
    let approve = |by: &User, body: &Value| -> Response {
        let id = review.as_str().unwrap();
        registry.as_user(by).post_json(&format!("/api/v1/namespaces/global/reviews/{id}/approve"), body)
    };
    for body in [json!({}), json!({"comment": "Fine."}), json!({"acceptDisabled": false})] {
        let problem = approve(&admin, &body).problem(409, "conflict");
        assert!(problem["detail"].as_str().unwrap().contains("acceptDisabled"), "{problem}");
    }
    registry.get("/api/v1/skills/global/hello").expect(404);
    approve(&admin, &json!({"acceptDisabled": true})).expect(200);
    registry.get("/api/v1/skills/global/hello").expect(200);
}

#[test]
fn settings_of_tools_are_shown_to_reviewers_and_on_the_page() {
    let registry = Registry::start();
    let [owner, bob] = ["owner", "bob"].map(|name| registry.user(name));
    registry.reviewing_team("desk", &owner);
    registry.join("desk", &owner, &bob, "member");
    let skill = Skill::named("hello")
        .file(".mcp.json", "{}")
        .file(".claude/settings.json", "{}")
        .file(".envrc", "use flake\n")
        .file("hooks/start.sh", "#!/bin/sh\n");
    let receipt = registry.publish(skill).to("desk").by(&bob).expect_json(201);
    let id = receipt["reviewId"].as_str().unwrap();
    let path = format!("/api/v1/namespaces/desk/reviews/{id}");
    let review = registry.as_user(&owner).get(&path).expect_json(200);
    let warned = |record: &Value| -> Vec<String> {
        let warnings = record["warnings"].as_array().unwrap();
        assert!(warnings.iter().all(|warning| warning["code"] == "configures_tools"), "{record}");
        warnings.iter().map(|warning| warning["path"].as_str().unwrap().to_owned()).collect()
    };
    let paths = [".claude", ".envrc", ".mcp.json", "hooks"];
    assert_eq!(warned(&receipt), paths);
    assert_eq!(warned(&review), paths);
    registry.decide(&owner, "approve", ("desk", &receipt["reviewId"])).expect(200);
    assert_eq!(warned(&registry.read("/api/v1/skills/desk/hello/versions/1.0.0")), paths);
    let page = registry.get("/desk/hello/").expect(200).text();
    assert!(page.contains("this package configures tools (MCP servers)"), "{page}");
    let (_, box_of_risks) = page.split_once("notice-warning").unwrap();
    assert!(box_of_risks.split_once("</section>").unwrap().0.contains("configures tools"), "{page}");
}
