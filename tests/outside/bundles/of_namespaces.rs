//! Bundles: rows, documents, pages, commands, and what clients of others get.

use serde_json::{Value, json};

use super::publish_all;
use crate::harness::{Git, Nginx, Project, Registry};

const PATH: &str = "/api/v1/namespaces/a/bundles/front";

fn registry() -> Registry {
    let registry =
        Registry::with_config("public_url = \"https://skills.example.org\"\n[mirror]\ngit = true\n");
    let admin = registry.admin();
    registry.team("a", &admin);
    publish_all(&registry, &admin, &["z 1.0.0:", "y 1.0.0: z@^1", "x 1.0.0:"]);
    registry
}

fn bundle(members: &[&str]) -> Value {
    json!({"title": "Front end", "description": "What we use.", "members": members})
}

#[test]
fn bundle_is_record_page_list_and_forms_for_other_clients() {
    let registry = registry();
    let admin = registry.as_user(&registry.admin());
    let set = admin.put_json(PATH, &bundle(&["y@^1", "a/x"])).expect_json(201);
    assert_eq!(
        set["members"][0],
        json!({"namespace": "a", "slug": "y", "requirement": "^1", "version": "1.0.0"})
    );
    assert_eq!(admin.put_json(PATH, &bundle(&["y@^1", "a/x"])).expect_json(200), set);
    assert_eq!(registry.read("/api/v1/bundles/a/front"), set);
    assert_eq!(registry.read("/api/v1/bundles/a")["items"], json!([set]));
    let page = registry.get("/a/+front/").expect(200).text();
    assert!(page.contains("Front end") && page.contains("href=\"../../a/y/\""), "{page}");
    assert!(
        registry.get("/a/").expect(200).text().contains("./+front/")
            || registry.get("/a/").text().contains("+front/")
    );
    let index = registry.read("/a/+front/.well-known/agent-skills/index.json");
    let names: Vec<&Value> = index["skills"].as_array().unwrap().iter().map(|skill| &skill["name"]).collect();
    assert_eq!(names, ["x", "y"]);
    assert_eq!(index["skills"][1]["url"], "../../../../api/v1/skills/a/y/versions/1.0.0/download.zip");
    let plugins = registry.read("/a/+front/.claude-plugin/marketplace.json");
    assert_eq!(
        (&plugins["name"], plugins["plugins"].as_array().unwrap().len()),
        (&json!("skills-example-org--a--front"), 2)
    );
    // A new version of a member is in the bundle's documents at once, and a yank too.
    publish_all(&registry, &registry.admin(), &["y 1.1.0:", "y 2.0.0:"]);
    assert_eq!(registry.read("/api/v1/bundles/a/front")["members"][0]["version"], "1.1.0");
    admin.post_json("/api/v1/skills/a/y/versions/1.1.0/yank", &json!({})).expect(200);
    assert_eq!(registry.read("/api/v1/bundles/a/front")["members"][0]["version"], "1.0.0");
    admin.delete(PATH).expect(204);
    registry.get("/api/v1/bundles/a/front").expect(404);
    let audit = registry.command(["audit"]).ok().stdout;
    assert!(
        audit.contains("set the bundle +a/front (2 skills)") && audit.contains("removed the bundle +a/front"),
        "{audit}"
    );
}

#[test]
fn bundle_that_cannot_be_is_refused() {
    let registry = registry();
    let admin = registry.as_user(&registry.admin());
    registry.team("b", &registry.admin());
    for (members, status, why) in [
        (vec!["none"], 404, "none"),
        (vec!["y@^2"], 400, "no version fits"),
        (vec!["y", "a/y@^1"], 400, "twice"),
        (vec!["y 1"], 400, "team/grilling"),
        (vec![], 400, "has no skill"),
    ] {
        let refused = admin.put_json(PATH, &bundle(&members)).expect(status).text();
        assert!(refused.contains(why), "{members:?}: {refused}");
    }
    admin.delete(PATH).expect(404);
    let user = registry.user("eve");
    registry.as_user(&user).put_json(PATH, &bundle(&["y"])).expect(403);
}

#[test]
fn bundle_is_installed_from_a_server_a_folder_and_nginx() {
    let mut registry = registry();
    let admin = registry.as_user(&registry.admin());
    admin.put_json(PATH, &bundle(&["y@^1", "x"])).expect(201);
    let (git, folder) = (Git::new(), format!("file://{}", registry.public().display()));
    install(registry.base());
    git.clone(&format!("{}/a/+front.git", registry.base()), "server", &[]);
    registry.stop();
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    install(&folder);
    install(&nginx.base);
    git.clone(&format!("{}/a/+front.git", nginx.base), "nginx", &["--depth", "1"]);
    assert_eq!(git.files("nginx"), git.files("server"));
    assert!(
        git.files("nginx").contains_key("plugins/y/skills/y/SKILL.md"),
        "{:?}",
        git.files("nginx").keys()
    );
    let index = nginx.client().get("/a/+front/.well-known/agent-skills/index.json").expect_json(200);
    assert_eq!(index["skills"].as_array().unwrap().len(), 2);
    // A snapshot carries it.
    let snapshot = registry.folder().join("a.snapshot");
    registry.command(["snapshot", "create", "--out", snapshot.to_str().unwrap()]).ok();
}

/// Installs the bundle into a new project, and looks at what it says about it.
fn install(source: &str) {
    let project = Project::new();
    std::fs::write(project.path("skills.toml"), "[skills]\n").unwrap();
    let shown = project.run_with(source, "info +a/front").ok().stdout;
    assert!(shown.contains("Front end (+a/front)") && shown.contains("@a/y"), "{shown}");
    project.run_with(source, "install +a/front").ok();
    let manifest = std::fs::read_to_string(project.path("skills.toml")).unwrap();
    assert!(
        manifest.contains("\"@a/y\" = \"^1\"") && manifest.contains("\"@a/x\" = \"latest\""),
        "{manifest}"
    );
    let lock = std::fs::read_to_string(project.path("skills.lock")).unwrap();
    assert!(lock.contains("required_by = [\"@a/y ^1\"]"), "{lock}");
}
