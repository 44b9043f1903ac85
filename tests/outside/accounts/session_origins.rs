//! Requests that other sites make a browser send are refused.

use serde_json::json;

use crate::harness::{PASSWORD, Registry, Shared};

static RUNNING: Shared<Registry> = Shared::new();

#[test]
fn cookie_write_requires_the_registrys_origin() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann", PASSWORD);
    let ann = registry.sign_in("ann", PASSWORD);
    let own = registry.base().to_owned();
    let (host, port) = own.strip_prefix("http://").unwrap().rsplit_once(':').unwrap();
    let next = port.parse::<u16>().unwrap().wrapping_add(1);
    let foreign = [
        "null".to_owned(),
        String::new(),
        "https://evil.example".to_owned(),
        format!("http://{host}:{next}"),
        format!("http://{host}"),
        format!("https://{host}:{port}"),
        format!("http://localhost:{port}"),
        format!("{own}.evil.example"),
        format!("{own}/"),
        format!("{own}, {own}"),
    ];
    let mut clients: Vec<_> = foreign.iter().map(|origin| ann.bare.with("origin", origin)).collect();
    clients.push(ann.bare.clone());
    // No page can forge a `Referer`, but not every browser sends it.
    clients.push(ann.bare.with("referer", &format!("{own}/")));
    clients.push(ann.own.with("origin", "https://evil.example"));
    for client in &clients {
        for (method, path) in [
            ("POST", "/api/v1/namespaces"),
            ("PUT", "/api/v1/namespaces/global"),
            ("POST", "/api/v1/publish"),
            ("POST", "/api/v1/tokens"),
            ("DELETE", "/api/v1/tokens/1"),
            ("PUT", "/api/v1/auth/me"),
            ("POST", "/api/v1/auth/logout"),
        ] {
            let body = (method != "DELETE").then(|| br#"{"slug":"lured","name":"lured"}"#.to_vec());
            let response = client.with("content-type", "application/json").request(method, path, body);
            response.problem(403, "forbidden");
            assert!(response.header("set-cookie").is_none(), "{response}");
        }
        // Reads change nothing, and other pages cannot see the answers.
        assert!(client.get("/api/v1/whoami").expect(200).header("access-control-allow-origin").is_none());
    }
    registry.get("/api/v1/namespaces/lured").expect(404);
    assert_eq!(ann.own.get("/api/v1/tokens").expect_json(200)["total"], 0);
    ann.own.post_json("/api/v1/namespaces", &json!({"slug": "meant"})).expect(201);
    let upper = ann.bare.with("origin", &own.to_uppercase());
    upper.request("DELETE", "/api/v1/namespaces/meant/members/ann", None).problem(409, "conflict");
}

#[test]
fn public_url_is_the_accepted_origin() {
    let registry = Registry::with_config("public_url = \"http://Skills.Example.org:80/below\"\n");
    registry.user_with_password("ann", PASSWORD);
    let ann = registry.sign_in("ann", PASSWORD);
    let team = json!({"slug": "team"});
    ann.own.post_json("/api/v1/namespaces", &team).problem(403, "forbidden");
    let own = ann.bare.with("origin", "http://skills.example.org");
    own.with("host", "elsewhere.example").post_json("/api/v1/namespaces", &team).expect(201);
}
