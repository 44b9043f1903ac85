//! `metadata.requires`: read at publication, in rows, records, pages and commands.

use serde_json::{Value, json};

use super::{publish, publish_all};
use crate::harness::{Project, Registry, Skill, eventually, run};

#[test]
fn requirements_are_in_record_row_page_and_info() {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("a", &admin);
    publish_all(&registry, &admin, &["z 1.0.0:"]);
    let reply = publish(&registry, "x", "1.0.0", "z@^1, global/none").by(&admin).expect_json(201);
    let codes: Vec<&Value> =
        reply["warnings"].as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert!(codes.contains(&&json!("requirement_unmet")), "{reply}");
    let message = reply["warnings"].to_string();
    assert!(message.contains("@global/none latest") && !message.contains("@a/z"), "{message}");
    let requires = json!([
        {"namespace": "a", "slug": "z", "requirement": "^1"},
        {"namespace": "global", "slug": "none", "requirement": "latest"},
    ]);
    let path = "/api/v1/skills/a/x/versions";
    assert_eq!(registry.read(&format!("{path}/1.0.0"))["requires"], requires);
    assert_eq!(registry.read(path)["items"][0]["requires"], requires);
    assert_eq!(registry.read("/api/v1/skills/a/z/versions/1.0.0").get("requires"), None);
    for page in ["/a/x/", "/a/x/1.0.0/"] {
        let html = registry.get(page).expect(200).text();
        assert!(html.contains("@a/z</a>") && html.contains("^1"), "{page}");
    }
    let shown = Project::new().run_with(registry.base(), "info @a/x").ok().stdout;
    assert!(shown.contains("requires   @a/z@^1, none"), "{shown}");
}

#[test]
fn unreadable_requirements_are_refused_with_the_line() {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("a", &admin);
    let many = (0..33).map(|n| format!("s{n}")).collect::<Vec<_>>().join(", ");
    for (requires, why) in [
        ("z 1", "write it as in `team/grilling@^1, domain-modeling`"),
        ("z@^x", "the version requirement `^x` is invalid"),
        ("x", "names the skill itself"),
        ("z, a/z@^1", "names @a/z twice"),
        (&many, "at most 32 skills"),
    ] {
        let text = publish(&registry, "x", "1.0.0", requires).by(&admin).expect(422).text();
        assert!(
            text.contains("requires_invalid") && text.contains(why) && text.contains("\"line\":"),
            "{text}"
        );
        let project = Project::new();
        let skill = Skill::named("a--x").line("metadata:").line(&format!("  requires: \"{requires}\""));
        skill.write_to(&project.path("x"));
        let output = project.run("check x");
        assert!(output.code == 1 && output.stdout.contains(why), "{output:?}");
    }
    // What other programs ask of the machine is no requirement.
    let other = Skill::named("y").line("metadata:").line("  requires: {bins: [jq]}");
    registry.publish(other).to("a").by(&admin).expect(201);
}

#[test]
fn mirrors_carry_requirements_and_bundles() {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("a", &admin);
    publish_all(&registry, &admin, &["z 1.0.0:", "x 1.0.0: z@^1"]);
    let bundle = json!({"title": "Both", "members": ["x", "z@^1"]});
    registry.as_user(&admin).put_json("/api/v1/namespaces/a/bundles/both", &bundle).expect(201);
    let copy = registry.folder().join("copy");
    // The feed's head is written last.
    eventually("a mirror has the bundle", || {
        let done = run(
            registry.folder(),
            &["generate", "--feed", registry.base(), "--out", copy.to_str().unwrap()].map(Into::into),
        );
        (done.code == 0 && copy.join("api/v1/bundles/a/both.json").exists()).then_some(())
    });
    for file in ["api/v1/skills/a/x/versions/1.0.0.json", "api/v1/bundles/a/both.json"] {
        let read = |folder: &std::path::Path| std::fs::read(folder.join(file)).unwrap();
        assert_eq!(read(&copy), read(&registry.public()), "{file}");
    }
}
