//! Outsiders get the same answers below `/-/` for a private namespace as for a name that none has.

use serde_json::{Map, Value, json};

use super::world::{World, said, world};
use super::{MARKER, NOTHING, with_token};
use crate::harness::{ApiRoute, Client, Response, routes};
use crate::outside::closed::addresses;

/// The addresses of the private tree. One counter shard stands for all of them.
fn private_addresses(world: &World) -> Vec<String> {
    let tree = world.registry.folder().join("public.private").join(MARKER);
    let mut all = addresses(&tree);
    assert!(all.iter().filter(|path| path.contains(MARKER)).count() > 50, "it has a history");
    all.retain(|path| !path.contains("/counters/") || path.contains("/00"));
    all
}

/// Asks for something at the private namespace and at nothing. All must be alike.
#[track_caller]
fn assert_alike(world: &World, what: &str, ask: impl Fn(&Client) -> Response) {
    let pairs = world.outsiders(MARKER).into_iter().zip(world.outsiders(NOTHING));
    for ((who, there), (_, nowhere)) in pairs {
        let (there, nowhere) = (ask(&there), ask(&nowhere));
        assert_eq!(said(&there), said(&nowhere), "{who}: {what}");
        assert!([401, 403, 404].contains(&there.status) || is_sign_in(&there), "{who}: {there}");
    }
}

/// Whether a browser is led to the page to sign in.
fn is_sign_in(response: &Response) -> bool {
    response.status == 303 && response.require_header("location").starts_with("/login/?to=")
}

/// Whether the main registry answers it, for every name.
pub fn is_of_accounts(path: &str) -> bool {
    let starts = [
        "/api/v1/auth/",
        "/api/v1/sessions",
        "/api/v1/users",
        "/api/v1/tokens",
        "/api/v1/whoami",
        "/api/cli/",
    ];
    starts.iter().any(|start| path.starts_with(start))
}

/// A route about the private namespace and what is in it.
pub fn path_of(route: &ApiRoute, namespace: &str) -> String {
    let (slug, tag) = (format!("{MARKER}-skill"), format!("{MARKER}-tag"));
    let path = route.path.replace("/namespaces/{slug}", &format!("/namespaces/{namespace}"));
    let values = [
        ("namespace", namespace),
        ("slug", &slug),
        ("version", "1.1.0"),
        ("tagName", &tag),
        ("userId", "insider"),
        ("id", "1"),
        ("skillId", "1"),
        ("level", "0"),
        ("tile", "000"),
        ("shard", "00"),
        ("page", "1"),
        ("piece", "0"),
    ];
    values.iter().fold(path, |path, (name, value)| path.replace(&format!("{{{name}}}"), value))
}

/// Sends a request of a route, with a body that it understands if it can have one.
pub fn call(client: &Client, route: &ApiRoute, path: &str) -> Response {
    let values = [("userId", json!("other")), ("role", json!("member")), ("score", json!(5))];
    let values = values.into_iter().chain([("version", json!("1.1.0")), ("comment", json!("Fine."))]);
    let is_field = |name: &str| {
        route.inputs.iter().any(|input| input == name) && !route.path.contains(&format!("{{{name}}}"))
    };
    let body: Map<String, Value> =
        values.filter(|(name, _)| is_field(name)).map(|(name, value)| (name.to_owned(), value)).collect();
    match route.method.as_str() {
        "POST" => client.post_json(path, &Value::from(body)),
        "PUT" => client.put_json(path, &Value::from(body)),
        method => client.request(method, path, None),
    }
}

#[test]
fn outsider_cannot_tell_files_of_a_private_namespace_from_nothing() {
    let world = world();
    let pairs: Vec<_> = world.outsiders(MARKER).into_iter().zip(world.outsiders(NOTHING)).collect();
    for path in private_addresses(&world) {
        for ((who, there), (_, nowhere)) in &pairs {
            let (there, nowhere) = (there.get(&path), nowhere.get(&path));
            assert_eq!(said(&there), said(&nowhere), "{who}: {path}");
            assert!([401, 404].contains(&there.status) || is_sign_in(&there), "{who}: {there}");
        }
    }
}

#[test]
fn outsider_cannot_tell_routes_of_a_private_namespace_from_nothing() {
    let world = world();
    for route in routes().iter().filter(|route| !is_of_accounts(&route.path)) {
        let path = path_of(route, MARKER);
        assert_alike(&world, &format!("{} {path}", route.method), |client| call(client, route, &path));
        for method in ["OPTIONS", "PATCH"] {
            assert_alike(&world, &path, |client| client.request(method, &path, None));
        }
    }
}

#[test]
fn outsider_cannot_tell_other_addresses_of_a_private_namespace_from_nothing() {
    let world = world();
    let service = "info/refs?service=git-upload-pack";
    for path in [
        "".to_owned(),
        "/".into(),
        "//".into(),
        "/?q=x".into(),
        "/-/".into(),
        format!("/-/{MARKER}/"),
        format!("/{MARKER}"),
        format!("/{MARKER}/{MARKER}-skill.git/{service}"),
        format!("/{MARKER}/{MARKER}-skill?version=1.1.0"),
        format!("/api/v1/search?q={MARKER}"),
        format!("/api/v1/resolve?skill={MARKER}/{MARKER}-skill"),
        "/api/v1/skills?page=2".into(),
        "/api/v1/audit?user=insider".into(),
        format!("/clawhub/api/v1/skills/{MARKER}--{MARKER}-skill"),
        format!("/clawhub/api/v1/search?q={MARKER}"),
        "/clawhub/api/v1/whoami".into(),
        "/clawhub/api/v1/nothing".into(),
        "/mcp/".into(),
        "/%".into(),
        "/../".into(),
        "/metrics".into(),
    ] {
        for method in ["GET", "HEAD", "POST", "DELETE"] {
            assert_alike(&world, &format!("{method} {path}"), |client| client.request(method, &path, None));
        }
        assert_alike(&world, &path, |client| client.with("x-min-revision", "99999").get(&path));
        assert_alike(&world, &path, |client| client.with("if-none-match", "*").get(&path));
        assert_alike(&world, &path, |client| client.with("origin", "http://a.example").get(&path));
    }
    let pack = format!("/{MARKER}/{MARKER}-skill.git/git-upload-pack");
    assert_alike(&world, &pack, |client| client.request("POST", &pack, Some(b"0000".to_vec())));
    let password = |token: &str| data_encoding::BASE64.encode(format!("x:{token}").as_bytes());
    for token in [&world.other_key, &world.stranger.token, "smt_nothing"] {
        let sent = format!("Basic {}", password(token));
        let ask = |name| super::inside(&world.registry, name).with("authorization", &sent).get(&pack);
        assert_eq!(said(&ask(MARKER)), said(&ask(NOTHING)), "{token}");
    }
}

#[test]
fn routes_of_accounts_are_alike_below_every_name() {
    let world = world();
    for route in routes().iter().filter(|route| is_of_accounts(&route.path)) {
        // It must not end what other tests use.
        let path = path_of(route, MARKER).replace("insider", "nobody").replace("/tokens/1", "/tokens/99999");
        let pairs = world.outsiders(MARKER).into_iter().zip(world.outsiders(NOTHING));
        for ((who, there), (_, nowhere)) in pairs {
            let (there, nowhere) = (call(&there, route, &path), call(&nowhere, route, &path));
            assert_eq!(there.status, nowhere.status, "{who}: {} {path}", route.method);
            // Each login has codes of its own.
            if path != "/api/cli/device/code" {
                assert_eq!(said(&there), said(&nowhere), "{who}: {} {path}", route.method);
            }
        }
    }
}

#[test]
fn refusals_of_a_private_namespace_are_401_and_404() {
    let world = world();
    for (who, client) in world.outsiders(MARKER) {
        let response = client.get("/api/v1/skills");
        let expected = match who {
            "nobody" | "a disabled account" | "a token that nobody has" => 401,
            "a key of another namespace" | "a key of the main registry" => 401,
            "a browser of nobody" => 303,
            _ => 404,
        };
        assert_eq!(response.status, expected, "{who}: {response}");
    }
    let key = super::new_key(&world.registry, MARKER);
    let reader = with_token(&super::inside(&world.registry, MARKER), &key);
    reader.get("/api/v1/skills").expect(200);
    with_token(&super::inside(&world.registry, NOTHING), &key).get("/api/v1/skills").expect(401);
    with_token(&world.registry.anonymous(), &key).get("/api/v1/skills").expect(401);
}
