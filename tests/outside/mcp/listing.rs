//! `skills/list`.

use serde_json::{Value, json};

use super::{agents, stocked};
use crate::harness::{Project, Skill, sha256};

fn uris(skills: &[Value]) -> Vec<&str> {
    skills.iter().map(|skill| skill["uri"].as_str().expect("a URI")).collect()
}

#[test]
fn list_has_the_latest_version_of_each_skill_once() {
    let (registry, _) = stocked();
    let project = Project::new();
    for agent in agents(&registry, &project) {
        let (skills, pages) = agent.skills();
        assert_eq!(pages, 1);
        let expected = [
            "skill://tools/after/before/SKILL.md",
            "skill://tools/hello/SKILL.md",
            "skill://tools/pdf-forms/SKILL.md",
        ];
        assert_eq!(uris(&skills), expected, "the last publication first; two are left out");
        let pdf = &skills[2];
        let wanted = json!({
            "name": "pdf-forms", "description": "Fills in PDF forms.", "license": "MIT",
            "metadata": {"author": "Ann"},
        });
        assert_eq!(pdf["frontmatter"], wanted);
        let script = json!({
            "uri": "skill://tools/pdf-forms/scripts/fill%20me.py",
            "digest": format!("sha256:{}", sha256(b"print(1)\n")), "size": 9,
        });
        assert!(pdf["resources"].as_array().unwrap().contains(&script), "{pdf}");
        let page = agent.result("skills/list", json!({}));
        assert_eq!(page["_meta"], json!({"skillmirror/leftOut": 2}));
        let (_, nested) = agent.error("skills/get", json!({"uri": "skill://tools/nested/SKILL.md"}));
        assert!(nested.contains("`metadata.openclaw` is not a text"), "{nested}");
        for skill in &skills {
            let got = agent.result("skills/get", json!({"uri": skill["uri"]}));
            assert_eq!(got["skill"], *skill);
        }
    }
}

#[test]
fn list_of_many_skills_has_pages() {
    let (registry, admin) = stocked();
    for number in 0..70 {
        let skill = Skill::named(&format!("skill-{number}"));
        registry.publish(skill).to("tools").version("1.0.0").by(&admin).expect(201);
    }
    registry.remove("tools/skill-3", &admin).expect(204);
    registry.yank("tools/skill-4", "1.0.0", &admin).expect(200);
    let project = Project::new();
    for agent in agents(&registry, &project) {
        let (skills, pages) = agent.skills();
        assert!(pages > 1, "{pages} pages");
        let mut found = uris(&skills);
        found.sort_unstable();
        found.dedup();
        assert_eq!((found.len(), skills.len()), (71, 71));
        for gone in ["skill://tools/skill-3/SKILL.md", "skill://tools/skill-4/SKILL.md"] {
            assert!(!found.contains(&gone));
            let (code, message) = agent.error("skills/get", json!({"uri": gone}));
            assert_eq!((code, message), (-32602, format!("no skill is served at {gone}")));
        }
        for cursor in ["0", "99", "x", "01", ""] {
            let (code, message) = agent.error("skills/list", json!({ "cursor": cursor }));
            assert!(code == -32602 && message.contains("begin again"), "{cursor}: {message}");
        }
    }
}

#[test]
fn skills_of_an_archived_namespace_are_not_listed_but_served() {
    let (registry, admin) = stocked();
    let archived = json!({"status": "archived"});
    registry.as_user(&admin).put_json("/api/v1/namespaces/tools", &archived).expect(200);
    let project = Project::new();
    for agent in agents(&registry, &project) {
        assert_eq!(agent.skills().0, Vec::<Value>::new());
        agent.result("skills/get", json!({"uri": "skill://tools/hello/SKILL.md"}));
    }
}
