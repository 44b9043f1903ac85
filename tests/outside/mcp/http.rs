//! `/mcp` of the server: the rules of the transport.

use serde_json::{Value, json};

use super::agent::{Agent, hello};
use super::stocked;
use crate::harness::{Client, Registry};

fn ping() -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": "ping"})
}

#[test]
fn endpoint_without_sessions_answers_post_only() {
    let (registry, _) = stocked();
    for method in ["GET", "HEAD", "DELETE", "PUT", "OPTIONS"] {
        let refused = registry.anonymous().request(method, "/mcp", None).expect(405);
        assert_eq!(refused.require_header("allow"), "POST", "{method}");
        assert!(refused.header("access-control-allow-origin").is_none(), "{method}");
    }
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello()});
    let answer = registry.anonymous().post_json("/mcp", &hello).expect(200);
    assert!(answer.header("mcp-session-id").is_none());
    assert_eq!(answer.require_header("content-type"), "application/json");
    assert_eq!(answer.require_header("cache-control"), "no-store");
    assert_eq!(answer.json()["result"]["protocolVersion"], "2025-11-25");
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    registry.anonymous().post_json("/mcp", &note).expect(202);
}

#[test]
fn endpoint_with_a_final_slash_is_the_same() {
    let (registry, _) = stocked();
    assert_eq!(registry.anonymous().post_json("/mcp/", &ping()).expect(200).json()["id"], 7);
    registry.anonymous().post_json("/mcp/?x=1", &ping()).expect(200);
    for method in ["GET", "HEAD", "DELETE", "OPTIONS"] {
        let refused = registry.anonymous().request(method, "/mcp/", None).expect(405);
        assert_eq!(refused.require_header("allow"), "POST", "{method}");
    }
    for path in ["/mcp//", "/mcp/x", "/mcpx/"] {
        registry.anonymous().post_json(path, &ping()).expect(404);
    }
}

#[test]
fn revision_without_handshake_is_served() {
    let (registry, _) = stocked();
    let client = registry
        .anonymous()
        .with("mcp-protocol-version", "2026-07-28")
        .with("mcp-method", "skills/get")
        .with("mcp-name", "skill://tools/hello/SKILL.md");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"uri": "skill://tools/hello/SKILL.md", "_meta": meta});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "skills/get", "params": params});
    let result = client.post_json("/mcp", &request).expect(200).json()["result"].clone();
    assert_eq!((&result["resultType"], &result["cacheScope"]), (&json!("complete"), &json!("public")));
    assert!(result["ttlMs"].as_u64().unwrap() > 0);
    let unknown = registry.anonymous().with("mcp-protocol-version", "1999-01-01");
    let refused = unknown.post_json("/mcp", &ping()).expect(400).json();
    let sentence = refused["error"]["message"].as_str().unwrap();
    assert!(sentence.starts_with("the header `MCP-Protocol-Version` is wrong: "), "{sentence}");
    assert!(sentence.contains("2025-11-25"), "{sentence}");
}

#[test]
fn page_of_another_origin_is_refused() {
    let registry = Registry::start();
    for origin in ["https://evil.example", "null", "http://localhost:1"] {
        let client = registry.anonymous().with("origin", origin);
        let refused = client.post_json("/mcp", &ping()).expect(403);
        assert!(refused.header("access-control-allow-origin").is_none());
    }
    registry.anonymous().with("origin", registry.base()).post_json("/mcp", &ping()).expect(200);
}

#[test]
fn credential_that_is_sent_has_to_be_valid() {
    let registry = Registry::start();
    let wrong = registry.anonymous().with("authorization", "Bearer smt_wrong");
    wrong.post_json("/mcp", &ping()).expect(401);
    registry.as_user(&registry.admin()).post_json("/mcp", &ping()).expect(200);
}

#[test]
fn body_that_is_no_message_is_refused() {
    let registry = Registry::start();
    let json = registry.anonymous().with("content-type", "application/json");
    let post = |client: &Client, body: Vec<u8>| client.request("POST", "/mcp", Some(body)).status;
    let deep = "[".repeat(60_000);
    for (body, code, why) in [
        ("", -32700, "the body is empty"),
        ("  ", -32700, "the body is empty"),
        ("{", -32700, "the body is not valid JSON"),
        ("\u{0}", -32700, "the body is not valid JSON"),
        ("hello", -32700, "the body is not valid JSON"),
        (&deep, -32700, "nested too deeply"),
        ("[]", -32600, "this is a batch"),
        (&json!([ping()]).to_string(), -32600, "this is a batch"),
        ("null", -32600, "a message is a JSON object"),
        ("3", -32600, "a message is a JSON object"),
        ("\"x\"", -32600, "a message is a JSON object"),
        ("{}", -32600, "`jsonrpc` has to be"),
        ("{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}", -32600, "`jsonrpc` has to be"),
        ("{\"jsonrpc\":\"2.0\",\"id\":3}", -32600, "`method` has to be a text"),
        ("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":7}", -32600, "`method` has to be a text"),
        ("{\"jsonrpc\":\"2.0\",\"id\":3.5,\"method\":\"ping\"}", -32600, "`id` has to be"),
        ("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":[1]}", -32600, "`params` has to be"),
        ("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}", -32600, "this is a response"),
    ] {
        let answer = json.request("POST", "/mcp", Some(body.as_bytes().to_vec())).expect(400);
        assert_eq!(answer.require_header("content-type"), "application/json", "{body}");
        let answer = answer.json();
        assert_eq!((&answer["jsonrpc"], &answer["error"]["code"]), (&json!("2.0"), &json!(code)), "{body}");
        let sentence = answer["error"]["message"].as_str().unwrap();
        assert!(sentence.contains(why), "{body}: {sentence}");
        let id =
            if body.contains("\"id\":3,") || body.ends_with("\"id\":3}") { json!(3) } else { json!(null) };
        assert_eq!(answer["id"], id, "{body}");
    }
    assert_eq!(post(&json, vec![b' '; 65 * 1024]), 413);
    assert_eq!(post(&registry.anonymous().with("content-type", "text/plain"), b"{}".to_vec()), 415);
    assert_eq!(post(&json.with("content-encoding", "gzip"), b"{}".to_vec()), 415);
    registry.anonymous().post_json("/mcp", &ping()).expect(200);
}

#[test]
fn reads_by_mcp_are_not_counted_as_writes() {
    let registry = Registry::with_config("[limits]\nwrites_per_minute = 1\n");
    for _ in 0..5 {
        let answer = registry.anonymous().post_json("/mcp", &ping()).expect(200);
        assert!(answer.header("ratelimit-limit").is_none());
    }
}

#[test]
fn large_files_are_answered_to_many_clients_at_once() {
    let (registry, admin) = stocked();
    let noise = crate::harness::noise(1 << 20, 1);
    let skill = crate::harness::Skill::named("large").file("data.bin", &noise);
    registry.publish(skill).to("tools").version("1.0.0").by(&admin).expect(201);
    let base = registry.base();
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                let (bytes, _) = Agent::at(base).read("skill://tools/large/data.bin");
                assert!(bytes == noise);
            });
        }
    });
}
