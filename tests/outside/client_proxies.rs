//! Proxies of the environment.

use super::harness::{FalseHost, Home, Reply};

#[test]
fn a_proxy_carries_requests_to_others() {
    let proxy = FalseHost::answering(|_| Reply::status(403));
    for variable in ["ALL_PROXY", "http_proxy"] {
        let home = Home::new().with(variable, &proxy.base);
        let ran = home.run(&["resolve", "hello", "--registry", "http://skills.example.invalid"]);
        assert_eq!(ran.code, 1, "{ran:?}");
        let asked = proxy.asked();
        assert!(asked.last().unwrap().path.contains("skills.example.invalid"), "{asked:?}");
    }
}

#[test]
fn what_no_proxy_names_is_asked_itself() {
    let proxy = FalseHost::answering(|_| Reply::status(403));
    let host = FalseHost::answering(|_| Reply::status(404));
    let home = Home::new().with("ALL_PROXY", &proxy.base).with("NO_PROXY", "127.0.0.1");
    home.refusal("not_a_registry", &["resolve", "hello", "--registry", &host.base]);
    assert!(proxy.asked().is_empty() && !host.asked().is_empty());
}
