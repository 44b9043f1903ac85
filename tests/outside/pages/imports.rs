//! Pages of imported skills.

use serde_json::json;

use crate::harness::{Registry, Skill};

/// A stopped registry, and a folder with a manifest of these skills and Unix times.
fn imported(skills: &[(&str, i64)]) -> Registry {
    let mut registry = Registry::start();
    registry.stop();
    let mut manifest = String::new();
    for (slug, published) in skills {
        registry.write(&format!("in/{slug}.zip"), &Skill::named(slug).zip());
        let versions = json!([{"version": "1.0.0", "zip": format!("{slug}.zip"), "published": published}]);
        manifest += &format!("{}\n", json!({"ns": "crafts", "slug": slug, "versions": versions}));
    }
    registry.write("in/manifest.jsonl", manifest.as_bytes());
    registry.command(["import", "in"]).ok();
    registry
}

fn page(registry: &Registry, file: &str) -> String {
    String::from_utf8(registry.tree_file(file)).unwrap()
}

/// The skills on the start page, in its order.
fn newest(registry: &Registry) -> Vec<String> {
    let page = page(registry, "index.html");
    let links = page.split("class=\"card-title\"><a href=\"./").skip(1);
    let links = links.filter_map(|link| link.split_once("/\"")?.0.split_once('/'));
    links.map(|(_, slug)| slug.to_owned()).collect()
}

#[test]
fn imported_skills_are_listed_by_their_own_time() {
    let registry =
        imported(&[("apple", 1_769_000_000), ("cherry", 1_768_000_000), ("banana", 1_770_000_000)]);
    assert_eq!(newest(&registry), ["banana", "apple", "cherry"]);
    let list = registry.tree_json("api/v1/skills.json");
    assert_eq!(list["items"][0]["sourcePublishedAt"], "2026-02-02T02:40:00Z");
}

#[test]
fn skills_imported_without_or_with_one_time_are_listed_from_a_to_z() {
    let registry =
        imported(&[("apple", 1_769_000_000), ("cherry", 1_769_000_000), ("banana", 1_769_000_000)]);
    assert_eq!(newest(&registry), ["apple", "banana", "cherry"]);
    let mut registry = Registry::start();
    registry.stop();
    for slug in ["apple", "cherry", "banana"] {
        Skill::named(slug).write_to(&registry.folder().join("in").join(slug));
    }
    registry.command(["import", "in"]).ok();
    assert_eq!(newest(&registry), ["apple", "banana", "cherry"]);
}

#[test]
fn imported_skill_shows_its_own_time_and_namespace() {
    let registry = imported(&[("apple", 1_769_000_000)]);
    for file in ["index.html", "crafts/index.html", "crafts/apple/index.html"] {
        let page = page(&registry, file);
        assert!(page.contains("21\u{a0}Jan\u{a0}2026"), "{file}: {page}");
        let (page, _) = page.split_once("id=\"versions\"").unwrap_or((&page, ""));
        assert!(page.contains("@crafts") && !page.contains("Admin"), "{file}: {page}");
    }
    let page = page(&registry, "crafts/apple/index.html");
    assert!(page.contains("<dt>Imported</dt>") && !page.contains("<dt>Author</dt>"), "{page}");
}

/// The column "By" of the table of versions, in words, from the first version on.
fn by(page: &str) -> Vec<String> {
    let tag = regex::Regex::new("<[^>]+>").unwrap();
    let (_, table) = page.split_once("<table class=\"versions\">").unwrap();
    let rows = table.split("<tr>").skip(2);
    let cells = rows.filter_map(|row| row.split("<td>").nth(2)?.split("</td>").next());
    let words = |cell: &str| tag.replace_all(cell, " ").split_whitespace().collect::<Vec<_>>().join(" ");
    cells.map(words).collect()
}

#[test]
fn table_of_versions_names_the_person_who_published_or_imported() {
    let mut registry = Registry::start();
    registry.command(["user", "add", "ann", "--name", "Ann Lee"]).ok();
    let (admin, bob) = (registry.admin(), registry.user("bob"));
    registry.team("crafts", &admin);
    registry.join("crafts", &admin, &bob, "member");
    registry.publish(Skill::named("pear")).to("crafts").version("1.0.0").by(&admin).expect(201);
    registry.publish(Skill::named("pear").text("New.\n")).to("crafts").version("1.1.0").by(&bob).expect(201);
    registry.stop();
    for (folder, published) in [("with", json!(1_769_000_000)), ("without", json!(null))] {
        registry.write(&format!("{folder}/apple.zip"), &Skill::named(folder).zip());
        let versions = json!([{"version": "1.0.0", "zip": "apple.zip", "published": published}]);
        let line = json!({"ns": "crafts", "slug": format!("apple-{folder}"), "versions": versions});
        registry.write(&format!("{folder}/manifest.jsonl"), format!("{line}\n").as_bytes());
        registry.command(["import", folder, "--as", "ann"]).ok();
    }
    for (slug, expected) in [
        ("pear", vec!["bob", "Admin admin"]),
        ("apple-with", vec!["imported by Ann Lee ann"]),
        ("apple-without", vec!["Ann Lee ann"]),
    ] {
        assert_eq!(by(&page(&registry, &format!("crafts/{slug}/index.html"))), expected, "{slug}");
    }
}

#[test]
fn repairs_are_folded_in_the_version() {
    let mut registry = Registry::start();
    registry.stop();
    registry.write("in/apple/SKILL.md", b"Peels apples.\n");
    registry.command(["import", "--tolerant", "in/apple"]).ok();
    let page = page(&registry, "global/apple/index.html");
    assert!(!page.contains("notice-warning"), "{page}");
    let (_, versions) = page.split_once("id=\"versions\"").unwrap();
    let (notes, _) =
        versions.split_once("<details class=\"notes\">").unwrap().1.split_once("</details>").unwrap();
    assert!(notes.contains("on how the registry read this package") && notes.contains("SKILL.md"), "{notes}");
}
