//! What pages show, by which templates are checked: much and little content, in tests also a hostile one.

use serde_json::{Value, json};

/// The templates that are filled by themselves, and the values that each is filled with.
const SHOWN: &[(&str, &str)] = &[
    ("404.html", "root assets site"),
    ("about.html", "root assets url site"),
    ("advisories.html", "root assets url site advisories items indexHref max"),
    ("api.html", "root assets url site base description groups"),
    ("bundle.html", "root assets url site bundle hasMarketplace hasRepository recordHref"),
    ("feed.xml", "address entries page site title updated"),
    ("help.html", "root assets url site"),
    ("home.html", "root assets url site keys mostStarred namespaces newest registryTotal"),
    ("keywords.html", "root assets url site keywords isAll"),
    ("llms.txt", "site has_words max_plugins"),
    ("namespace.html", "root assets url site groups items namespace prefix repository total bundles"),
    ("namespaces.html", "root assets url site items next page pages previous shown total"),
    ("opensearch.xml", "site"),
    ("robots.txt", "site path closed"),
    ("search.html", "root assets url site"),
    ("search.html", "root assets found"),
    ("sign-in/code.html", "root assets action problem"),
    (
        "sign-in/consent.html",
        "root assets action label asker code scopes hidden until target handle problem passwords providers",
    ),
    ("sign-in/handle.html", "root assets action secret name handle problem"),
    ("sign-in/message.html", "root assets heading text href"),
    ("signed-in.html", "root assets url commands heading name"),
    ("sitemap.xml", "site paths"),
    ("sitemaps.xml", "site paths"),
    (
        "skill.html",
        "root assets url site advisories argument facts files firstPublishedAt frontMatter isLatest markdownHref notes otherClients \
         readme recordHref risks shown skill tags updatedAt versions versionsHref versionsTotal",
    ),
    (
        "skill.md",
        "site commands coordinate description fence files filesHref filesTotal isCut isLatest isSiteKnown license name \
         packageHref packagePath recordHref shown slug text versionsHref",
    ),
    ("skills.html", "root assets url site items recordHref sort total"),
    (
        "version.html",
        "root assets url advisories attestationHref before filesTotal folders logIndex notes recordHref risks shown skill texts",
    ),
];

/// Much and little content for each template that is filled by itself.
pub(super) fn all() -> impl Iterator<Item = (&'static str, Value)> {
    SHOWN.iter().flat_map(|(template, shown)| {
        let contexts = [full("Some words"), empty()].map(|context| of(template, context));
        contexts.map(|mut context| {
            if let Value::Object(values) = &mut context {
                values.retain(|key, _| shown.split_whitespace().any(|name| name == key));
            }
            (*template, context)
        })
    })
}

/// The content of one template. Templates have values of the same names that mean something else.
pub(super) fn of(template: &str, mut context: Value) -> Value {
    let first = |list: &Value| list.as_array().and_then(|all| all.first()).map(|one| json!([one, one]));
    let is_empty = first(&context["newest"]).is_none();
    let items = if template == "namespaces.html" { "namespaces" } else { "newest" };
    if let Some(items) = first(&context[items]) {
        context["items"] = items;
    }
    match template {
        "advisories.html" => context["items"] = context["advisories"].clone(),
        "namespaces.html" => context["shown"] = json!(500),
        "robots.txt" | "llms.txt" if is_empty => context["site"] = Value::Null,
        "skill.md" => {
            context["commands"] = json!([{ "client": "x", "command": "x", "condition": "x" }]);
            context["license"] = context["skill"]["license"].clone();
        }
        _ => {}
    }
    context
}

/// A context with everything that a page shows; `text` stands for all texts of others.
pub(super) fn full(text: &str) -> Value {
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
        "packagePath": "api/v1/x.zip", "href": "../../team/hello/1.2.0/", "hasAdvisory": true, "tags": ["latest", "stable"],
        "requires": [{"namespace": "team", "slug": "pdf", "requirement": "^1"}],
        "provenance": {"issuer": text, "repository": text, "commit": text, "ref": text, "workflow": text, "run": text},
        "verdicts": [{"scanner": "a", "scannerVersion": text, "level": "error", "errors": 1, "warnings": 2, "notes": 3}],
    });
    let files: Vec<Value> =
        (0..30).map(|n| json!({"path": format!("{n}/{text}"), "size": n, "executable": true, "anchor": format!("file-{n}")})).collect();
    let advisory = |id: &str, level: &str| {
        json!({
            "id": id, "level": level, "title": text, "text": text, "fixedIn": "1.2.1", "issuer": "registry",
            "publishedAt": "2026-11-21T12:00:00Z", "withdrawnAt": null, "withdrawalReason": null, "ranges": "<1.2.1",
            "coordinate": "@team/hello", "skillHref": "../../team/hello/", "osvHref": "../x.json",
        })
    };
    let mut context = common();
    let finding = json!({
        "code": "a", "path": text, "line": 3, "anchor": "file-1-L3", "message": text, "level": "error", "scanner": "a",
    });
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
            "promotedFrom": {"coordinate": "@a/b", "version": "1.0.0", "href": "../../a/b/"}, "href": "../",
        },
        "markdownHref": "../../team/hello/index.md",
        "otherClients": [
            {"client": "git", "before": "git clone ", "after": "/team/hello.git", "condition": text},
            {"client": "Claude Code", "before": null, "after": null, "condition": text},
        ],
        "facts": {
            "tools": ["Read", text], "moreTools": 3, "needs": text, "scripts": [{"language": "Python", "count": 2}],
            "license": [{"text": text, "href": null}, {"text": "MIT", "href": "https://spdx.org/licenses/MIT.html"}],
            "portability": {"clients": 10, "notLoadedBy": [{"client": "Codex", "version": "1.0", "why": text}]},
            "source": text, "versionsOfYear": 2, "newestAt": "2026-11-21T12:00:00Z",
        },
        "isLatest": true, "shown": version, "argument": "team/hello", "tags": [{"name": "latest", "version": "1.2.0"}],
        "versions": [version, version], "versionsTotal": 200, "versionsHref": "../x.json", "files": files,
        "frontMatter": [{"key": text, "value": text}],
        "firstPublishedAt": "2026-11-20T12:00:00Z", "updatedAt": "2026-11-21T12:00:00Z",
        "risks": [finding],
        "notes": [{"code": "b", "path": null, "line": null, "anchor": null, "message": text}],
        "readme": crate::pages::readme(&format!("# {text}\n\n{text}"), &[], "1.0.0/"), "recordHref": "../x.json",
    });
    add(&mut context, more);
    let advisories = [advisory("SKM-12", "low"), advisory("SKM-13", "critical")];
    add(&mut context, json!({ "advisories": advisories, "indexHref": "../x.json", "max": 100 }));
    let repository = json!({"isOne": true, "isSure": false, "maxSkills": 100, "maxBytes": 9});
    add(&mut context, json!({"repository": repository}));
    add(&mut context, of_version(text));
    let member = json!({"namespace": "team", "slug": "pdf", "requirement": "^1", "version": "1.0.0", "coordinate": "@team/pdf", "href": "../pdf/", "description": text});
    let bundle = json!({"namespace": "team", "name": "a", "coordinate": "+team/a", "title": text, "description": text, "members": [member, member]});
    let listed = json!([{"name": {"namespace": "team", "name": "a"}, "title": text, "href": "./team/+a/"}]);
    add(
        &mut context,
        json!({"bundle": bundle, "bundles": listed, "hasRepository": true, "hasMarketplace": true}),
    );
    let entry = json!({"title": text, "url": "https://skills.example.org/a/b/1.0.0/", "updated": "2026-11-21T12:00:00Z", "author": "ann", "text": text});
    add(
        &mut context,
        json!({"title": text, "address": "https://skills.example.org/feed.atom", "updated": "2026-11-21T12:00:00Z", "entries": [entry]}),
    );
    let sign_in = json!({
        "action": "./cli/device", "label": text, "asker": text, "code": text, "hidden": [{"name": "state", "value": text}],
        "scopes": [{"name": "read", "meaning": text}], "until": text, "target": "http://127.0.0.1:8976", "handle": text,
        "problem": text, "heading": text, "text": text, "href": "https://login.example.org/", "secret": text, "name": text,
        "passwords": true, "providers": [{"name": "company", "title": text}],
    });
    add(&mut context, sign_in);
    let of_texts = json!({
        "path": "/a", "closed": false, "paths": ["/a/", "/b/"], "has_words": true, "max_plugins": 100, "name": text, "slug": "hello",
        "coordinate": "@team/hello", "isSiteKnown": false, "packageHref": "x.zip", "packagePath": "api/v1/x.zip",
        "filesHref": "../x.json", "fence": "```", "isCut": true, "commands": [["x", text]],
    });
    add(&mut context, of_texts);
    let items = context["newest"].clone();
    context["found"] = json!({
        "items": items, "q": text, "within": "team", "sort": "name", "total": 70, "page": 2, "pages": 4,
        "previous": "../search/?q=x", "next": "../search/?q=x", "isMore": true, "searched": 200,
        "unknown": [{"word": text, "instead": text}, {"word": "x", "instead": null}], "near": 2, "also": [text],
    });
    context
}

/// What the page of a version shows, besides what that of a skill does.
fn of_version(text: &str) -> Value {
    let file = |number: usize, change: Option<&str>| {
        json!({
            "position": number, "anchor": format!("file-{}", number + 1), "name": text, "size": number, "executable": true,
            "kind": "Text", "change": change, "marked": [2, 3, 9], "isEntryFile": number == 1,
        })
    };
    let changed = |change: &str, anchor: Option<&str>| json!({"path": text, "change": change, "anchor": anchor, "size": 1, "sizeBefore": 2});
    let changes = json!({
        "added": 1, "changed": 1, "removed": 300, "files": [changed("changed", Some("file-1")), changed("removed", None)],
    });
    json!({
        "before": {"version": "1.1.0", "href": "../1.1.0/", "packageHref": "../../../api/v1/x.zip", "changes": changes},
        "folders": [
            {"name": "", "files": [file(0, None), file(1, Some("changed"))]},
            {"name": text, "files": [file(2, Some("added"))]},
        ],
        "texts": [null, ["", text, text], [text]],
        "filesTotal": 3, "logIndex": 896, "attestationHref": "../../../api/v1/x.json",
    })
}

/// A context with as little as possible.
pub(super) fn empty() -> Value {
    let mut context = full("x");
    let nothing = json!({
        "newest": [], "mostStarred": [], "namespaces": [], "items": [], "total": 0, "page": 1, "pages": 1,
        "previous": null, "next": null, "isLatest": false, "tags": [], "versions": [], "versionsTotal": 0, "files": [],
        "frontMatter": [], "prefix": "", "groups": [], "keywords": [], "advisories": [], "risks": [], "notes": [], "readme": null,
        "before": null, "folders": [], "texts": [], "filesTotal": 0, "logIndex": null, "attestationHref": null,
        "scopes": [], "hidden": [], "target": null, "code": null, "problem": null, "href": null, "passwords": false,
        "providers": [], "closed": true,
    });
    add(&mut context, nothing);
    let skill = json!({
        "name": "", "description": "", "license": null, "homepage": null, "keywords": [], "ratingAverage": null,
        "promotedFrom": null,
    });
    add(&mut context["skill"], skill);
    context["url"] = Value::Null;
    context["repository"] = Value::Null;
    let member = json!({"namespace": "team", "slug": "pdf", "requirement": "^1", "version": null, "coordinate": "@team/pdf", "href": null, "description": null});
    add(&mut context["bundle"], json!({"description": "", "members": [member]}));
    add(&mut context, json!({"bundles": [], "hasRepository": false, "hasMarketplace": false}));
    let facts = json!({"tools": [], "moreTools": 0, "needs": null, "scripts": [], "license": null, "source": null,
            "portability": {"clients": 10, "notLoadedBy": []}});
    add(&mut context["facts"], facts);
    add(
        &mut context["shown"],
        json!({"yankReason": null, "changelog": "", "provenance": {"source": {"address": "file:a", "digest": ""}}, "requires": []}),
    );
    let nothing_found = json!({"items": [], "within": null, "sort": null, "total": 0, "pages": 0, "previous": null, "next": null, "isMore": false, "searched": null, "unknown": [], "near": 0, "also": []});
    add(&mut context["found"], nothing_found);
    add(&mut context["namespace"], json!({"displayName": "", "description": "", "status": "archived"}));
    context
}

fn common() -> Value {
    json!({
        "url": "https://registry.example/a/", "root": "./", "assets": "./assets/0123456789abcdef/", "site": "https://registry.example",
        "registryTotal": {"skills": 1, "namespaces": 0}, "isAll": true,
        "keys": ["skills.example.org+ca08b2be+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs"],
    })
}

pub(super) fn add(to: &mut Value, more: Value) {
    if let (Value::Object(to), Value::Object(more)) = (to, more) {
        to.extend(more);
    }
}
