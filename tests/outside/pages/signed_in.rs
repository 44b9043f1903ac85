//! Pages for people who are signed in.

use crate::harness::{Registry, Skill};

const PAGES: [&str; 6] = ["login", "me", "publish", "settings", "reviews", "admin"];

#[test]
fn pages_for_work_are_files_that_nobody_may_frame() {
    let registry = Registry::start();
    for page in PAGES {
        let response = registry.get(&format!("/{page}/?to=me/&skill=team/x")).expect(200);
        let html = response.text();
        assert_eq!(html.as_bytes(), registry.tree_file(&format!("{page}/index.html")), "{page}");
        assert!(
            html.contains(&format!("/signed-in/{page}.js\"")) && html.contains("/signed-in.css\""),
            "{html}"
        );
        assert!(html.contains("<noscript>") && html.contains("<code>skillmirror "), "{html}");
        assert!(!html.contains("/site.js"), "{html}");
        let policy = response.require_header("content-security-policy");
        for part in
            ["script-src 'self'", "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'"]
        {
            assert!(policy.contains(part), "{page}: {policy}");
        }
    }
}

#[test]
fn pages_for_work_stay_the_same_when_anything_changes() {
    let registry = Registry::start();
    let read = || PAGES.map(|page| registry.page(&format!("/{page}/")));
    let before = read();
    let ann = registry.user("ann");
    registry.team("desk", &ann);
    registry.publish(Skill::named("hello")).to("desk").by(&ann).expect(201);
    assert_eq!(before, read());
}

#[test]
fn scripts_of_pages_for_work_are_one_file_each() {
    let registry = Registry::start();
    let scripts: Vec<_> = registry
        .tree()
        .into_iter()
        .filter(|file| file.contains("/signed-in/") && file.ends_with(".js"))
        .map(|file| file.rsplit('/').next().unwrap().to_owned())
        .collect();
    let mut expected: Vec<_> = PAGES.iter().map(|page| format!("{page}.js")).collect();
    expected.push("on-skill.js".to_owned());
    expected.sort();
    assert_eq!(scripts, expected);
}

#[test]
fn page_of_a_skill_links_to_signing_in() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("desk", &ann);
    registry.publish(Skill::named("hello")).to("desk").by(&ann).expect(201);
    let html = registry.page("/desk/hello/");
    assert!(html.contains("href=\"../../login/?to=desk/hello/\""), "{html}");
    assert!(html.contains("href=\"../../login/\" data-account"), "{html}");
}
