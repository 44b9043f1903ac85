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

/// Sends bytes to the address of a ticket.
fn send(registry: &Registry, client: &Client, ticket: &Value, bytes: &[u8]) -> Response {
    let url = ticket["uploadUrl"].as_str().unwrap();
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
    let ticket = announce(&client, &entry).expect_json(200);
    entry["storageId"] = send(registry, &client, &ticket, &file.1).expect_json(200)["storageId"].clone();
    entry["uploadTicket"] = ticket["uploadTicket"].clone();
    entry
}

/// Uploads a file as a client of several servers, each of which may get each request: `clients` get the
/// announcement and the bytes. Returns its entry for the publication.
pub(crate) fn upload_to(clients: [&Client; 2], file: &File) -> Value {
    let mut entry = described(file);
    let ticket = announce(clients[0], &entry).expect_json(200);
    let path = format!("{SKILLS}/-/uploads/{}", ticket["uploadTicket"].as_str().unwrap());
    entry["storageId"] = send_to(&path, clients[1], &file.1).expect_json(200)["storageId"].clone();
    entry["uploadTicket"] = ticket["uploadTicket"].clone();
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
    assert!(line_of(&publish(&registry, &admin, "another", &entries), 409).contains("something else"));
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
fn wrong_bytes_are_refused() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let client = registry.as_user(&admin);
    let file = ("SKILL.md".to_owned(), b"Hello.".to_vec());
    let ticket = announce(&client, &described(&file)).expect_json(200);
    for (bytes, why) in
        [(&b"Hallo."[..], "sha256"), (b"Hello", "6 bytes"), (b"Hello, world", "6 bytes"), (b"", "6 bytes")]
    {
        let refused = send(registry, &client, &ticket, bytes);
        assert!(line_of(&refused, 400).contains(why), "{refused}");
    }
    let mut entry = described(&file);
    entry["uploadTicket"] = ticket["uploadTicket"].clone();
    let refused = publish(registry, &admin, "wrong", std::slice::from_ref(&entry));
    assert_eq!(line_of(&refused, 400), "The file SKILL.md was not uploaded: publish again.");
    send(registry, &client, &ticket, &file.1).expect(200);
}

#[test]
fn ticket_is_for_one_person_and_file() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let (admin, bob) = (registry.admin(), registry.user("bob-borrows"));
    let file = ("SKILL.md".to_owned(), b"Hello.".to_vec());
    let client = registry.as_user(&admin);
    let ticket = announce(&client, &described(&file)).expect_json(200);
    line_of(&send(registry, &registry.as_user(&bob), &ticket, &file.1), 404);
    line_of(&send(registry, &registry.anonymous(), &ticket, &file.1), 401);
    let guess = json!({"uploadUrl": format!("{}{SKILLS}/-/uploads/guess", registry.base())});
    line_of(&send(registry, &client, &guess, &file.1), 404);
    send(registry, &client, &ticket, &file.1).expect(200);
    let mut entry = described(&file);
    entry["uploadTicket"] = ticket["uploadTicket"].clone();
    let with = |field: &str, value: Value| {
        let mut entry = entry.clone();
        entry[field] = value;
        entry
    };
    for (user, entry) in [
        (&bob, entry.clone()),
        (&admin, with("path", "../SKILL.md".into())),
        (&admin, with("path", "other.md".into())),
        (&admin, with("size", 7.into())),
        (&admin, with("sha256", sha256(b"x").into())),
        (&admin, with("storageId", sha256(b"x").into())),
        (&admin, with("uploadTicket", "guess".into())),
        (&admin, with("uploadTicket", Value::Null)),
    ] {
        registry.command(["user", "set-role", &bob.handle, "admin"]);
        let refused = publish(registry, user, "borrowed", &[entry]);
        assert!(
            line_of(&refused, 400).contains("SKILL.md") || refused.text().contains("other.md"),
            "{refused}"
        );
    }
}

#[test]
fn announcement_of_an_invalid_file_is_refused() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let client = registry.as_user(&registry.admin());
    let described = |path: &str, size: u64| json!({"path": path, "size": size, "sha256": "0".repeat(64), "contentType": ""});
    for path in ["", "../x", "/x", "a/../b", "a\\b", "CON", "a\u{0}b", "a\u{202e}b", &"a".repeat(300)] {
        line_of(&announce(&client, &described(path, 1)), 400);
    }
    line_of(&announce(&client, &described("a", (10 << 20) + 1)), 413);
    for body in [
        json!({}),
        json!({"path": "a", "size": -1, "sha256": "0".repeat(64)}),
        json!({"path": "a", "size": 1, "sha256": "x"}),
    ] {
        line_of(&announce(&client, &body), 400);
    }
    line_of(&announce(&registry.anonymous(), &described("a", 1)), 401);
}

#[test]
fn uploads_of_one_person_are_limited() {
    let registry = Registry::with_config("[limits]\nunpacked = 2048\nfile = 2048\nfiles = 2\n");
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    let described = |path: &str, size: u64| json!({"path": path, "size": size, "sha256": "0".repeat(64)});
    for path in ["a", "b"] {
        announce(&registry.as_user(&ann), &described(path, 2048)).expect(200);
    }
    let refused = announce(&registry.as_user(&ann), &described("c", 1));
    assert!(line_of(&refused, 409).contains("wait 15 minutes"), "{refused}");
    announce(&registry.as_user(&bob), &described("c", 1)).expect(200);
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
fn file_that_is_named_many_times_is_refused() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let admin = registry.admin();
    let entries = upload_all(registry, &admin, &files("named", "Hello.\n"));
    let repeated = vec![entries[0].clone(); 5000];
    let refused = publish(registry, &admin, "named", &[entries, repeated].concat());
    assert!(line_of(&refused, 400).contains("publish again"), "{refused}");
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
