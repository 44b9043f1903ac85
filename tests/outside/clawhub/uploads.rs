//! Publishing by uploads of single files, as clients since 0.23 do.

use serde_json::{Value, json};

use super::publishing::{SKILLS, files, payload};
use super::{harness, line_of};
use harness::{Client, Registry, Response, Shared, User, sha256};

static RUNNING: Shared<Registry> = Shared::new();

pub(crate) type File = (String, Vec<u8>);

fn described((path, bytes): &File) -> Value {
    json!({"path": path, "size": bytes.len(), "sha256": sha256(bytes), "contentType": "text/plain"})
}

fn announce(client: &Client, file: &Value) -> Response {
    client.post_json(&format!("{SKILLS}/-/upload-url"), file)
}

/// Sends bytes to the address of the announcement's answer.
fn send(registry: &Registry, client: &Client, announced: &Value, bytes: &[u8]) -> Response {
    let url = announced["uploadUrl"].as_str().unwrap();
    let path = url.strip_prefix(registry.base()).unwrap_or_else(|| panic!("{url} is not absolute"));
    send_to(path, client, bytes)
}

fn send_to(path: &str, client: &Client, bytes: &[u8]) -> Response {
    client.with("content-type", "text/plain").request("POST", path, Some(bytes.to_vec()))
}

/// Uploads a file. Returns its entry for the publication.
fn upload(registry: &Registry, user: &User, file: &File) -> Value {
    let client = registry.as_user(user);
    let mut entry = described(file);
    let announced = announce(&client, &entry).expect_json(200);
    entry["storageId"] = send(registry, &client, &announced, &file.1).expect_json(200)["storageId"].clone();
    entry["uploadTicket"] = announced["uploadTicket"].clone();
    assert_eq!(entry["storageId"], entry["sha256"]);
    entry
}

/// Uploads a file as a client of several servers, each of which may get each request: `clients` get the
/// announcement and the bytes. Returns its entry for the publication.
pub(crate) fn upload_to(clients: [&Client; 2], file: &File) -> Value {
    let entry = described(file);
    announce(clients[0], &entry).expect(200);
    send_to(&format!("{SKILLS}/-/uploads"), clients[1], &file.1).expect(200);
    entry
}

fn upload_all(registry: &Registry, user: &User, files: &[File]) -> Vec<Value> {
    files.iter().map(|file| upload(registry, user, file)).collect()
}

fn publish(registry: &Registry, user: &User, slug: &str, entries: &[Value]) -> Response {
    publish_to(&registry.as_user(user), slug, entries)
}

pub(crate) fn publish_to(client: &Client, slug: &str, entries: &[Value]) -> Response {
    let mut payload = payload(slug, "1.0.0");
    payload["files"] = entries.into();
    client.post_json(SKILLS, &payload)
}

#[test]
fn uploads_are_published_with_exactly_their_files() {
    let registry = Registry::start();
    let admin = registry.admin();
    let files = files("uploaded", "Hello.\n");
    let entries = upload_all(&registry, &admin, &files);
    let answer = publish(&registry, &admin, "uploaded", &entries).expect_json(200);
    assert_eq!((&answer["status"], &answer["version"]), (&json!("published"), &json!("1.0.0")));
    for (path, bytes) in &files {
        let path = path.replace(' ', "%20").replace('ä', "%C3%A4");
        assert_eq!(
            &registry.get(&format!("{SKILLS}/uploaded/file?path={path}")).expect(200).body,
            bytes,
            "{path}"
        );
    }
    // A client that lost the answer asks again.
    assert_eq!(publish(&registry, &admin, "uploaded", &entries).expect_json(200), answer);
    // Both ways make the same package.
    let form =
        super::publishing::send_form(&registry, &admin, &payload("uploaded", "1.0.0").to_string(), &files);
    assert_eq!(form.expect_json(200)["versionId"], answer["versionId"]);
}

#[test]
fn refused_publication_can_be_repeated() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let entries = upload_all(registry, &admin, &files("retried", "Hello.\n"));
    line_of(&publish(registry, &admin, "no-team--retried", &entries), 404);
    let without = publish(registry, &admin, "retried", &entries[1..]);
    assert!(line_of(&without, 422).contains("SKILL.md"), "{without}");
    publish(registry, &admin, "retried", &entries).expect(200);
}

#[test]
fn file_without_its_bytes_is_refused() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let file = ("SKILL.md".to_owned(), b"Hello, world.".to_vec());
    let announced = announce(&registry.as_user(&admin), &described(&file)).expect_json(200);
    send(registry, &registry.as_user(&admin), &announced, b"Hello").expect(200);
    let refused = publish(registry, &admin, "wrong", &[described(&file)]);
    let sentence = "The file SKILL.md was not uploaded, or its upload has expired: publish again.";
    assert_eq!(line_of(&refused, 400), sentence);
}

#[test]
fn upload_is_for_one_person() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let (admin, bob) = (registry.admin(), registry.user("bob-borrows"));
    registry.command(["user", "set-role", &bob.handle, "admin"]);
    let entries = upload_all(registry, &admin, &files("borrowed", "Only mine.\n"));
    let refused = publish(registry, &bob, "borrowed", &entries);
    assert!(line_of(&refused, 400).contains("was not uploaded"), "{refused}");
    line_of(&send_to(&format!("{SKILLS}/-/uploads"), &registry.anonymous(), b"x"), 401);
    line_of(&publish(registry, &registry.user("carl-reads"), "borrowed", &[json!({"path": "a"})]), 400);
}

#[test]
fn announcement_of_a_file_that_is_too_large_is_refused() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let client = registry.as_user(&registry.admin());
    let described =
        |size: u64| json!({"path": "a.md", "size": size, "sha256": "0".repeat(64), "contentType": ""});
    assert!(line_of(&announce(&client, &described((10 << 20) + 1)), 413).contains("a.md"));
    for body in [json!({}), json!({"path": "a", "size": -1})] {
        line_of(&announce(&client, &body), 400);
    }
    line_of(&announce(&registry.anonymous(), &described(1)), 401);
    line_of(&send_to(&format!("{SKILLS}/-/uploads"), &client, &vec![0; (10 << 20) + 1]), 413);
}

#[test]
fn files_with_invalid_paths_are_refused() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let entries = upload_all(registry, &admin, &files("odd-paths", "Hello.\n"));
    for path in ["", "../x", "/x", "a/../b", "a\\b", "CON", "a\u{0}b", "SKILL.md", &"a".repeat(300)] {
        let mut odd = entries[1].clone();
        odd["path"] = path.into();
        line_of(&publish(registry, &admin, "odd-paths", &[&entries[..], &[odd]].concat()), 422);
    }
}

#[test]
fn person_with_too_many_uploads_loses_the_oldest() {
    let registry = Registry::with_config("[limits]\nunpacked = 4096\nfile = 4096\nfiles = 2\n");
    let ann = registry.user("ann");
    let content = |n: u8| ("SKILL.md".to_owned(), vec![n; 4096]);
    // The limit is twice the largest package: 8 KiB and 4 files of 4 KiB each.
    let entries = upload_all(&registry, &ann, &[1, 2, 3, 4].map(content));
    let missing = |entry: &Value| {
        let refused = publish(&registry, &ann, "x", std::slice::from_ref(entry));
        refused.text().contains("was not uploaded")
    };
    // All arrived within a second or two, so any of them may be the oldest.
    assert_eq!(entries.iter().filter(|entry| missing(entry)).count(), 1);
}

#[test]
fn uploads_outlive_the_server() {
    let mut registry = Registry::start();
    let admin = registry.admin();
    let entries = upload_all(&registry, &admin, &files("kept", "Hello.\n"));
    registry.kill();
    registry.restart();
    publish(&registry, &admin, "kept", &entries).expect(200);
}

#[test]
fn more_than_a_package_may_have_is_refused_before_it_is_read() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let entries = upload_all(registry, &admin, &files("named", "Hello.\n"));
    let repeated = vec![entries[0].clone(); 5000];
    let refused = publish(registry, &admin, "named", &[&entries[..], &repeated].concat());
    assert!(line_of(&refused, 413).contains("at most 1000 files"), "{refused}");
    let large = upload(registry, &admin, &("a".to_owned(), vec![b'a'; 10 << 20]));
    let refused = publish(registry, &admin, "named", &vec![large; 100]);
    assert!(line_of(&refused, 413).contains("together"), "{refused}");
}

#[test]
fn many_files_meet_no_limit() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let mut files = files("many", "Hello.\n");
    files.extend((files.len()..50).map(|n| (format!("docs/{n}.md"), format!("# {n}\n").into_bytes())));
    let entries = upload_all(registry, &admin, &files);
    publish(registry, &admin, "many", &entries).expect(200);
    let listed = registry.read("/api/v1/skills/global/many/versions/1.0.0/files");
    assert_eq!(listed["items"].as_array().unwrap().len(), 50);
}
