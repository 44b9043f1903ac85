//! When the right to be in a private namespace ends.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::json;

use super::{MARKER, add_member, inside, marked, new_key, publish, registry_of_ann, skill, with_token};
use crate::harness::{PASSWORD, Registry, User, eventually};

/// A registry with a published skill and the member `eve`.
fn with_eve() -> (Registry, User, User) {
    let (registry, ann) = registry_of_ann();
    publish(&registry, &ann, &format!("{MARKER}-skill"), "1.0.0").expect(201);
    let eve = registry.user("eve");
    add_member(&registry, &ann, "eve");
    marked(&registry, &eve).get(&skill()).expect(200);
    (registry, ann, eve)
}

#[test]
fn removed_member_gets_404_at_once() {
    let (registry, ann, eve) = with_eve();
    let path = format!("/api/v1/namespaces/{MARKER}/members/eve");
    marked(&registry, &ann).delete(&path).expect(204);
    for path in [skill(), "/".into(), "/nothing".into(), "/api/v1/me/skills".into()] {
        marked(&registry, &eve).get(&path).problem(404, "not_found");
    }
    publish(&registry, &eve, "more", "1.0.0").problem(404, "not_found");
    let me = registry.as_user(&eve).get("/api/v1/auth/me").expect_json(200);
    assert_eq!(me.get("privateNamespaces"), None, "{me}");
    add_member(&registry, &ann, "eve");
    marked(&registry, &eve).get(&skill()).expect(200);
}

#[test]
fn revoked_token_gets_401_at_once() {
    let (registry, _ann, eve) = with_eve();
    let id = registry.as_user(&eve).get("/api/v1/auth/me").expect_json(200)["token"]["id"].clone();
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    // Below the namespace, too: the accounts are those of the main registry.
    marked(&registry, &eve).delete(&format!("/api/v1/tokens/{id}")).expect(204);
    marked(&registry, &eve).get(&skill()).problem(401, "unauthenticated");
    publish(&registry, &eve, "more", "1.0.0").problem(401, "unauthenticated");
}

#[test]
fn disabled_account_gets_401_at_once() {
    let (registry, _ann, eve) = with_eve();
    let admin = registry.as_user(&registry.admin());
    admin.post_json("/api/v1/users/eve/disable", &json!({})).expect(204);
    marked(&registry, &eve).get(&skill()).problem(401, "unauthenticated");
    publish(&registry, &eve, "more", "1.0.0").problem(401, "unauthenticated");
    admin.post_json("/api/v1/users/eve/enable", &json!({})).expect(204);
    marked(&registry, &eve).get(&skill()).expect(200);
}

#[test]
fn session_that_was_logged_out_gets_the_refusal_of_strangers() {
    let (registry, ann, _eve) = with_eve();
    registry.user_with_password("kim", PASSWORD);
    let kim = registry.sign_in("kim", PASSWORD);
    add_member(&registry, &ann, "kim");
    let browser = inside(&registry, MARKER).with("cookie", &kim.cookie);
    browser.get(&skill()).expect(200);
    let own = browser.with("origin", registry.base());
    own.post_json("/api/v1/auth/logout", &json!({})).expect(204);
    browser.get(&skill()).problem(401, "unauthenticated");
}

#[test]
fn revoked_read_key_gets_401() {
    let (registry, ..) = with_eve();
    let client = with_token(&inside(&registry, MARKER), &new_key(&registry, MARKER));
    client.get(&skill()).expect(200);
    client.delete(&skill()).problem(403, "forbidden");
    client.get("/api/v1/me/skills").problem(403, "forbidden");
    registry.command(["read-key", "revoke", "ci", "--private", MARKER]).ok();
    eventually("the key is refused", || (client.get(&skill()).status == 401).then_some(()));
}

/// Begins to send a change, does something else while the server waits for the body, and sends the body. Returns
/// the status.
fn change_interrupted_by(registry: &Registry, by: &User, meanwhile: impl FnOnce()) -> String {
    let body = json!({"score": 3}).to_string();
    let mut sending = TcpStream::connect(registry.base().trim_start_matches("http://")).unwrap();
    let head = format!(
        "POST /-/{MARKER}{}/rating HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        skill(),
        by.token,
        body.len()
    );
    sending.write_all(head.as_bytes()).unwrap();
    let mut answers = BufReader::new(sending.try_clone().unwrap()).lines().map(Result::unwrap);
    // The server asks for the body after it has checked the credential.
    assert_eq!(answers.next().unwrap(), "HTTP/1.1 100 Continue");
    meanwhile();
    sending.write_all(body.as_bytes()).unwrap();
    answers.find(|line| line.starts_with("HTTP/1.1 ") && !line.contains(" 100 ")).unwrap()
}

#[test]
fn right_that_ends_during_a_request_refuses_its_change() {
    let (registry, ann, eve) = with_eve();
    let admin = registry.as_user(&registry.admin());
    assert!(change_interrupted_by(&registry, &eve, || ()).contains(" 200 "));
    let disabled = change_interrupted_by(&registry, &eve, || {
        admin.post_json("/api/v1/users/eve/disable", &json!({})).expect(204);
    });
    assert!(disabled.contains(" 401 "), "{disabled}");
    admin.post_json("/api/v1/users/eve/enable", &json!({})).expect(204);
    let removed = change_interrupted_by(&registry, &eve, || {
        let path = format!("/api/v1/namespaces/{MARKER}/members/eve");
        marked(&registry, &ann).delete(&path).expect(204);
    });
    assert!(removed.contains(" 404 "), "{removed}");
}
