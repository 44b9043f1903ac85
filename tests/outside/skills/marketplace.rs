//! The marketplaces of Claude Code. tests/clients/agents has the client itself.

use serde_json::{Value, json};

use crate::harness::{Registry, Skill};

#[test]
fn marketplace_describes_its_skills_and_names_removed_ones() {
    let registry = Registry::with_config("public_url = \"https://skills.example.org\"\n");
    let admin = registry.admin();
    registry.as_user(&admin).post_json("/api/v1/namespaces", &json!({"slug": "team"})).expect(201);
    for slug in ["hello", "gone"] {
        let skill = Skill::named(slug).line("metadata: {title: Hello There}");
        registry.publish(skill).to("team").by(&admin).expect(201);
    }
    registry.publish(Skill::named("plain")).by(&admin).expect(201);
    let all = || registry.get("/.claude-plugin/marketplace.json").expect(200).json();
    assert_eq!(all()["description"], "Skills of skills.example.org");
    let plugins = all()["plugins"].clone();
    let titles: Vec<_> = plugins.as_array().unwrap().iter().map(|plugin| &plugin["displayName"]).collect();
    assert_eq!(titles, [&Value::Null, &json!("Hello There"), &json!("Hello There")]);
    assert_eq!(all()["renames"], Value::Null);
    registry.remove("team/gone", &admin).expect(204);
    assert_eq!(all()["renames"], json!({"team--gone": null}));
    let of_team = registry.get("/team/.claude-plugin/marketplace.json").expect(200).json();
    assert_eq!(of_team["description"], "Skills of @team at skills.example.org");
    assert_eq!(of_team["renames"], json!({"gone": null}));
    registry.restore("team/gone", &admin).expect(200);
    assert_eq!(all()["renames"], Value::Null);
}
