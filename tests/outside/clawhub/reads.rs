//! Reading one skill. Clients refuse other shapes than these.

use serde_json::{Value, json};

use super::{harness, line_of};
use harness::{Registry, Shared, Skill, assert_fields, sha256};

static LIBRARY: Shared<Registry> = Shared::new();

const SKILLS: &str = "/clawhub/api/v1/skills";

/// `tools--hello` by ann with 1.0.0 (tag `lts`), 1.1.0 and the yanked 2.0.0, and `lone` by the admin.
fn library() -> Registry {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    let first = Skill::named("hello")
        .line("metadata:\n  title: Hello There\nlicense: MIT")
        .file("docs/ä b.md", "Grüße\n")
        .file("logo.png", b"\x89PNG\xff")
        .file("page.html", "<script>alert(1)</script>");
    registry.publish(first.clone()).to("tools").version("1.0.0").tags("lts").by(&ann).expect(201);
    registry.publish(first.clone().text("Louder.\n")).to("tools").version("1.1.0").by(&ann).expect(201);
    registry.publish(first.text("Loudest.\n")).to("tools").version("2.0.0").by(&ann).expect(201);
    registry.yank("tools/hello", "2.0.0", &ann).expect(200);
    registry.publish(Skill::named("lone")).by(&registry.admin()).expect(201);
    registry
}

fn fingerprint(registry: &Registry, version: &str) -> String {
    let record = registry.read(&format!("/api/v1/skills/tools/hello/versions/{version}"));
    record["fingerprint"].as_str().unwrap().to_owned()
}

fn resolved(registry: &Registry, hash: &str) -> Value {
    registry.read(&format!("/clawhub/api/v1/resolve?slug=tools--hello&hash={hash}"))
}

#[test]
fn skill_has_the_fields_that_clients_check() {
    let registry = LIBRARY.get(library);
    let answer = registry.read(&format!("{SKILLS}/tools--hello"));
    assert_fields(&answer, "skill latestVersion owner moderation match version");
    let skill = &answer["skill"];
    assert_fields(skill, "slug displayName summary tags stats createdAt updatedAt");
    assert_eq!((&skill["slug"], &skill["displayName"]), (&json!("tools--hello"), &json!("Hello There")));
    assert_eq!(skill["tags"], json!({ "latest": "1.1.0", "lts": "1.0.0" }));
    assert!(skill["createdAt"].as_u64().is_some_and(|time| time > 1_600_000_000_000), "{skill}");
    // Clients refuse a license that is not theirs.
    assert_fields(&answer["latestVersion"], "version createdAt changelog");
    assert_eq!(answer["latestVersion"]["version"], "1.1.0");
    assert_eq!(answer["owner"], json!({ "handle": "ann" }));
    let file = registry.public().join("clawhub/api/v1/skills/tools--hello.json");
    let bytes = registry.get(&format!("{SKILLS}/tools--hello?ownerHandle=@ANN")).expect(200).body;
    assert_eq!(bytes, std::fs::read(file).unwrap());
}

#[test]
fn unknown_skill_is_not_found_in_the_words_that_clients_know() {
    let registry = LIBRARY.get(library);
    for path in [
        "/skills/nothing",
        "/skills/Not%20A%20Slug",
        "/skills/tools--hello?ownerHandle=bob",
        "/skills/tools--hello/versions?ownerHandle=bob",
        "/skills/nothing/versions",
        "/skills/nothing/versions/1.0.0",
        "/skills/nothing/file?path=SKILL.md&version=1.0.0",
        "/skills/nothing/verify",
        "/skills/nothing/install",
        "/resolve?slug=nothing&hash=00",
        "/resolve?slug=tools--hello&hash=00&ownerHandle=bob",
        "/resolve?hash=00",
        "/download?slug=nothing&version=1.0.0",
        "/download?slug=tools--hello&version=1.0.0&ownerHandle=bob",
    ] {
        assert_eq!(line_of(&registry.get(&format!("/clawhub/api/v1{path}")), 404), "Skill not found");
    }
}

/// Clients encode what people typed.
#[test]
fn name_with_a_slash_is_not_found_with_the_right_form() {
    let registry = LIBRARY.get(library);
    for path in
        ["/skills/tools%2Fhello", "/skills/@ann%2Ftools--hello/versions", "/skills/a%00", "/skills/%FF"]
    {
        let sentence = "Skill not found: write its slug, which is team--slug in the namespace team.";
        assert_eq!(line_of(&registry.get(&format!("/clawhub/api/v1{path}")), 404), sentence);
    }
}

#[test]
fn removed_skill_is_not_found_until_it_is_restored() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    registry.versions("tools/hello", &["1.0.0"], &ann);
    registry.remove("tools/hello", &ann).expect(204);
    for path in ["", "/versions", "/versions/1.0.0", "/file?path=SKILL.md"] {
        let line = line_of(&registry.get(&format!("{SKILLS}/tools--hello{path}")), 404);
        assert_eq!(line, "Skill not found");
    }
    assert_eq!(registry.read(SKILLS)["items"], json!([]));
    registry.restore("tools/hello", &ann).expect(200);
    registry.get(&format!("{SKILLS}/tools--hello")).expect(200);
}

#[test]
fn versions_are_the_offered_ones_newest_first() {
    let registry = LIBRARY.get(library);
    let list = registry.read(&format!("{SKILLS}/tools--hello/versions?limit=25"));
    assert_fields(&list, "items nextCursor");
    let versions: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| &item["version"]).collect();
    assert_eq!(versions, ["1.1.0", "1.0.0"]);
    let one = registry.read(&format!("{SKILLS}/tools--hello/versions?limit=1"));
    assert_eq!(one["items"].as_array().unwrap().len(), 1);
}

#[test]
fn version_has_its_files() {
    let registry = LIBRARY.get(library);
    let answer = registry.read(&format!("{SKILLS}/tools--hello/versions/1.0.0?ownerHandle=ann"));
    assert_fields(&answer, "version skill");
    assert_eq!(answer["skill"], json!({ "slug": "tools--hello", "displayName": "Hello There" }));
    assert_fields(&answer["version"], "version createdAt changelog files");
    let files = answer["version"]["files"].as_array().unwrap();
    let file = files.iter().find(|file| file["path"] == "docs/ä b.md").unwrap();
    let expected = json!({"path": "docs/ä b.md", "size": 8, "sha256": sha256("Grüße\n".as_bytes()),
        "contentType": "text/markdown"});
    assert_eq!(*file, expected);
    for (version, part) in
        [("2.0.0", "yanked (It greets nobody.)"), ("3.0.0", "no version or tag 3.0.0"), ("x y", "no version")]
    {
        let path = format!("{SKILLS}/tools--hello/versions/{}", version.replace(' ', "%20"));
        let line = line_of(&registry.get(&path), 404);
        assert!(line.contains(part), "{line}");
    }
}

#[test]
fn file_is_sent_unchanged_and_never_as_a_page() {
    let registry = LIBRARY.get(library);
    let file = |query: &str| registry.get(&format!("{SKILLS}/tools--hello/file?{query}"));
    let text = file("path=docs%2F%C3%A4+b.md&version=1.0.0").expect(200);
    assert_eq!(text.text(), "Grüße\n");
    assert_eq!(file("path=logo.png&tag=lts").expect(200).body, b"\x89PNG\xff");
    assert!(file("path=SKILL.md").expect(200).text().contains("Louder."));
    assert!(file("path=SKILL.md&version=2.0.0").expect(200).text().contains("Loudest."));
    let page = file("path=page.html&tag=latest").expect(200);
    assert_eq!(page.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(file("path=logo.png").header("content-type"), Some("application/octet-stream"));
    for query in ["path=../SKILL.md", "path=docs", "path=nothing", "path=%2Fetc%2Fpasswd"] {
        assert!(line_of(&file(query), 404).contains("There is no file"));
    }
    assert!(line_of(&file("version=1.0.0"), 400).contains("path"));
    assert!(line_of(&file("path=SKILL.md&version=9.9.9"), 404).contains("9.9.9"));
}

#[test]
fn fingerprint_resolves_to_its_version() {
    let registry = LIBRARY.get(library);
    for version in ["1.0.0", "1.1.0", "2.0.0"] {
        let found = resolved(&registry, &fingerprint(&registry, version));
        assert_eq!(
            found,
            json!({ "match": { "version": version }, "latestVersion": { "version": "1.1.0" } })
        );
    }
    for hash in ["", "x", &"0".repeat(64)] {
        let found = resolved(&registry, hash);
        assert_eq!(found, json!({ "match": null, "latestVersion": { "version": "1.1.0" } }));
    }
}

#[test]
fn equal_contents_resolve_to_the_latest_version() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    for version in ["2.0.0", "1.9.0", "3.0.0"] {
        // The image counts only in the fingerprints of 0.23.
        let skill = Skill::named("hello").file("logo.png", version);
        registry.publish(skill).to("tools").version(version).by(&ann).expect(201);
    }
    registry.yank("tools/hello", "3.0.0", &ann).expect(200);
    let text = registry.get("/clawhub/api/v1/skills/tools--hello/file?path=SKILL.md").expect(200).body;
    let hash = sha256(format!("SKILL.md:{}", sha256(&text)).as_bytes());
    assert_eq!(resolved(&registry, &hash)["match"]["version"], "2.0.0");
    assert_eq!(resolved(&registry, &fingerprint(&registry, "1.9.0"))["match"]["version"], "1.9.0");
}

#[test]
fn download_is_the_package() {
    let registry = LIBRARY.get(library);
    let package = registry.get("/api/v1/skills/tools/hello/versions/1.0.0/download").expect(200).body;
    for version in ["1.0.0", "lts"] {
        let query = format!("slug=tools--hello&version={version}&ownerHandle=Ann");
        let zip = registry.get(&format!("/clawhub/api/v1/download?{query}"));
        assert_eq!(zip.header("content-type"), Some("application/zip"));
        assert!(zip.expect(200).body == package, "{version}");
    }
    let line = line_of(&registry.get("/clawhub/api/v1/download?slug=tools--hello&version=4.0.0"), 404);
    assert!(line.contains("4.0.0"), "{line}");
}

#[test]
fn skill_without_an_offered_version_says_so() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    registry.versions("tools/hello", &["1.0.0"], &ann);
    registry.yank("tools/hello", "1.0.0", &ann).expect(200);
    assert_eq!(registry.read(&format!("{SKILLS}/tools--hello"))["latestVersion"], Value::Null);
    // Absent, because clients refuse null here.
    assert_eq!(registry.read(SKILLS)["items"][0].get("latestVersion"), None);
    let line = line_of(&registry.get(&format!("{SKILLS}/tools--hello/install")), 404);
    assert!(line.contains("yanked"), "{line}");
}

#[test]
fn verification_says_who_published_and_whether_it_is_offered() {
    let registry = LIBRARY.get(library);
    let verify = |query: &str| registry.read(&format!("{SKILLS}/tools--hello/verify{query}"));
    let good = verify("");
    assert_fields(
        &good,
        "schema ok decision reasons slug displayName pageUrl publisherHandle publisherDisplayName \
         publisherProfileUrl version resolvedFrom tag createdAt card artifact provenance security signature",
    );
    assert_eq!((&good["ok"], &good["version"]), (&json!(true), &json!("1.1.0")));
    assert_eq!(verify("?tag=lts")["resolvedFrom"], "tag");
    let yanked = verify("?version=2.0.0");
    assert_eq!((&yanked["ok"], &yanked["decision"]), (&json!(false), &json!("fail")));
}

#[test]
fn card_of_the_latest_version_is_its_markdown() {
    let registry = Registry::with_config("public_url = \"https://skills.example.org\"\n");
    registry.versions("global/hello", &["1.0.0", "1.1.0"], &registry.admin());
    let card = |query: &str| registry.read(&format!("{SKILLS}/hello/verify{query}"))["card"].clone();
    let url = "https://skills.example.org/global/hello/index.md";
    assert_eq!(card(""), json!({ "available": true, "url": url }));
    assert_eq!(card("?version=1.0.0"), json!({ "available": false }));
    assert!(registry.get("/global/hello/index.md").expect(200).text().contains("1.1.0"));
}
