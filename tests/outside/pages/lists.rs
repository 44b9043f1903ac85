//! What lists say of their end: no page, no document and no host claims that a cut-off list is complete.

use serde_json::{Value, json};

use crate::harness::{Registry, Skill, User, eventually};

const CONFIG: &str = "[mirror]\nlist_depth = 1\ncounter_interval = 86400\n";

/// Publishes skills in `global`.
fn publish(registry: &Registry, numbers: std::ops::Range<usize>, folder: &str) {
    let folder = registry.folder().join(folder);
    for number in numbers {
        let slug = format!("skill-{number:03}");
        Skill::named(&slug).write_to(&folder.join(&slug));
    }
    registry.command(["import".as_ref(), folder.as_os_str()]).ok();
}

/// A page with plain spaces. Those with a query are no files.
fn page(registry: &Registry, path: &str) -> String {
    let text = match path.contains('?') {
        true => registry.anonymous().browser().get(path).expect(200).text(),
        false => registry.page(path),
    };
    text.replace('\u{a0}', " ")
}

fn namespaces(registry: &Registry, numbers: std::ops::Range<usize>, owner: &User) {
    for number in numbers {
        registry.team(&format!("team-{number:03}"), owner);
    }
}

#[test]
fn pages_of_namespaces_are_complete_at_any_list_depth() {
    let registry = Registry::with_config(CONFIG);
    let admin = registry.admin();
    namespaces(&registry, 0..99, &admin);
    eventually("all fit on one page", || {
        page(&registry, "/namespaces/").contains("100 namespaces").then_some(())
    });
    assert!(!page(&registry, "/namespaces/").contains("Page 1"));
    registry.get("/namespaces/_page/2/").problem(404, "not_found");
    namespaces(&registry, 99..102, &admin);
    eventually("there is a second page", || {
        (registry.get("/namespaces/_page/2/").status == 200).then_some(())
    });
    let first = page(&registry, "/namespaces/");
    assert!(first.contains("Page 1 of 2") && first.contains("103 namespaces"), "{first}");
    let second = page(&registry, "/namespaces/_page/2/");
    assert!(second.contains("Page 2 of 2") && second.contains("team-101"), "{second}");
    // The number of skills is on the page of its namespace, however far behind it is.
    registry.publish(Skill::named("late")).to("team-101").by(&admin).expect(201);
    eventually("the count follows", || {
        page(&registry, "/namespaces/_page/2/").contains("1 skill").then_some(())
    });
    registry.command(["verify"]).ok();
}

#[test]
fn page_of_a_namespace_is_divided_when_it_has_too_many_skills() {
    let registry = Registry::with_config(CONFIG);
    let admin = registry.admin();
    publish(&registry, 0..100, "first");
    let page = || page(&registry, "/global/");
    let is_whole = || page().contains("100 skills") && page().contains("global/skill-099/");
    eventually("all are on the first page", || is_whole().then_some(()));
    publish(&registry, 100..101, "second");
    let divided = || page().contains("101 skills") && page().contains("global/_skill-/");
    eventually("the first page leads to others", || divided().then_some(()));
    registry.command(["verify"]).ok();
    registry.remove("global/skill-007", &admin).expect(204);
    eventually("they are together again", || is_whole().then_some(()));
    registry.get("/global/_skill-/").problem(404, "not_found");
    registry.command(["verify"]).ok();
}

/// The fields of a list's page besides its items, from the server and from the file.
fn position(list: &Value) -> Value {
    json!([list["total"], list["page"], list["size"], list["filePages"]])
}

#[test]
fn lists_say_how_many_pages_are_files() {
    let registry = Registry::with_config("[mirror]\nlist_depth = 3\ncounter_interval = 86400\n");
    publish(&registry, 0..70, "many");
    namespaces(&registry, 0..20, &registry.admin());
    registry.command(["verify"]).ok();
    for (path, file, expected) in [
        ("/api/v1/skills", "skills", json!([70, 1, 20, 3])),
        ("/api/v1/skills?page=3", "skills/_list/_all/updated-3", json!([70, 3, 20, 3])),
        ("/api/v1/skills?sort=name", "skills/_list/_all/name-1", json!([70, 1, 20, 1])),
        ("/api/v1/skills?sort=stars", "skills/_list/_all/stars-1", json!([70, 1, 20, 1])),
        ("/api/v1/skills?namespace=global&page=2", "skills/_list/global/updated-2", json!([70, 2, 20, 3])),
        ("/api/v1/skills?namespace=team-000", "skills/_list/team-000/updated-1", json!([0, 1, 20, 1])),
        ("/api/v1/namespaces", "namespaces", json!([21, 1, 20, 2])),
        ("/api/v1/namespaces?page=2", "namespaces/_list/2", json!([21, 2, 20, 2])),
    ] {
        assert_eq!(position(&registry.read(path)), expected, "{path}");
        assert_eq!(position(&registry.tree_json(&format!("api/v1/{file}.json"))), expected, "{file}");
    }
    // Pages that only the server has: after the last file, and of lists without files.
    for (path, expected) in [
        ("/api/v1/skills?page=4", json!([70, 4, 20, 3])),
        ("/api/v1/skills?sort=stars&page=3", json!([70, 3, 20, 1])),
        ("/api/v1/skills?size=50", json!([70, 1, 50, null])),
        ("/api/v1/skills?namespace=global&sort=name", json!([70, 1, 20, null])),
        ("/api/v1/skills?keyword=skill", json!([70, 1, 20, null])),
        ("/api/v1/namespaces?size=7&page=2", json!([21, 2, 7, null])),
    ] {
        assert_eq!(position(&registry.read(path)), expected, "{path}");
    }
    assert!(!registry.public().join("api/v1/skills/_list/_all/updated-4.json").exists());
}

/// The search page that the server makes for a query.
fn found(registry: &Registry, path: &str) -> String {
    registry.anonymous().browser().get(path).expect(200).text().replace('\u{a0}', " ")
}

#[test]
fn search_page_of_a_server_has_results_without_a_script() {
    let registry = Registry::with_config(CONFIG);
    registry.admin();
    publish(&registry, 0..165, "many");
    let best = "The 160 best skills. More words find others";
    eventually("all are found", || found(&registry, "/search/?q=skill").contains(best).then_some(()));
    assert!(found(&registry, "/search/?q=skill").contains("Page 1 of the first 8"));
    let first = found(&registry, "/search/?q=Skill&sort=name&namespace=global");
    assert!(first.contains("href=\"../global/skill-000/\"") && first.contains("Page 1 of 9"), "{first}");
    assert!(first.contains("165 skills found in @global"), "{first}");
    assert!(first.contains("value=\"skill\"") && first.contains("Only in @global."), "{first}");
    let next = first.split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let next = next.replace("&amp;", "&").replace("&#x3d;", "=");
    let second = found(&registry, &next.replace("../", "/"));
    assert!(second.contains("Page 2 of 9") && second.contains("skill-024"), "{second}");
    // Anyone may have written the address.
    for odd in ["page=0", "page=x", "sort=x", "namespace=%3Cb%3E"] {
        assert!(found(&registry, &format!("/search/?q=skill&{odd}")).contains(best), "{odd}");
    }
    let beyond = found(&registry, "/search/?q=skill&page=99");
    assert!(
        beyond.contains(&format!("There is no page 99: {best}")) && !beyond.contains("Page 99"),
        "{beyond}"
    );
    let long = found(&registry, &format!("/search/?q=skill+{}", "x".repeat(300)));
    assert!(long.contains("Only the first 200 characters were searched for."), "{long}");
    let mistyped = found(&registry, "/search/?q=skil+namee+zqx");
    assert!(mistyped.contains("No skill has the word “<bdi>zqx</bdi>”."), "{mistyped}");
    let nothing = found(&registry, "/search/?q=%3Cimg+src%3Dx%3Ezzz");
    assert!(nothing.contains("Nothing found for") && !nothing.contains("<img"), "{nothing}");
    assert_eq!(registry.get("/search/?q=%21").text(), registry.get("/search/").text());
    registry.command(["verify"]).ok();
}
