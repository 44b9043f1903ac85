//! Fills every template with much, little and hostile content.

#![allow(clippy::unwrap_used, clippy::panic)]

pub mod markup_check;

use serde_json::{Value, json};

use self::markup_check::starts;
use super::fill;

const PAGES: [&str; 13] = [
    "home.html",
    "search.html",
    "namespaces.html",
    "namespace.html",
    "skills.html",
    "keywords.html",
    "help.html",
    "api.html",
    "skill.html",
    "404.html",
    "sign-in/code.html",
    "sign-in/consent.html",
    "sign-in/message.html",
];

/// Text that must stay text.
const HOSTILE: &str = "\"><script>alert(1)</script>'><img src=x onerror=alert(1)> {{ site }} \u{202e}\u{0}";

/// A context with everything that a page shows; `text` stands for all texts of others.
fn full(text: &str) -> Value {
    let person = json!({"handle": "alice", "displayName": text});
    let card = json!({
        "coordinate": "@global/hello", "namespace": "global", "slug": "hello", "href": "./global/hello/", "name": text,
        "description": text, "version": "1.2.0", "author": person, "starCount": 1234, "downloadCount": 5_678_901,
        "ratingAverage": 4.25, "ratingCount": 7, "updatedAt": "2026-11-21T12:00:00Z", "sourcePublishedAt": null,
    });
    let namespace = json!({
        "slug": "team", "displayName": text, "description": text, "type": "team", "status": "frozen", "skillCount": 1,
        "href": "./team/",
    });
    let version = json!({
        "version": "1.2.0", "status": "yanked", "yankReason": text, "publishedAt": "2026-11-21T12:00:00Z", "sourcePublishedAt": null,
        "publishedBy": person, "changelog": text, "sha256": "ab".repeat(32), "contentDigest": "cd".repeat(32),
        "fileCount": 2, "packageSize": 12_345, "unpackedSize": 45_678, "packageHref": "../../api/v1/x.zip",
        "packagePath": "api/v1/x.zip", "tags": ["latest", "stable"],
    });
    let files: Vec<Value> =
        (0..30).map(|n| json!({"path": format!("{n}/{text}"), "size": n, "executable": true, "anchor": format!("file-{n}")})).collect();
    let mut context = common();
    let more = json!({
        "newest": [card], "mostStarred": [card, card], "namespaces": [namespace], "items": [], "total": 101,
        "prefix": "pdf", "sort": "stars", "q": text, "within": null,
        "base": "/a", "description": text,
        "groups": [{"name": "a", "prefix": "pdf-", "count": 1200, "href": "./team/_pdf-/", "operations": [{
            "id": "get", "method": "GET", "path": "/api/v1/{x}", "summary": text, "access": text, "bodies": ["application/json"],
            "parameters": [{"name": text, "place": "path", "isRequired": true, "kind": text, "description": text}],
            "fields": [{"name": text, "isRequired": true, "kind": text, "description": ""}],
            "responses": [{"status": "200", "description": text, "record": "Skill"}, {"status": "404", "description": text, "record": ""}],
        }]}],
        "keywords": [[text, 12], ["b", 1]], "page": 2, "pages": 3, "previous": "../", "next": "../3/", "namespace": namespace,
        "skill": {
            "coordinate": "@team/hello", "canonicalSlug": "team--hello", "namespace": "team", "slug": "hello",
            "name": text, "description": text, "author": person, "license": text, "homepage": text,
            "keywords": [text, "b"], "starCount": 1, "downloadCount": 2, "ratingAverage": 3.0, "ratingCount": 1,
            "promotedFrom": {"coordinate": "@a/b", "version": "1.0.0", "href": "../../a/b/"},
        },
        "markdownHref": "../../team/hello/index.md",
        "otherClients": [
            {"client": "git", "before": "git clone ", "after": "/team/hello.git", "condition": text},
            {"client": "Claude Code", "before": null, "after": null, "condition": text},
        ],
        "facts": {
            "tools": ["Read", text], "moreTools": 3, "needs": text, "scripts": [{"language": "Python", "count": 2}],
            "license": [{"text": text, "href": null}, {"text": "MIT", "href": "https://spdx.org/licenses/MIT.html"}],
            "source": text, "versionsOfYear": 2, "newestAt": "2026-11-21T12:00:00Z",
        },
        "isLatest": true, "shown": version, "argument": "team/hello", "tags": [{"name": "latest", "version": "1.2.0"}],
        "versions": [version, version], "versionsTotal": 200, "versionsHref": "../x.json", "files": files,
        "frontMatter": [{"key": text, "value": text}],
        "firstPublishedAt": "2026-11-20T12:00:00Z", "updatedAt": "2026-11-21T12:00:00Z",
        "risks": [{"code": "a", "path": text, "line": 3, "message": text}],
        "notes": [{"code": "b", "path": null, "line": null, "message": text}],
        "readme": super::readme(&format!("# {text}\n\n{text}"), &[]), "recordHref": "../x.json",
    });
    add(&mut context, more);
    let sign_in = json!({
        "action": "./cli/device", "label": text, "asker": text, "code": text, "hidden": [{"name": "state", "value": text}],
        "scopes": [{"name": "read", "meaning": text}], "until": text, "target": "http://127.0.0.1:8976", "handle": text,
        "problem": text, "heading": text, "text": text,
    });
    add(&mut context, sign_in);
    context
}

/// A context with as little as possible.
fn empty() -> Value {
    let mut context = full("x");
    let nothing = json!({
        "newest": [], "mostStarred": [], "namespaces": [], "items": [], "total": 0, "page": 1, "pages": 1,
        "previous": null, "next": null, "isLatest": false, "tags": [], "versions": [], "versionsTotal": 0, "files": [],
        "frontMatter": [], "prefix": "", "groups": [], "keywords": [], "risks": [], "notes": [], "readme": null,
        "scopes": [], "hidden": [], "target": null, "code": null, "problem": null,
    });
    add(&mut context, nothing);
    let skill = json!({
        "name": "", "description": "", "license": null, "homepage": null, "keywords": [], "ratingAverage": null,
        "promotedFrom": null,
    });
    add(&mut context["skill"], skill);
    context["url"] = Value::Null;
    let facts =
        json!({"tools": [], "moreTools": 0, "needs": null, "scripts": [], "license": null, "source": null});
    add(&mut context["facts"], facts);
    add(&mut context["shown"], json!({"yankReason": null, "changelog": ""}));
    add(&mut context["namespace"], json!({"displayName": "", "description": "", "status": "archived"}));
    context
}

fn common() -> Value {
    json!({
        "url": "https://registry.example/a/", "root": "./", "assets": "./assets/0123456789abcdef/", "site": "https://registry.example",
        "registryTotal": {"skills": 1, "namespaces": 0},
        "keys": ["skills.example.org+ca08b2be+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs"],
    })
}

fn add(to: &mut Value, more: Value) {
    let Value::Object(more) = more else { panic!("an object") };
    for (name, value) in more {
        to[name] = value;
    }
}

fn page(template: &'static str, context: &Value) -> String {
    let mut context = context.clone();
    // Two pages have lists named `items`: of skills and of namespaces.
    if let Some([first, ..]) = context["newest"].as_array().map(Vec::as_slice) {
        let item = if template == "namespaces.html" { &context["namespace"] } else { first };
        context["items"] = json!([item, item]);
    }
    String::from_utf8(
        fill(template, &context)
            .unwrap_or_else(|error| panic!("{template:?}: {}", registry::with_causes(&error))),
    )
    .unwrap()
}

fn samples() -> Vec<(&'static str, String)> {
    let long = "donaudampfschifffahrts".repeat(40);
    let contexts = [full("Some words"), full(HOSTILE), full(&long), full("日本語 ‏עברית"), empty()];
    let pairs = contexts.iter().flat_map(|context| PAGES.map(|template| (template, page(template, context))));
    pairs.collect()
}

#[test]
fn page_is_well_formed_and_runs_only_our_scripts() {
    for (template, page) in samples() {
        assert!(
            page.starts_with("<!doctype html>\n<html lang=\"en\" data-root=\"./\">"),
            "{template:?}: {page}"
        );
        let starts = starts(&page).unwrap_or_else(|wrong| panic!("{template:?}: {wrong}\n{page}"));
        for (name, attributes) in &starts {
            let value = |name: &str| {
                attributes.iter().find(|(each, _)| each == name).map(|(_, value)| value.as_str())
            };
            let is_ours = |url: &str| url.starts_with("./assets/");
            match name.as_str() {
                "script" => assert!(value("src").is_some_and(is_ours), "{page}"),
                "link" if value("rel") == Some("alternate") => {
                    assert!(value("type").is_some_and(|kind| kind.starts_with("text/")), "{page}");
                }
                "link" if value("rel") == Some("preload") => {
                    assert_eq!(value("href"), Some("./api/v1/search/_index/manifest.bin"), "{page}");
                }
                "link" if value("rel") == Some("canonical") => {
                    assert_eq!(value("href"), Some("https://registry.example/a/"), "{page}");
                }
                "link" if value("rel") == Some("search") => {
                    assert_eq!(value("href"), Some("./opensearch.xml"), "{page}");
                }
                "link" => assert!(value("href").is_some_and(is_ours), "{page}"),
                "form" => {
                    assert!(matches!(value("action"), Some("./search/" | "./cli/device")), "{page}");
                }
                "style" | "iframe" | "img" | "object" | "embed" | "base" => panic!("<{name}> in {page}"),
                _ => {}
            }
            for (attribute, value) in attributes {
                assert!(attribute != "style" && !attribute.starts_with("on"), "{attribute} in {page}");
                let is_link = matches!(attribute.as_str(), "href" | "src" | "action");
                let starts = [".", "#", "https://"];
                assert!(
                    !is_link || starts.iter().any(|start| value.starts_with(start)),
                    "{attribute}={value}"
                );
            }
        }
        let count = |wanted: &str| starts.iter().filter(|(name, _)| name == wanted).count();
        for one in ["h1", "main", "title", "header", "footer"] {
            assert_eq!(count(one), 1, "<{one}> of {template:?}");
        }
        assert!(page.contains("default-src 'none'; script-src 'self'; style-src 'self';"));
    }
}

#[test]
fn headings_skip_no_level() {
    for (template, page) in samples() {
        let mut before = 0;
        for (name, _) in starts(&page).unwrap() {
            let Some(level) = name.strip_prefix('h').and_then(|level| level.parse::<usize>().ok()) else {
                continue;
            };
            assert!(level <= before + 1, "{template:?}: h{level} after h{before}");
            before = level;
        }
    }
}

#[test]
fn ids_are_unique_and_references_resolve() {
    for (template, page) in samples() {
        let starts = starts(&page).unwrap();
        let of = |wanted: &[&str]| -> Vec<&str> {
            let all = starts.iter().flat_map(|(_, attributes)| attributes);
            all.filter(|(name, _)| wanted.contains(&name.as_str())).map(|(_, value)| value.as_str()).collect()
        };
        let ids = of(&["id"]);
        let mut distinct = ids.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), ids.len(), "{template:?}: {ids:?}");
        for id in of(&["for", "aria-labelledby"]) {
            assert!(ids.contains(&id), "{template:?}: {id}");
        }
        for id in of(&["href"]).iter().filter_map(|href| href.strip_prefix('#')) {
            assert!(ids.contains(&id), "{template:?}: {id}");
        }
    }
}

#[test]
fn install_commands_name_site_and_skill() {
    let page = page("skill.html", &full("x"));
    let text: String =
        page.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect();
    for command in [
        "skillmirror install team/hello --registry https://registry.example",
        "skillmirror install team/hello --registry https://registry.example --agent claude",
        "CLI_REGISTRY=https://registry.example skillmirror install team/hello",
        "$env:CLI_REGISTRY='https://registry.example'; skillmirror install team/hello",
        "curl -fLo hello.zip &#39;https://registry.example/api/v1/x.zip&#39;\nunzip hello.zip -d skills/hello",
    ] {
        assert!(text.contains(&command.replace("&#39;", "'")), "{command} in {text}");
    }
}

#[test]
fn numbers_and_times_are_formatted() {
    let page = page("home.html", &full("x"));
    for text in
        ["5,678,901", "<time datetime=\"2026-11-21T12:00:00Z\">21\u{a0}Nov\u{a0}2026</time>", "4.2 of 5"]
    {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn yanked_skill_is_marked_in_lists() {
    for template in ["home.html", "namespace.html"] {
        let mut context = full("x");
        let is_marked = |context: &Value| page(template, context).contains(">yanked</span></p>");
        assert!(!is_marked(&context), "{template:?}");
        context["newest"][0]["version"] = Value::Null;
        assert!(is_marked(&context), "{template:?}");
    }
}

#[test]
fn cut_off_list_says_so() {
    for (number, total, is_last) in [(10, 500, false), (9, 1200, false), (10, 1200, true)] {
        let mut context = full("x");
        add(&mut context, json!({"page": number, "pages": 10, "total": total, "shown": 500}));
        let page = page("namespaces.html", &context);
        let sentence = "These pages show the first 500 of 1,200 namespaces, in alphabetical order. \
                        <a href=\"./search/\">Search</a> finds the skills of the others.";
        assert_eq!(page.contains(sentence), is_last, "{number} {total}: {page}");
        assert_eq!(page.contains("These pages show "), is_last, "{number} {total}");
        let position = format!("Page {number} of {}10<", if total > 500 { "the first " } else { "" });
        assert!(page.contains(&position), "{position}: {page}");
    }
}

#[test]
fn keywords_link_to_search_and_many_are_folded() {
    let mut context = full("x");
    let words: Vec<String> = (0..32).map(|n| format!("a b&c {n}")).collect();
    context["skill"]["keywords"] = json!(words);
    let page = page("skill.html", &context);
    assert_eq!(page.matches("href=\"./search/?q=a%20b%26c%20").count(), 32);
    let (before, after) = page.split_once("<summary>22\u{a0}more keywords</summary>").unwrap();
    assert!(before.contains("a%20b%26c%209\"") && after.contains("a%20b%26c%2010\""));
}

#[test]
fn empty_registry_says_how_to_publish() {
    let mut context = empty();
    context["registryTotal"]["skills"] = json!(0);
    let page = page("home.html", &context);
    assert!(
        page.contains("This registry has no skills yet") && page.contains("skillmirror publish DIR"),
        "{page}"
    );
    assert!(!page.contains("Search 0"), "{page}");
}
