//! Proxies from environment variables.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

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
fn socks_proxy_carries_requests_to_other_hosts() {
    let host = FakeHost::answering(|_| Reply::resolved());
    let proxy = Tunnel::of_socks(port(&host));
    let home = Home::new().with("ALL_PROXY", &format!("socks5h://ann:secret@{}", proxy.address));
    assert_eq!(home.json(&["resolve", "hello", "--registry", ELSEWHERE])["version"], "1.0.0");
    assert_eq!(proxy.asked(), ["skills.example.invalid:80 ann:secret"]);
    let gone = FakeHost::answering(|_| Reply::status(200)).base.clone();
    for (proxy, expected) in [
        (greeting("SSH-2.0-OpenSSH_9.2p1\r\n"), "does not answer in SOCKS"),
        (greeting("\u{5}\u{7f}"), "refuses the connection"),
        (gone, "cannot be reached"),
    ] {
        let proxy = proxy.replace("http://", "socks5h://ann:secret@");
        let home = Home::new().with("ALL_PROXY", &proxy);
        let why = home.refusal("unreachable", &["resolve", "hello", "--registry", ELSEWHERE]);
        assert!(why.contains("the proxy socks5h://127.0.0.1:") && why.contains(expected), "{why}");
        assert!(why.contains("ALL_PROXY") && !why.contains("secret"), "{why}");
    }
}

#[test]
fn refusal_of_the_proxy_is_named_as_such() {
    let proxy = FakeHost::answering(|_| Reply::status(403));
    let home = Home::new().with("http_proxy", &proxy.base);
    let why = home.refusal("unreachable", &["resolve", "hello", "--registry", ELSEWHERE]);
    assert!(why.contains("proxy"), "{why}");
}

#[test]
fn failing_proxy_is_named_with_its_variable() {
    let silent = FakeHost::answering(|_| Reply::status(204));
    let needs_login = FakeHost::answering(|_| Reply::status(407));
    let web_server = FakeHost::answering(|_| Reply::status(405));
    let other_protocol = banner("SSH-2.0-OpenSSH_9.2p1\r\n");
    let closed = banner("");
    let gone = FakeHost::answering(|_| Reply::status(200)).base.clone();
    let host = |base: &str| base.trim_start_matches("http://").to_owned();
    for (proxy, expected) in [
        (&gone, "cannot be reached"),
        (&silent.base, "status 204"),
        (&needs_login.base, "refuses the user name and password"),
        (&web_server.base, "status 405"),
        (&other_protocol, "it is not a proxy"),
        (&closed, "closed the connection"),
    ] {
        for (variable, at) in [
            ("HTTP_PROXY", ELSEWHERE),
            ("https_proxy", "https://skills.example.invalid"),
            ("ALL_PROXY", ELSEWHERE),
        ] {
            let home = Home::new().with(variable, &proxy.replace("http://", "http://ann:secret@"));
            for command in [&["resolve", "hello"][..], &["search", "hello"], &["info", "hello"]] {
                let why = home.refusal("unreachable", &[command, &["--registry", at]].concat());
                let named = format!("the proxy http://{}, which {variable} names, ", host(proxy));
                assert!(why.contains(&named) && why.contains(expected), "{why}");
                assert!(why.contains("NO_PROXY") && !why.contains("secret"), "{why}");
                assert!(!why.contains("comes from --registry") && !why.contains("CONNECT"), "{why}");
            }
        }
    }
    let home = Home::new().with("http_proxy", &needs_login.base);
    let why = home.refusal("unreachable", &["resolve", "hello", "--registry", ELSEWHERE]);
    assert!(why.contains("needs a user name and password"), "{why}");
    let home = home.with("NO_PROXY", "127.0.0.1:1,example.org").with("http_proxy", "http://127.0.0.1:99999");
    let why = home.refusal("environment", &["resolve", "hello", "--registry", ELSEWHERE]);
    assert!(why.contains("http_proxy names a proxy that cannot be used, `http://127.0.0.1:99999`"), "{why}");
}

/// The address of a server that says this before it reads anything.
fn greeting(text: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.write_all(text.as_bytes());
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
    });
    base
}

/// The address of a server that says this and closes each connection.
fn banner(text: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let _ = stream.write_all(text.as_bytes());
        }
    });
    base
}

#[test]
fn failure_behind_a_proxy_names_both() {
    let proxy = Tunnel::to(port(&FakeHost::answering(|_| Reply::status(200))));
    let home = Home::new().with("http_proxy", &proxy.address.to_string());
    let why = home.refusal("unreachable", &["resolve", "hello", "--registry", ELSEWHERE]);
    assert!(why.contains(ELSEWHERE) && why.contains("which http_proxy names"), "{why}");
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
    for value in ["socks4://127.0.0.1:1080", "foo://ann:secret@proxy.example", "http://"] {
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
