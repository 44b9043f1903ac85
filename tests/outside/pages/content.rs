//! Pages exist and change with the objects that they show.

use serde_json::json;

use crate::harness::{Registry, Skill, User, eventually, skill_path};

/// A team with a skill of two versions.
fn desk() -> (Registry, User) {
    let registry = Registry::with_config("[mirror]\ncounter_interval = 0\n");
    let ann = registry.user("ann");
    registry.team("desk", &ann);
    for version in ["1.0.0", "1.1.0"] {
        let skill = Skill::named("hello")
            .line("keywords: [greeting]")
            .text(&format!("# Heading\n\nText of {version}.\n"))
            .file("data/names.txt", "Ann\n");
        registry.publish(skill).to("desk").version(version).changelog("More.").by(&ann).expect(201);
    }
    (registry, ann)
}

/// The pages that show the skill.
const SHOWING: [&str; 3] = ["/desk/hello/", "/desk/", "/"];

#[test]
fn every_page_exists_and_links_to_existing_pages() {
    let (registry, _) = desk();
    for page in ["/", "/search/", "/namespaces/", "/global/", "/desk/", "/desk/hello/"] {
        let html = registry.page(page);
        assert!(html.starts_with("<!doctype html>"), "{page}: {html}");
    }
    let page = registry.page("/desk/hello/");
    for shown in ["@desk/hello", "Text of 1.1.0.", "1.0.0", "data/names.txt", "greeting", "More."] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("Text of 1.0.0."), "{page}");
    registry.command(["verify"]).ok();
}

#[test]
fn assets_are_immutable() {
    let (registry, _) = desk();
    let assets: Vec<_> = registry.tree().into_iter().filter(|file| file.starts_with("assets/")).collect();
    assert!(assets.iter().any(|file| file.ends_with("/search.js")), "{assets:?}");
    for file in assets.iter().filter(|file| !file.ends_with(".gz")) {
        let response = registry.get(&format!("/{file}")).expect(200);
        assert_eq!(response.body, registry.tree_file(file), "{file}");
        assert_eq!(response.require_header("cache-control"), "public, max-age=31536000, immutable", "{file}");
        let kind = match file.rsplit('.').next() {
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("txt") => "text/plain; charset=utf-8",
            other => panic!("{other:?}"),
        };
        assert_eq!(response.require_header("content-type"), kind, "{file}");
    }
    registry.get("/assets/0000000000000000/search.js").problem(404, "not_found");
}

/// Asserts that `act` changes the pages that show the skill.
#[track_caller]
fn changes(registry: &Registry, pages: &[&str], what: &str, act: impl FnOnce()) -> Vec<String> {
    let before: Vec<_> = pages.iter().map(|page| registry.page(page)).collect();
    act();
    let after: Vec<_> = pages.iter().map(|page| registry.page(page)).collect();
    for ((page, before), after) in pages.iter().zip(&before).zip(&after) {
        assert_ne!(before, after, "{what} changes {page}");
    }
    registry.command(["verify"]).ok();
    after
}

#[test]
fn skill_change_is_on_its_pages() {
    let (registry, ann) = desk();
    let pages = changes(&registry, &SHOWING, "a version", || {
        let skill = Skill::named("hello").line("title: Greeter").text("Text of 2.0.0.\n");
        registry.publish(skill).to("desk").version("2.0.0").by(&ann).expect(201);
    });
    assert!(pages.iter().all(|page| page.contains("Greeter")), "{pages:?}");
    assert!(pages[0].contains("Text of 2.0.0."), "{pages:?}");
    let page = changes(&registry, &SHOWING[..1], "a tag", || {
        registry.tag("desk/hello", "stable", "1.1.0", &ann).expect(201);
    });
    assert!(page[0].contains("stable"), "{page:?}");
    let pages = changes(&registry, &SHOWING, "a yank", || {
        registry.yank("desk/hello", "2.0.0", &ann).expect(200);
    });
    assert!(pages[0].contains("It greets nobody.") && pages[0].contains("Text of 1.1.0."), "{pages:?}");
    changes(&registry, &SHOWING, "its undoing", || {
        registry
            .as_user(&ann)
            .delete(&format!("{}/versions/2.0.0/yank", skill_path("desk/hello")))
            .expect(200);
    });
    changes(&registry, &SHOWING, "a new name of a person", || {
        let body = json!({"displayName": "Ann Lee"});
        registry.as_user(&ann).put_json("/api/v1/auth/me", &body).expect(200);
    });
    assert!(registry.page("/desk/").contains("Ann Lee"));
    let pages = changes(&registry, &["/desk/", "/", "/namespaces/"], "a removal", || {
        registry.remove("desk/hello", &ann).expect(204);
    });
    assert!(!pages[0].contains("Greeter") && !pages[1].contains("Greeter"), "{pages:?}");
    registry.anonymous().browser().get("/desk/hello/").expect(404);
    changes(&registry, &["/desk/", "/", "/namespaces/"], "a restoration", || {
        registry.restore("desk/hello", &ann).expect(200);
    });
    assert!(registry.page("/desk/hello/").contains("Text of 2.0.0."));
}

#[test]
fn namespace_change_is_on_its_pages() {
    let (registry, ann) = desk();
    let update = |body| registry.as_user(&ann).put_json("/api/v1/namespaces/desk", &body).expect(200);
    let pages = changes(&registry, &["/desk/", "/", "/namespaces/"], "a description", || {
        update(json!({"displayName": "The desk"}));
    });
    assert!(pages.iter().all(|page| page.contains("The desk")), "{pages:?}");
    let pages = changes(&registry, &["/", "/namespaces/", "/desk/"], "archiving", || {
        update(json!({"status": "archived"}));
    });
    assert!(!pages[0].contains("desk") && !pages[1].contains("desk"), "{pages:?}");
    // Exact addresses stay.
    assert!(pages[2].contains("hello") && registry.page("/desk/hello/").contains("Text of 1.1.0."));
}

#[test]
fn published_counters_are_on_the_pages() {
    let (registry, ann) = desk();
    let before = SHOWING.map(|page| registry.page(page));
    registry.star("desk/hello", &ann).expect(200);
    // The lists come last.
    eventually("the star is on the first page", || (registry.get("/").text() != before[2]).then_some(()));
    registry.command(["verify"]).ok();
    for (page, before) in SHOWING.iter().zip(&before) {
        assert_ne!(registry.page(page), *before, "{page}");
    }
}

#[test]
fn skill_without_a_title_is_shown_by_its_slug() {
    let registry = Registry::start();
    registry.publish(Skill::named("pdf-tools")).by(&registry.admin()).expect(201);
    assert!(registry.page("/global/pdf-tools/").contains("<h1><bdi>pdf-tools</bdi></h1>"));
}

#[test]
fn text_without_content_is_said_to_be_empty() {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.publish(Skill::named("brief").text("")).by(&admin).expect(201);
    registry.publish(Skill::named("wordy").text("A word.\n")).by(&admin).expect(201);
    let sentence = "This skill has no text beyond its description.";
    assert!(registry.page("/global/brief/").contains(sentence));
    assert!(!registry.page("/global/wordy/").contains(sentence));
}

#[test]
fn long_text_is_folded() {
    let registry = Registry::start();
    let text =
        format!("The first.\n\n{}The last.\n", format!("{}\n\n", "Some words. ".repeat(20)).repeat(60));
    registry.publish(Skill::named("novel").text(&text)).by(&registry.admin()).expect(201);
    let page = registry.page("/global/novel/");
    let (before, after) = page.split_once("<summary>Show the rest of the text</summary>").unwrap();
    assert!(before.contains("The first.") && after.contains("The last."), "{page}");
    assert!(before.contains("id=\"facts\""), "{page}");
}

#[test]
fn shown_version_is_the_first_of_the_list() {
    let (registry, ann) = desk();
    for version in ["3.0.0", "2.1.0", "1.1.1", "4.0.0-rc.1"] {
        registry.publish(Skill::named("hello")).to("desk").version(version).by(&ann).expect(201);
    }
    registry.yank("desk/hello", "3.0.0", &ann).expect(200);
    let page = registry.page("/desk/hello/");
    let (_, list) = page.split_once("id=\"versions\"").unwrap();
    let rows = list.split("<a class=\"version\" href=\"").skip(1);
    let versions: Vec<_> = rows.filter_map(|row| row.split_once('"')?.1[1..].split('<').next()).collect();
    assert_eq!(versions, ["2.1.0", "4.0.0-rc.1", "3.0.0", "1.1.1", "1.1.0", "1.0.0"]);
    // The documents keep the order in which they were published.
    let document = registry.read("/api/v1/skills/desk/hello/versions");
    assert_eq!(document["items"][0]["version"], "4.0.0-rc.1", "{document}");
}

#[test]
fn fully_yanked_skill_says_so_once() {
    let (registry, ann) = desk();
    for version in ["1.0.0", "1.1.0"] {
        registry.yank("desk/hello", version, &ann).expect(200);
    }
    let page = registry.page("/desk/hello/");
    assert_eq!(page.matches("All versions of this skill are yanked").count(), 1, "{page}");
    let (notice, _) =
        page.split_once("All versions of this skill are yanked").unwrap().1.split_once("</section>").unwrap();
    assert!(notice.contains("1.1.0") && notice.contains("It greets nobody."), "{notice}");
}

#[test]
fn promoted_copy_links_to_its_source_while_it_exists() {
    let (registry, ann) = desk();
    let admin = registry.admin();
    let id = registry.read(&skill_path("desk/hello"))["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/namespaces/desk/skills/{id}/promote");
    let review = registry.as_user(&ann).post_json(&path, &json!({})).expect_json(201);
    registry.decide(&admin, "approve", ("global", &review["id"])).expect(200);
    let (copy, link) = ("/global/hello/", "href=\"../../desk/hello/\"");
    assert!(registry.page(copy).contains(link), "{}", registry.page(copy));
    let pages = changes(&registry, &[copy], "a removal of its source", || {
        registry.remove("desk/hello", &ann).expect(204);
    });
    assert!(pages[0].contains("Promoted from @desk/hello") && !pages[0].contains(link), "{pages:?}");
    let pages = changes(&registry, &[copy], "its restoration", || {
        registry.restore("desk/hello", &ann).expect(200);
    });
    assert!(pages[0].contains(link), "{pages:?}");
}

#[test]
fn largest_namespaces_are_listed_first() {
    let (registry, ann) = desk();
    registry.team("attic", &ann);
    registry.team("zoo", &ann);
    let order = || {
        let page = registry.page("/");
        let mut places: Vec<_> = ["attic", "desk", "global", "zoo"]
            .map(|name| (page.rfind(&format!("href=\"./{name}/\"")), name))
            .to_vec();
        places.retain(|(place, _)| place.is_some());
        places.sort_unstable();
        places.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
    };
    assert_eq!(order(), ["desk", "attic", "global", "zoo"]);
    for slug in ["one", "two"] {
        registry.publish(Skill::named(slug)).to("zoo").by(&ann).expect(201);
    }
    assert_eq!(order(), ["zoo", "desk", "attic", "global"]);
    registry.remove("zoo/one", &ann).expect(204);
    registry.remove("zoo/two", &ann).expect(204);
    assert_eq!(order(), ["desk", "attic", "global", "zoo"]);
    let update = |status| {
        let body = json!({"status": status});
        registry.as_user(&ann).put_json("/api/v1/namespaces/desk", &body).expect(200);
    };
    update("archived");
    assert_eq!(order(), ["attic", "global", "zoo"]);
    update("active");
    assert_eq!(order(), ["desk", "attic", "global", "zoo"]);
    registry.command(["verify"]).ok();
}
