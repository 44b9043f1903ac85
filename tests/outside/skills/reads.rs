//! Public reads of one skill: documents, resolution and zips.

use serde_json::{Value, json};

use crate::harness::{Registry, Shared, Skill, assert_fields, sha256};

static LIBRARY: Shared<Registry> = Shared::new();

const SUMMARY: &str = "id namespace slug canonicalSlug name description author version tags keywords downloadCount \
                       starCount ratingAverage ratingCount createdAt updatedAt sourcePublishedAt";
const VERSION: &str = "version versionId status publishedAt publishedBy changelog fileCount unpackedSize packageSize \
                       sha256 contentDigest fingerprint yankReason sourcePublishedAt verdicts downloadUrl";

/// `tools/hello` with the versions 1.0.0 (tag `lts`) and 1.1.0, and `global/lone`.
fn library() -> Registry {
    // The tests download, and read what stays as it is.
    let registry = Registry::with_config("[mirror]\ncounter_interval = 86400\n");
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    let matter = "metadata:\n  title: Hello There\n  homepage: https://example.org/hello\nlicense: MIT\nkeywords: [greet, hi]";
    let first = Skill::named("hello").line(matter);
    registry.publish(first.clone()).to("tools").version("1.0.0").tags("lts").by(&ann).expect(201);
    registry.publish(first.text("Say it louder.\n")).to("tools").version("1.1.0").by(&ann).expect(201);
    registry.publish(Skill::named("lone")).by(&registry.admin()).expect(201);
    registry
}

#[test]
fn skill_has_the_documented_fields() {
    let registry = LIBRARY.get(library);
    let skill = registry.read("/api/v1/skills/tools/hello");
    assert_fields(&skill, &format!("{SUMMARY} license homepage latest promotedFrom"));
    assert_fields(&skill["author"], "handle displayName");
    assert_fields(&skill["latest"], VERSION);
    assert_eq!(
        (&skill["name"], &skill["description"]),
        (&json!("Hello There"), &json!("Greets people by their name."))
    );
    assert_eq!((&skill["license"], &skill["homepage"]), (&json!("MIT"), &json!("https://example.org/hello")));
    assert_eq!((&skill["version"], &skill["canonicalSlug"]), (&json!("1.1.0"), &json!("tools--hello")));
    assert_eq!((&skill["keywords"], &skill["tags"]), (&json!(["greet", "hi"]), &json!({"lts": "1.0.0"})));
    assert_eq!((&skill["downloadCount"], &skill["ratingAverage"]), (&json!(0), &Value::Null));
    assert_eq!(skill["promotedFrom"], Value::Null);
    let lone = registry.read("/api/v1/skills/global/lone");
    assert_eq!(
        (&lone["name"], &lone["license"], &lone["homepage"]),
        (&json!("lone"), &Value::Null, &Value::Null)
    );
    for time in [&skill["createdAt"], &skill["updatedAt"], &skill["latest"]["publishedAt"]] {
        let text = time.as_str().unwrap();
        assert!(text.len() == 20 && text.ends_with('Z') && text.parse::<jiff::Timestamp>().is_ok(), "{text}");
    }
}

#[test]
fn versions_and_version_detail_have_the_documented_fields() {
    let registry = LIBRARY.get(library);
    let list = registry.read("/api/v1/skills/tools/hello/versions");
    assert_fields(&list, "items total");
    assert_eq!((&list["total"], &list["items"][0]["version"]), (&json!(2), &json!("1.1.0")));
    for version in list["items"].as_array().unwrap() {
        assert_fields(version, VERSION);
        assert_eq!(version["status"], "published");
        assert_eq!((&version["yankReason"], &version["sourcePublishedAt"]), (&Value::Null, &Value::Null));
    }
    let detail = registry.read("/api/v1/skills/tools/hello/versions/1.0.0");
    assert_fields(
        &detail,
        &format!("{VERSION} namespace slug metadata warnings findings portability logIndex"),
    );
    assert_eq!(detail["metadata"]["name"], "hello");
    assert_eq!(detail["metadata"]["metadata"]["title"], "Hello There");
    assert_eq!(detail["publishedBy"]["handle"], "ann");
}

#[test]
fn download_url_serves_the_zip_it_describes() {
    let registry = LIBRARY.get(library);
    let versions = registry.read("/api/v1/skills/tools/hello/versions");
    for version in versions["items"].as_array().unwrap() {
        let url = version["downloadUrl"].as_str().unwrap();
        assert!(url.starts_with("/api/v1/"), "{url} is relative");
        let zip = registry.get(url).expect(200).body;
        assert_eq!(version["sha256"], sha256(&zip));
        assert_eq!(version["packageSize"], zip.len());
    }
}

#[test]
fn resolve_accepts_all_forms() {
    let registry = LIBRARY.get(library);
    let resolve = |query: &str| registry.read(&format!("/api/v1/skills/tools/hello/resolve{query}"));
    let latest = resolve("");
    assert_fields(&latest, "namespace slug version tag sha256 fingerprint downloadUrl");
    assert_eq!((&latest["version"], &latest["tag"]), (&json!("1.1.0"), &Value::Null));
    assert_eq!((&latest["namespace"], &latest["slug"]), (&json!("tools"), &json!("hello")));
    let exact = resolve("?version=1.0.0");
    assert_eq!((&exact["version"], &exact["tag"]), (&json!("1.0.0"), &Value::Null));
    let tagged = resolve("?tag=lts");
    assert_eq!((&tagged["version"], &tagged["tag"]), (&json!("1.0.0"), &json!("lts")));
    let newest = resolve("?tag=latest");
    assert_eq!((&newest["version"], &newest["tag"]), (&json!("1.1.0"), &json!("latest")));
    assert_eq!(resolve("?colour=red"), latest, "unknown parameters are ignored");
    let zip = registry.get(exact["downloadUrl"].as_str().unwrap()).expect(200).body;
    assert_eq!(exact["sha256"], sha256(&zip));
}

#[test]
fn resolve_refuses_invalid_requests() {
    let registry = LIBRARY.get(library);
    let path = "/api/v1/skills/tools/hello/resolve";
    registry.get(&format!("{path}?version=1.0.0&tag=lts")).problem(400, "invalid_request");
    for query in ["?version=9.9.9", "?tag=nothing", "?version=none", "?tag=..%2f..%2fsecret"] {
        registry.get(&format!("{path}{query}")).problem(404, "not_found");
    }
    registry.get("/api/v1/skills/tools/nothing/resolve").problem(404, "not_found");
    registry.get("/api/v1/resolve").problem(400, "invalid_request");
    for empty in ["/api/v1/resolve?slug=tools--hello&version=", "/api/v1/resolve?slug="] {
        registry.get(empty).problem(400, "invalid_request");
    }
    for empty in ["?version=", "?tag=", "?tag", "?version=&tag=lts", "?version=1.0.0&tag="] {
        registry.get(&format!("{path}{empty}")).problem(400, "invalid_request");
    }
    registry.get("/api/v1/resolve?slug=nothing").problem(404, "not_found");
    registry.get("/api/v1/resolve?slug=tools--hello&version=9.9.9").problem(404, "not_found");
}

#[test]
fn compatibility_routes_answer() {
    let registry = LIBRARY.get(library);
    assert_eq!(registry.read("/.well-known/registry.json"), json!({"apiBase": "/api/v1"}));
    let expect = |query: &str, version: &str| {
        let resolved = registry.read(&format!("/api/v1/resolve?slug=tools--hello{query}"));
        let url = format!("/api/v1/download/tools--hello/{version}");
        assert_eq!(
            resolved,
            json!({"slug": "tools--hello", "version": version, "downloadUrl": url}),
            "{query}"
        );
    };
    expect("", "1.1.0");
    expect("&version=1.0.0", "1.0.0");
    expect("&version=latest", "1.1.0");
    expect("&version=lts", "1.0.0");
    let zip = |path: &str| registry.get(path).expect(200).body;
    let first = zip("/api/v1/skills/tools/hello/versions/1.0.0/download");
    let second = zip("/api/v1/skills/tools/hello/download");
    assert_eq!(zip("/api/v1/download/tools--hello/1.0.0"), first);
    assert_eq!(zip("/api/v1/download/tools--hello/lts"), first);
    assert_eq!(zip("/api/v1/download/tools--hello/latest"), second);
    assert_ne!(first, second);
    let global = registry.read("/api/v1/resolve?slug=global--lone");
    assert_eq!(global["version"], "1.0.0", "global--x is x");
    registry.get("/api/v1/download/nothing/1.0.0").problem(404, "not_found");
    registry.get("/api/v1/download/lone/9.9.9").problem(404, "not_found");
}

#[test]
fn missing_document_is_a_404_that_names_it() {
    let registry = LIBRARY.get(library);
    for path in [
        "/api/v1/skills/tools/nothing",
        "/api/v1/skills/nobody/hello",
        "/api/v1/skills/TOOLS/hello",
        "/api/v1/skills/tools/hello/versions/9.9.9",
        "/api/v1/skills/tools/hello/versions/9.9.9/files",
        "/api/v1/skills/tools/hello/versions/9.9.9/download",
        "/api/v1/skills/tools/nothing/download",
        "/api/v1/skills/tools/hello/",
        "/api/v1/skills/tools/hello/versions/",
        "/api/v1/skills/tools%2fhello",
        "/api/v1/skills/tools/hello/nothing",
    ] {
        let response = registry.get(path);
        response.problem(404, "not_found");
        let life = response.require_header("cache-control");
        let seconds =
            life.split("max-age=").nth(1).map(|rest| rest.split(',').next().unwrap().parse::<u32>().unwrap());
        assert!(life.contains("no-store") || seconds.is_some_and(|s| s <= 10), "{response}: {life}");
    }
}

#[test]
fn path_is_decoded_once() {
    let registry = LIBRARY.get(library);
    let plain = registry.get("/api/v1/skills/tools/hello").expect(200);
    assert_eq!(registry.get("/api/v1/skills/tools/%68ell%6F").expect(200).body, plain.body);
    assert_eq!(registry.read("/api/v1/skills/tools/hello/resolve?tag=l%74s")["version"], "1.0.0");
    registry.get("/api/v1/skills/tools/%2568ello").problem(404, "not_found");
}
