//! Search on the server: results, pages, order, refusals.

use serde_json::{Value, json};

use crate::harness::{Registry, Shared, Skill, User, assert_fields};

static LIBRARY: Shared<Registry> = Shared::new();

/// Skills that "zebrafern" finds: `team/alpha`, `global/bravo`, `team/charlie` in
/// the order of publication, and one it does not find.
fn library() -> Registry {
    // The star must not come between two reads.
    let registry = Registry::with_config("[mirror]\ncounter_interval = 86400\n");
    let admin = registry.admin();
    registry.team("team", &admin);
    for (namespace, slug) in [("team", "alpha"), ("global", "bravo"), ("team", "charlie")] {
        let skill = Skill::named(slug).description("Waters each zebrafern.");
        registry.publish(skill).to(namespace).by(&admin).expect(201);
    }
    registry.publish(Skill::named("delta")).by(&admin).expect(201);
    registry.star("global/bravo", &admin).expect(200);
    registry
}

fn slugs(found: &Value) -> Vec<String> {
    let results = found["results"].as_array().unwrap_or_else(|| found["items"].as_array().unwrap());
    let slug =
        |skill: &Value| skill.get("canonicalSlug").unwrap_or(&skill["slug"]).as_str().unwrap().to_owned();
    results.iter().map(slug).collect()
}

#[test]
fn results_have_the_documented_fields() {
    let registry = LIBRARY.get(library);
    let response = registry.get("/api/v1/search?q=zebrafern").expect(200);
    for header in ["etag", "accept-ranges"] {
        response.require_header(header);
    }
    assert_eq!(response.require_header("cache-control"), "public, max-age=60, must-revalidate");
    assert!(response.text().starts_with("{\"results\":[{\"slug\":"), "{}", response.text());
    let found = response.json();
    assert_fields(&found, "results total page limit");
    assert_eq!((&found["total"], &found["page"], &found["limit"]), (&json!(3), &json!(1), &json!(20)));
    for skill in found["results"].as_array().unwrap() {
        assert_fields(
            skill,
            "slug name description author version downloadCount starCount createdAt updatedAt",
        );
        assert_fields(&skill["author"], "handle displayName");
    }
    let mut found = slugs(&found);
    found.sort();
    assert_eq!(found, ["bravo", "team--alpha", "team--charlie"]);
    let etag = response.require_header("etag");
    registry.anonymous().with("if-none-match", etag).get("/api/v1/search?q=+Zebrafern").expect(304);
}

#[test]
fn query_without_words_lists_the_newest() {
    let registry = LIBRARY.get(library);
    let newest = ["delta", "team--charlie", "bravo", "team--alpha"];
    for query in ["", "?q=", "?q=%20", "?q=+-+!", "?limit=20&page=1"] {
        let found = registry.read(&format!("/api/v1/search{query}"));
        assert_eq!(
            (slugs(&found), &found["total"]),
            (newest.map(str::to_owned).to_vec(), &json!(4)),
            "{query}"
        );
    }
    assert_eq!(registry.get("/api/v1/search").body, registry.tree_file("api/v1/search.json"));
}

#[test]
fn pages_divide_the_results() {
    let registry = LIBRARY.get(library);
    for q in ["", "zebrafern"] {
        let whole = slugs(&registry.read(&format!("/api/v1/search?q={q}&limit=100")));
        let mut pages = Vec::new();
        for page in 1..=3 {
            let found = registry.read(&format!("/api/v1/search?q={q}&limit=2&page={page}"));
            assert_eq!((&found["page"], &found["limit"]), (&json!(page), &json!(2)));
            assert_eq!(found["total"], whole.len());
            pages.extend(slugs(&found));
        }
        assert_eq!(pages, whole, "{q:?}");
    }
    let far = registry.read("/api/v1/search?page=9007199254740991&limit=100");
    assert_eq!((&far["results"], &far["total"]), (&json!([]), &json!(4)));
}

#[test]
fn invalid_query_is_refused() {
    let registry = LIBRARY.get(library);
    let (long, longer) = ("x".repeat(200), "x".repeat(201));
    registry.get(&format!("/api/v1/search?q={long}")).expect(200);
    for query in [
        "search?limit=0",
        "search?limit=101",
        "search?limit=x",
        "search?page=0",
        &format!("search?q={longer}"),
        &format!("skills?keyword={longer}"),
        "skills?keyword=x&sort=best",
        "skills?keyword=x&size=101",
        "skills?keyword=x&namespace=no--name",
    ] {
        registry.get(&format!("/api/v1/{query}")).problem(400, "invalid_request");
    }
    for odd in ["%00", "%FF", "../../secret", "a%2F..%2Fb", "%F0%9F%98%80", "_q"] {
        registry.get(&format!("/api/v1/search?q={odd}")).expect(200);
    }
}

#[test]
fn keyword_lists_summaries() {
    let registry = LIBRARY.get(library);
    let list = |query: &str| registry.read(&format!("/api/v1/skills?keyword=zebrafern{query}"));
    let found = list("");
    assert_fields(&found, "items total page size");
    assert_fields(&found["items"][0], crate::harness::record_fields::SUMMARY);
    assert_eq!(slugs(&found), slugs(&registry.read("/api/v1/search?q=zebrafern")), "by relevance");
    assert_eq!(slugs(&list("&sort=updated")), ["team--charlie", "bravo", "team--alpha"]);
    assert_eq!(slugs(&list("&sort=name")), ["team--alpha", "bravo", "team--charlie"]);
    assert_eq!(slugs(&list("&sort=name&size=1&page=2")), ["bravo"]);
    assert_eq!(slugs(&list("&namespace=team&sort=created")), ["team--charlie", "team--alpha"]);
    let nobody = list("&namespace=nobody");
    assert_eq!((&nobody["items"], &nobody["total"]), (&json!([]), &json!(0)));
    let all = registry.get("/api/v1/skills?keyword=%20&namespace=team").expect(200).body;
    assert_eq!(all, registry.get("/api/v1/skills?namespace=team").body, "a keyword without words is ignored");
}

/// A registry with a skill that "zebrafern" finds, and how to ask.
struct Fresh {
    registry: Registry,
    ann: User,
}

impl Fresh {
    fn started(further: &[&str]) -> Self {
        let mut registry = Registry::not_started();
        registry.start_with(further);
        let ann = registry.user("ann");
        registry.team("team", &ann);
        let fresh = Self { registry, ann };
        fresh.finds(&[]);
        fresh.publish("fern", "1.0.0");
        fresh.finds(&["team--fern"]);
        fresh
    }

    fn publish(&self, slug: &str, version: &str) {
        let skill = Skill::named(slug).description("Waters each zebrafern.").text(&format!("{version}\n"));
        self.registry.publish(skill).to("team").version(version).by(&self.ann).expect(201);
    }

    /// The results of the next query, of a keyword and without words.
    #[track_caller]
    fn finds(&self, expected: &[&str]) {
        for query in ["search?q=zebrafern", "skills?keyword=zebrafern", "search", "search?page=1&limit=100"] {
            let found = self.registry.read(&format!("/api/v1/{query}"));
            assert_eq!(
                (slugs(&found), &found["total"]),
                (owned(expected), &json!(expected.len())),
                "{query}"
            );
        }
    }

    fn set_status(&self, status: &str) {
        let body = json!({ "status": status });
        self.registry.as_user(&self.ann).put_json("/api/v1/namespaces/team", &body).expect(200);
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn follows_every_change(further: &[&str]) {
    let fresh = Fresh::started(further);
    let Fresh { registry, ann } = &fresh;
    registry.yank("team/fern", "1.0.0", ann).expect(200);
    fresh.finds(&[]);
    assert_eq!(registry.read("/api/v1/skills")["total"], 1, "it stays in lists");
    registry.as_user(ann).delete("/api/v1/skills/team/fern/versions/1.0.0/yank").expect(200);
    fresh.finds(&["team--fern"]);
    registry.remove("team/fern", ann).expect(204);
    fresh.finds(&[]);
    registry.restore("team/fern", ann).expect(200);
    fresh.finds(&["team--fern"]);
    fresh.set_status("archived");
    fresh.finds(&[]);
    fresh.set_status("active");
    fresh.finds(&["team--fern"]);
    registry.as_user(ann).put_json("/api/v1/auth/me", &json!({"displayName": "Ann O."})).expect(200);
    for query in ["search", "search?q=zebrafern"] {
        let found = registry.read(&format!("/api/v1/{query}"));
        assert_eq!(found["results"][0]["author"]["displayName"], "Ann O.", "{query}");
    }
    registry.publish(Skill::named("fern").text("Of the sea.\n")).to("team").by(ann).expect(201);
    let found = registry.read("/api/v1/search?q=zebrafern");
    assert_eq!(slugs(&found), [""; 0], "the latest version says another thing");
}

#[test]
fn next_query_after_a_write_sees_it() {
    follows_every_change(&[]);
}

#[test]
fn restart_changes_no_results() {
    let Fresh { mut registry, ann } = Fresh::started(&[]);
    for slug in ["moss", "reed", "sedge"] {
        registry.versions(&format!("team/{slug}"), &["1.0.0"], &ann);
    }
    registry.yank("team/reed", "1.0.0", &ann).expect(200);
    let ask = |registry: &Registry| {
        ["search?limit=2", "search?limit=2&page=2", "search?q=zebrafern"]
            .map(|query| slugs(&registry.read(&format!("/api/v1/{query}"))))
    };
    let before = ask(&registry);
    assert_eq!(before[0], ["team--sedge", "team--moss"]);
    registry.stop();
    registry.restart();
    assert_eq!(ask(&registry), before);
}

#[test]
fn server_without_tree_searches_the_same() {
    follows_every_change(&["--no-mirror"]);
    let mut registry = Registry::not_started();
    registry.start_with(&["--no-mirror"]);
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let manifest = registry.get("/api/v1/search/_index/manifest.bin").expect(200);
    assert_eq!(manifest.require_header("content-type"), "application/octet-stream");
    let pieces = crate::harness::manifest::pieces(&manifest.body);
    assert!(!pieces.is_empty());
    for piece in pieces {
        let response = registry.get(&format!("/{piece}")).expect(200);
        assert!(piece.contains(&crate::harness::sha256(&response.body)[..16]), "{piece}");
        assert_eq!(response.require_header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(response.header("vary"), None, "it is never compressed");
    }
    registry.get("/api/v1/search/_index/0000000000000000.bin").problem(404, "not_found");
}
