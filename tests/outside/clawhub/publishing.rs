//! Publishing with a form, as clients before 0.23 do, and what both ways to publish have in common.

use serde_json::{Value, json};

use super::{harness, line_of};
use harness::{Registry, Response, Shared, Skill, User, assert_fields};

static RUNNING: Shared<Registry> = Shared::new();

pub(super) const SKILLS: &str = "/clawhub/api/v1/skills";
const BOUNDARY: &str = "----a-boundary-that-no-test-file-contains";

/// What clients send besides the files.
pub(super) fn payload(slug: &str, version: &str) -> Value {
    json!({
        "slug": slug, "displayName": "Hello", "version": version, "changelog": "First.", "tags": ["latest"],
        "acceptLicenseTerms": true, "forkOf": null, "source": {"kind": "github", "repo": "a/b"},
    })
}

/// The files of a skill, with a name that is not ASCII and an empty file.
pub(crate) fn files(name: &str, text: &str) -> Vec<(String, Vec<u8>)> {
    let skill = Skill::named(name).text(text).file("docs/ä b.md", "Grüße\n").file("empty.txt", "");
    skill.entries().into_iter().map(|(path, bytes, _)| (path, bytes)).collect()
}

pub(super) fn send_form(
    registry: &Registry,
    user: &User,
    payload: &str,
    files: &[(String, Vec<u8>)],
) -> Response {
    let mut body =
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n{payload}\r\n")
            .into_bytes();
    for (path, bytes) in files {
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{path}\"\r\nContent-Type: text/plain\r\n\r\n"
        );
        body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
    }
    body.extend(format!("--{BOUNDARY}--\r\n").into_bytes());
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    registry.as_user(user).with("content-type", &kind).request("POST", SKILLS, Some(body))
}

fn publish(registry: &Registry, user: &User, payload: &Value, files: &[(String, Vec<u8>)]) -> Response {
    send_form(registry, user, &payload.to_string(), files)
}

#[test]
fn form_is_published_with_exactly_its_files() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let files = files("form", "Hello.\n");
    let response = publish(registry, &registry.admin(), &payload("form", "1.0.0"), &files);
    assert_eq!(response.header("ratelimit-limit"), None, "clients add it to the text of errors");
    let answer = response.expect_json(200);
    assert_fields(&answer, "ok skillId versionId publicationStatus status slug version");
    assert_eq!((&answer["ok"], &answer["status"]), (&json!(true), &json!("published")));
    assert_eq!((&answer["slug"], &answer["version"]), (&json!("form"), &json!("1.0.0")));
    for (path, bytes) in &files {
        let path = path.replace(' ', "%20").replace('ä', "%C3%A4");
        let file = registry.get(&format!("{SKILLS}/form/file?path={path}&version=1.0.0")).expect(200);
        assert_eq!(&file.body, bytes, "{path}");
    }
    let listed = registry.read("/api/v1/skills/global/form/versions/1.0.0/files");
    assert_eq!(listed["items"].as_array().unwrap().len(), files.len());
    assert_eq!(registry.read("/api/v1/skills/global/form/versions/1.0.0")["changelog"], "First.");
}

#[test]
fn repeated_publication_is_answered_like_the_first() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let files = files("again", "Hello.\n");
    let first = publish(registry, &admin, &payload("again", "1.0.0"), &files).expect_json(200);
    let again = publish(registry, &admin, &payload("again", "1.0.0"), &files);
    assert_eq!(again.header("x-revision"), None, "nothing was written");
    assert_eq!(again.expect_json(200), first);
    let other = publish(registry, &admin, &payload("again", "1.0.0"), &self::files("again", "Other.\n"));
    assert!(line_of(&other, 409).contains("raise the version"), "{other}");
    // Clients send `latest` with every version, also with a lower one.
    publish(registry, &admin, &payload("again", "0.9.0"), &self::files("again", "Old.\n")).expect(200);
    assert_eq!(registry.read(&format!("{SKILLS}/again"))["latestVersion"]["version"], "1.0.0");
}

#[test]
fn publication_for_review_is_pending() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let user = registry.user("ann-waits");
    let answer =
        publish(registry, &user, &payload("waits", "1.0.0"), &files("waits", "Hello.\n")).expect_json(200);
    assert_fields(&answer, "ok skillId versionId publicationStatus status slug version attemptId");
    assert_eq!((&answer["status"], &answer["publicationStatus"]), (&json!("pending"), &json!("pending")));
    assert_eq!(line_of(&registry.get(&format!("{SKILLS}/waits")), 404), "Skill not found");
    let again = publish(registry, &user, &payload("waits", "1.0.0"), &files("waits", "Hello.\n"));
    assert_eq!(again.expect_json(200), answer);
}

#[test]
fn namespace_is_in_the_slug() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let (ann, bob) = (registry.user("ann-teams"), registry.user("bob-teams"));
    registry.team("teams", &ann);
    let files = files("x", "Hello.\n");
    publish(registry, &ann, &payload("teams--x", "1.0.0"), &files).expect(200);
    assert_eq!(registry.read("/api/v1/skills/teams/x")["author"]["handle"], "ann-teams");
    let refused = publish(registry, &bob, &payload("teams--y", "1.0.0"), &files);
    assert!(line_of(&refused, 403).contains("not a member"), "{refused}");
    let refused = publish(registry, &bob, &payload("no-team--y", "1.0.0"), &files);
    assert!(line_of(&refused, 404).contains("create it first"), "{refused}");
}

#[test]
fn owner_is_the_caller_or_the_author() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let (ann, bob) = (registry.user("ann-owns"), registry.user("bob-owns"));
    registry.team("owners", &ann);
    registry.join("owners", &ann, &bob, "member");
    let publish_as = |user: &User, owner: &str, version: &str| {
        let mut payload = payload("owners--x", version);
        payload["ownerHandle"] = owner.into();
        publish(registry, user, &payload, &files("x", version))
    };
    assert!(line_of(&publish_as(&ann, "somebody", "1.0.0"), 403).contains("leave --owner out"));
    publish_as(&ann, "@Ann-Owns", "1.0.0").expect(200);
    let refused = publish_as(&bob, "bob-owns", "1.0.1");
    assert_eq!(line_of(&refused, 409), "owners--x belongs to ann-owns: publish it with --owner ann-owns.");
    publish_as(&bob, "ann-owns", "1.0.1").expect(200);
    let mut moving = payload("owners--x", "1.0.2");
    (moving["ownerHandle"], moving["migrateOwner"]) = ("bob-owns".into(), true.into());
    let refused = publish(registry, &bob, &moving, &files("x", "1.0.2"));
    assert!(line_of(&refused, 409).contains("let ann-owns transfer it"), "{refused}");
}

#[test]
fn refused_package_says_why_in_one_line() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let with = |path: &str, bytes: &str| {
        let mut files = files("bad", "Hello.\n");
        files.push((path.to_owned(), bytes.as_bytes().to_vec()));
        publish(registry, &admin, &payload("bad", "1.0.0"), &files)
    };
    for path in ["../x", "a/../../x", "/etc/passwd", "a\\b", "CON", "a//b", "SKILL.MD", "empty.txt"] {
        line_of(&with(path, "x"), 422);
    }
    let secret = line_of(&with(".env", "TOKEN=smt_secret"), 422);
    assert!(secret.contains(".env") && secret.ends_with('.'), "{secret}");
    let nothing = publish(registry, &admin, &payload("bad", "1.0.0"), &[]);
    assert!(line_of(&nothing, 422).contains("SKILL.md"), "{nothing}");
    assert_eq!(line_of(&registry.get(&format!("{SKILLS}/bad")), 404), "Skill not found");
}

#[test]
fn malformed_request_is_refused_in_one_line() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let files = files("odd", "Hello.\n");
    for text in ["", "{", "[]", "\"x\"", "{}", "{\"slug\":5}", "null"] {
        line_of(&send_form(registry, &admin, text, &files), 400);
    }
    for (slug, version) in [("No Slug", "1.0.0"), ("a--b--c", "1.0.0"), ("odd", "one"), ("api--x", "1.0.0")] {
        line_of(&publish(registry, &admin, &payload(slug, version), &files), 400);
    }
    let mut tagged = payload("odd", "1.0.0");
    tagged["tags"] = json!(["not a tag"]);
    line_of(&publish(registry, &admin, &tagged, &files), 400);
    let many: Vec<_> = (0..1100).map(|n| (format!("{n}.md"), Vec::new())).collect();
    assert!(line_of(&publish(registry, &admin, &payload("odd", "1.0.0"), &many), 400).contains("at most"));
    let large = [("SKILL.md".to_owned(), vec![b'a'; 11 << 20])];
    line_of(&publish(registry, &admin, &payload("odd", "1.0.0"), &large), 413);
    line_of(&registry.anonymous().post_json(SKILLS, &payload("odd", "1.0.0")), 401);
    let reader = admin.with_token(&registry.issue("admin", &["--name", "reads", "--scopes", "read"]));
    assert!(line_of(&publish(registry, &reader, &payload("odd", "1.0.0"), &files), 403).contains("publish"));
}
