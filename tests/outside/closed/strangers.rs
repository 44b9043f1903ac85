//! What somebody without a credential learns: nothing, wherever they ask.

use serde_json::json;

use super::{CLOSED, MARKER, addresses, assert_unseen, closed, is_open, nginx, seen};
use crate::harness::{Client, Registry, Shared, routes};

static CLOSED_ONE: Shared<Registry> = Shared::new();

/// Asks for everything that the tree has, and for what nobody has. All answers must be alike.
#[track_caller]
fn ask_for_everything(registry: &Registry, client: &Client) {
    let nothing = client.get("/api/v1/skills/nobody/nothing").expect(401);
    nothing.require_header("www-authenticate");
    for path in addresses(&registry.public()) {
        let response = client.get(&path);
        assert_unseen(&response);
        if is_open(&path) {
            assert_eq!(response.status, 200, "{path}");
            continue;
        }
        // Clients of git and ClawHub are told in their own words.
        if !path.contains(".git/") && !path.starts_with("/clawhub/") {
            assert_eq!(seen(&response), seen(&nothing), "{path}");
        }
        assert_eq!(response.status, 401, "{path}");
        assert_eq!(client.head(&path).status, 401, "{path}");
    }
}

#[test]
fn stranger_gets_the_same_refusal_everywhere() {
    let registry = CLOSED_ONE.get(closed);
    ask_for_everything(&registry, &registry.anonymous());
}

#[test]
fn stranger_gets_the_same_refusal_from_nginx() {
    let registry = CLOSED_ONE.get(closed);
    let alone = nginx(&registry, "alone", &[]);
    ask_for_everything(&registry, &alone.client());
    let before = nginx(&registry, "before", &["--origin", registry.base()]);
    ask_for_everything(&registry, &before.client());
}

#[test]
fn stranger_learns_nothing_from_any_route() {
    let registry = CLOSED_ONE.get(closed);
    let client = registry.anonymous();
    for route in routes() {
        let skill = format!("{MARKER}-skill");
        let values = [("namespace", MARKER), ("slug", &skill), ("version", "1.1.0"), ("tag", "stable")];
        let path = values
            .iter()
            .fold(route.path.clone(), |path, (name, value)| path.replace(&format!("{{{name}}}"), value));
        let body =
            (route.method != "GET").then(|| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
        let response = match body {
            Some(body) if route.method == "POST" => client.post_json(&path, &body),
            Some(body) if route.method == "PUT" => client.put_json(&path, &body),
            _ => client.request(&route.method, &path, None),
        };
        assert_unseen(&response);
        let signs_in = [
            "/healthz",
            "/readyz",
            "/api/v1/auth/login",
            "/api/v1/auth/providers",
            "/api/v1/trusted/token",
            "/.well-known/registry.json",
        ];
        let is_open = signs_in.contains(&&*path) || path.starts_with("/api/cli/");
        assert_eq!(response.status == 401, !is_open, "{} {path}: {response}", route.method);
    }
}

#[test]
fn stranger_cannot_tell_what_exists_by_redirects_or_revisions() {
    let registry = CLOSED_ONE.get(closed);
    let before = nginx(&registry, "before-the-server", &["--origin", registry.base()]);
    let clawhub = format!("/clawhub/api/v1/skills/{MARKER}--{MARKER}-skill/versions");
    for client in [before.client(), before.client().with("authorization", "x")] {
        for start in ["", "/.files"] {
            for path in [
                format!("/{MARKER}"),
                "/nobody".into(),
                format!("{clawhub}/1.1.0"),
                format!("{clawhub}/9.9.9"),
            ] {
                client.get(&format!("{start}{path}")).expect(401);
            }
        }
    }
    for path in ["/api/v1/skills", "/api/v1/auth/me", "/login/"] {
        let statuses = ["1", "999999"]
            .map(|revision| registry.anonymous().with("x-min-revision", revision).get(path).status);
        assert_eq!(statuses[0], statuses[1], "{path}");
    }
}

#[test]
fn stranger_is_told_how_to_sign_in() {
    let registry = CLOSED_ONE.get(closed);
    let client = registry.anonymous();
    assert_eq!(client.get("/.well-known/registry.json").expect_json(200)["reads"], "token");
    assert!(client.get("/robots.txt").expect(200).text().contains("Disallow: /\n"));
    let browser = client.with("accept", "text/html,*/*;q=0.8");
    let response = browser.get(&format!("/{MARKER}/?a=b&c")).expect(303);
    assert_eq!(response.require_header("location"), format!("/login/?to={MARKER}%2F%3Fa%3Db%26c"));
    let git = client.get(&format!("/{MARKER}/x.git/info/refs?service=git-upload-pack")).expect(401);
    assert!(git.require_header("www-authenticate").starts_with("Basic realm="), "{git}");
    let metrics = client.get("/api/v1/skills").expect(401);
    assert_eq!(metrics.require_header("cache-control"), "no-store");
}

#[test]
fn registry_is_closed_and_opened_by_a_setting() {
    let mut registry = Registry::with_config("");
    registry.anonymous().get("/api/v1/skills").expect(200);
    assert_eq!(registry.read("/.well-known/registry.json").get("reads"), None);
    for (settings, status) in [(CLOSED, 401), ("", 200)] {
        registry.stop();
        registry.write("config.toml", settings.as_bytes());
        registry.restart();
        registry.anonymous().get("/api/v1/skills").expect(status);
        registry.anonymous().get("/").expect(status);
    }
}
