//! Proxies from environment variables.

use serde_json::json;

use crate::harness::{FakeHost, Home, Reply, Tunnel};

const ELSEWHERE: &str = "http://skills.example.invalid";

fn port(host: &FakeHost) -> u16 {
    host.base.rsplit_once(':').unwrap().1.parse().unwrap()
}

#[test]
fn proxy_carries_requests_to_other_hosts() {
    let host = FakeHost::answering(|_| Reply::resolved());
    for variable in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        let proxy = Tunnel::to(port(&host));
        for value in [format!("http://{}", proxy.address), proxy.address.to_string()] {
            let home = Home::new().with(variable, &value);
            let found = home.json(&["resolve", "hello", "--registry", ELSEWHERE]);
            assert_eq!(found["version"], "1.0.0");
        }
        let asked = proxy.asked();
        assert!(asked.len() == 2 && asked[0].starts_with("CONNECT skills.example.invalid:80 "), "{asked:?}");
    }
    assert!(host.asked().iter().all(|asked| asked.header("host") == Some("skills.example.invalid")));
}

#[test]
fn refusal_of_the_proxy_is_named_as_such() {
    let proxy = FakeHost::answering(|_| Reply::status(403));
    let home = Home::new().with("http_proxy", &proxy.base);
    let why = home.refusal("unreachable", &["resolve", "hello", "--registry", ELSEWHERE]);
    assert!(why.contains("proxy"), "{why}");
}

#[test]
fn https_uses_its_own_proxy() {
    let host = FakeHost::answering(|_| Reply::resolved());
    let proxy = Tunnel::to(port(&host));
    let home = Home::new().with("HTTPS_PROXY", &proxy.address.to_string());
    home.refusal("unreachable", &["resolve", "hello", "--registry", ELSEWHERE]);
    assert!(proxy.asked().is_empty());
}

#[test]
fn localhost_and_no_proxy_hosts_bypass_the_proxy() {
    let host = FakeHost::answering(|_| Reply::resolved());
    let proxy = Tunnel::to(port(&host));
    let home = Home::new().with("ALL_PROXY", &proxy.address.to_string());
    home.json(&["resolve", "hello", "--registry", &host.base]);
    home.json(&["resolve", "hello", "--registry", &format!("http://localhost:{}", port(&host))]);
    let home = home.with("NO_PROXY", "other.invalid,example.invalid");
    home.refusal("unreachable", &["resolve", "hello", "--registry", ELSEWHERE]);
    assert!(proxy.asked().is_empty(), "{:?}", proxy.asked());
}

#[test]
fn unusable_proxy_is_an_error() {
    for value in ["socks5://127.0.0.1:1080", "foo://ann:secret@proxy.example", "http://"] {
        for (variable, at) in [("ALL_PROXY", ELSEWHERE), ("https_proxy", "https://skills.example.invalid")] {
            let home = Home::new().with(variable, value);
            let why = home.refusal("environment", &["resolve", "hello", "--registry", at]);
            assert!(why.contains(&format!("{variable} names a proxy")) && !why.contains("secret"), "{why}");
        }
    }
}

#[test]
fn login_over_unencrypted_proxy_warns_once() {
    let who = json!({"handle": "ann", "displayName": "Ann", "role": "user"});
    let host = FakeHost::answering(move |_| Reply::json(&who));
    let proxy = Tunnel::to(port(&host));
    let home = Home::new().with("http_proxy", &proxy.address.to_string());
    let login = ["login", "--token", "x", "--registry", ELSEWHERE];
    let output = home.run(&[&login[..], &["--json"]].concat()).ok();
    let printed: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert!(
        printed["warning"].as_str().unwrap().contains("is not encrypted") && output.stderr.is_empty(),
        "{output:?}"
    );
    assert!(home.run(&login).ok().stderr.contains("warning: http://skills.example.invalid is not encrypted"));
    let at_home = home.json(&["login", "--token", "x", "--registry", &host.base]);
    assert_eq!(at_home["warning"], serde_json::Value::Null);
}
