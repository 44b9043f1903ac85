//! Hosts that are busy, broken, or not a registry.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::harness::record_fields::skill_record;
use crate::harness::{FakeHost, Home, ReceivedRequest, Registry, Reply, Skill, User};

const RESOLVED: &str = "/api/v1/skills/global/hello/resolve.json";

/// A host that answers the first few requests otherwise.
fn after(
    times: usize,
    before: Reply,
    answers: impl Fn(&ReceivedRequest) -> Reply + Send + Sync + 'static,
) -> FakeHost {
    let count = AtomicUsize::new(0);
    FakeHost::answering(move |asked| {
        if count.fetch_add(1, Ordering::SeqCst) < times { before.clone() } else { answers(asked) }
    })
}

fn resolve(host: &FakeHost) -> serde_json::Value {
    Home::new().json(&["resolve", "hello", "--registry", &host.base])
}

fn refusal(code: &str, host: &FakeHost) -> String {
    Home::new().refusal(code, &["resolve", "hello", "--registry", &host.base])
}

#[test]
fn busy_host_is_retried_when_it_says() {
    for status in [429, 502, 503, 504] {
        let busy = Reply::status(status).header("Retry-After", "0");
        let host = after(3, busy.clone(), |_| Reply::resolved());
        assert_eq!(resolve(&host)["version"], "1.0.0");
        assert_eq!(host.asked().len(), 4);

        let host = FakeHost::answering(move |_| busy.clone());
        let why = refusal(if status == 429 { "rate_limited" } else { "unavailable" }, &host);
        assert!(why.contains(&status.to_string()) && why.contains("try again"), "{why}");
        assert_eq!(host.asked().len(), 4);
    }
}

#[test]
fn host_without_its_server_is_read_once_and_written_again() {
    let downs = Arc::new(AtomicUsize::new(0));
    let left = Arc::clone(&downs);
    let host = FakeHost::answering(move |asked| {
        let problem = json!({"code": "read_only", "title": "x", "detail": "The registry is read-only."});
        let is_down =
            left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        match (is_down, &*asked.path) {
            (true, _) => {
                let pause = if asked.method == "GET" { "5" } else { "0" };
                Reply::json(&problem).with_status(503).header("Retry-After", pause)
            }
            (false, "/api/v1/whoami") => {
                Reply::json(&json!({"handle": "ann", "displayName": "Ann", "role": "user"}))
            }
            (false, _) => Reply::status(404),
        }
    });
    let home = Home::new();
    home.login(&host.base, &User { handle: "ann".to_owned(), token: "token-a".to_owned() });
    let refusal = |code, command: &[&str], times| {
        downs.store(9, Ordering::SeqCst);
        let before = host.asked().len();
        let why = home.refusal(code, command);
        assert!(why.contains("The registry is read-only"), "{why}");
        assert_eq!(host.asked().len(), before + times, "{command:?}");
    };
    for command in [&["whoami"][..], &["me"], &["token", "list"]] {
        refusal("unavailable", command, 1);
    }
    // The server may be starting again, and may have done what it did not answer.
    refusal("answer_lost", &["star", "hello"], 1);
    refusal("unavailable", &["unstar", "hello"], 4);
    downs.store(3, Ordering::SeqCst);
    let sent = || host.asked().iter().filter(|asked| asked.method == "DELETE").count();
    let before = sent();
    home.refusal("unsupported", &["unstar", "hello"]);
    assert_eq!(sent(), before + 4, "the fourth try met the server");
}

#[test]
fn retry_date_in_the_past_means_now() {
    let busy = Reply::status(503).header("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT");
    assert_eq!(resolve(&after(1, busy, |_| Reply::resolved()))["version"], "1.0.0");
}

#[test]
fn long_retry_wait_is_not_awaited() {
    let host = FakeHost::answering(|_| Reply::status(429).header("Retry-After", "3600"));
    let why = refusal("rate_limited", &host);
    assert!(why.contains("try again in 60 minutes"), "{why}");
    assert_eq!(host.asked().len(), 1);
}

#[test]
fn truncated_response_is_retried() {
    let short = Reply::bytes("{\"na").announcing(500);
    let host = after(1, short.clone(), |_| Reply::resolved());
    assert_eq!(resolve(&host)["version"], "1.0.0");
    let host = FakeHost::answering(move |_| short.clone());
    let why = refusal("truncated", &host);
    assert!(why.contains("the download broke off after 4 of 500 bytes"), "{why}");
    assert_eq!(host.asked().len(), 4);
}

#[test]
fn broken_host_is_not_retried() {
    let host = FakeHost::answering(|_| Reply::status(500));
    let why = refusal("unexpected_answer", &host);
    assert!(why.contains("status 500") && why.contains(RESOLVED), "{why}");
    assert_eq!(host.asked().len(), 1);
}

#[test]
fn endless_response_is_cut_off() {
    for reply in [Reply::bytes(vec![b' '; 1 << 16]).endless(), Reply::bytes("{}").announcing(1 << 40)] {
        let host = FakeHost::answering(move |_| reply.clone());
        let why = refusal("too_large", &host);
        assert!(why.contains("limit of 16777216 bytes"), "{why}");
    }
}

#[test]
fn web_page_is_not_a_registry() {
    for reply in [Reply::page(), Reply::bytes("\n<html>").header("Content-Type", "application/json")] {
        let host = FakeHost::answering(move |_| reply.clone());
        for command in [&["resolve", "hello"][..], &["info", "hello"], &["search", "hello"], &["search", ""]]
        {
            let asked = [command, &["--registry", &host.base]].concat();
            let why = Home::new().refusal("not_a_registry", &asked);
            assert!(why.contains("a web page instead of a JSON document"), "{why}");
            assert!(why.contains(&format!("is {} the address of a registry?", host.base)), "{why}");
            assert!(why.ends_with("(the address comes from --registry)"), "{why}");
        }
    }
}

#[test]
fn malformed_document_is_refused() {
    for body in ["{", "[]", "null", "{\"version\":\"1.0.0\"}", "\u{fffd}\u{1b}[2J", ""] {
        let host =
            FakeHost::answering(move |_| Reply::bytes(body).header("Content-Type", "application/json"));
        refusal("not_a_registry", &host);
    }
    // Shorter than what is sent: the rest is not read.
    let host = FakeHost::answering(|_| Reply::resolved().announcing(20));
    refusal("not_a_registry", &host);
    // About something else.
    let host = FakeHost::answering(|_| {
        Reply::json(&json!({
            "namespace": "evil", "slug": "hello", "version": "1.0.0", "tag": null,
            "sha256": "0".repeat(64), "fingerprint": "1".repeat(64), "downloadUrl": "/x",
        }))
    });
    let why = refusal("not_a_registry", &host);
    assert!(why.contains("it is about @evil/hello 1.0.0"), "{why}");
}

#[test]
fn document_of_another_skill_is_refused() {
    let skill = |coordinate: &str, rating: f64| {
        let mut skill = skill_record(coordinate, "x");
        (skill["ratingAverage"], skill["ratingCount"]) = (json!(rating), json!(3));
        skill
    };
    let host = |skill: serde_json::Value| {
        FakeHost::answering(move |asked| match asked.path.as_str() {
            "/api/v1/skills/global/hello.json" => Reply::json(&skill),
            _ => Reply::status(404),
        })
    };
    let other = host(skill("tools--other", 4.5));
    let why = Home::new().refusal("not_a_registry", &["info", "hello", "--registry", &other.base]);
    assert!(why.contains("it is about @tools/other"), "{why}");
    for impossible in [1e300, -1.0] {
        let host = host(skill("hello", impossible));
        let why = Home::new().refusal("not_a_registry", &["info", "hello", "--registry", &host.base]);
        assert!(why.contains("a mean is a number from 0 to 655"), "{why}");
    }
    for (rating, shown) in [(4.5, "4.5 of 5, by 3"), (10.0 / 3.0, "3.33 of 5, by 3")] {
        let host = host(skill("hello", rating));
        let output = Home::new().run(&["info", "hello", "--registry", &host.base]).ok();
        assert!(output.stdout.contains(shown) && output.stdout.len() < 1000, "{output:?}");
        // It has no list of versions, which says nothing about them.
        assert!(
            output.stdout.contains("\nversion    1.0.0\n") && !output.stdout.contains("yanked"),
            "{output:?}"
        );
        assert!(output.stdout.contains("\nthe registry has no list of versions\n"), "{output:?}");
    }
}

#[test]
fn damaged_index_is_refused() {
    let host = FakeHost::answering(|asked| match asked.path.as_str() {
        "/api/v1/search/_index/manifest.bin" => Reply::bytes("SKSI\u{1}nonsense"),
        _ => Reply::status(404),
    });
    let why = Home::new().refusal("index_damaged", &["search", "pdf", "--registry", &host.base]);
    assert!(why.contains(&host.base), "{why}");
}

#[test]
fn unreachable_host_is_named() {
    let gone = FakeHost::answering(|_| Reply::status(200)).base.clone();
    let home = Home::new().with("CLI_REGISTRY", &gone);
    let why = home.refusal("unreachable", &["resolve", "hello"]);
    assert!(why.contains(&gone) && why.ends_with("(the address comes from CLI_REGISTRY)"), "{why}");
}

#[test]
fn file_suffixes_and_base_paths_are_found() {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello").description("Greets.")).by(&registry.admin()).expect(201);
    let tree = registry.tree_bytes();
    registry.stop();
    let file = move |path: &str| tree.get(path.trim_start_matches('/')).cloned();
    let found = move |bytes: Option<Vec<u8>>| bytes.map_or(Reply::status(404), Reply::bytes);
    let suffixed = {
        let file = file.clone();
        FakeHost::answering(move |asked| found(file(&asked.path)))
    };
    let plain = {
        let file = file.clone();
        FakeHost::answering(move |asked| {
            // It serves no suffixes, except for files without another form.
            let is_file = asked.path.contains("/_") || asked.path.contains("/.well-known/");
            match asked.path.ends_with(".json") && !is_file {
                true => Reply::status(404),
                false if is_file => found(file(&asked.path)),
                false => found(file(&format!("{}.json", asked.path))),
            }
        })
    };
    let below = FakeHost::answering(move |asked| found(asked.path.strip_prefix("/sub/dir").and_then(&file)));
    let home = Home::new();
    for at in [suffixed.base.clone(), plain.base.clone(), format!("{}/sub/dir/", below.base)] {
        assert_eq!(home.json(&["resolve", "hello", "--registry", &at])["version"], "1.0.0", "{at}");
        let found = home.json(&["search", "greets", "--registry", &at]);
        assert_eq!(found["results"][0]["slug"], "hello", "{at}: {found}");
        assert_eq!(home.json(&["info", "hello", "--registry", &at])["versions"][0]["version"], "1.0.0");
    }
    assert!(suffixed.paths().iter().all(|path| path.ends_with(".json") || path.ends_with(".bin")));
    assert!(below.paths().iter().all(|path| path.starts_with("/sub/dir/")));
}

#[test]
fn server_without_index_is_searched_through_its_api() {
    let found = json!({"results": [], "total": 0, "page": 1, "limit": 20});
    let host = FakeHost::answering(move |asked| match asked.path.as_str() {
        "/api/v1/search?q=pdf+forms&page=1&limit=20" => Reply::json(&found),
        _ => Reply::status(404),
    });
    let home = Home::new();
    assert_eq!(home.json(&["search", "PDF", "forms", "--registry", &host.base])["total"], 0);
}

#[test]
fn control_characters_of_a_registry_are_escaped() {
    let printed = "No.\u{1b}]0;owned\u{7}\nskillmirror: all is well";
    let problem = json!({"code": "forbidden", "status": 403, "title": "x", "detail": printed});
    let host = FakeHost::answering(move |_| Reply::json(&problem).with_status(403));
    let why = refusal("forbidden", &host);
    assert!(why.starts_with("No. ") && !why.contains('\n'), "{why:?}");
}

#[test]
fn publish_is_retried_too() {
    let count = AtomicUsize::new(0);
    let host = FakeHost::answering(move |asked| {
        if asked.method == "GET" {
            return Reply::json(&json!({"handle": "ann", "displayName": "Ann", "role": "user"}));
        }
        match count.fetch_add(1, Ordering::SeqCst) {
            0 | 1 => Reply::status(503).header("Retry-After", "0"),
            _ => Reply::status(500),
        }
    });
    let home = Home::new();
    home.login(&host.base, &User { handle: "ann".to_owned(), token: "token-a".to_owned() });
    Skill::named("hello").write_to(&home.folder().join("hello"));
    home.refusal("unexpected_answer", &["publish", "hello"]);
    let asked = host.asked();
    assert_eq!(asked.len(), 4);
    assert!(asked[1..].windows(2).all(|pair| pair[0].body == pair[1].body && !pair[0].body.is_empty()));
}
