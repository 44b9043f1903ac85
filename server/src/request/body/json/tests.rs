use hyper::header::CONTENT_TYPE;
use serde::Deserialize;

use super::*;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Inner {
    role: u8,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Patch {
    name: Option<String>,
    members: Option<Vec<Inner>>,
}

/// The field and the code of the error.
fn refused(text: &str) -> (String, String) {
    let problem = parse::<Patch>(text.as_bytes()).unwrap_err();
    assert_eq!(problem.code().as_str(), "invalid_request");
    let entry = problem.errors().first().cloned();
    entry.map(|e| (e.field.unwrap_or_default(), e.code.into_owned())).unwrap_or_default()
}

#[test]
fn error_names_the_field() {
    let named = |field: &str, code: &str| (field.to_owned(), code.to_owned());
    assert_eq!(refused(r#"{"name":1}"#), named("name", "invalid_field"));
    assert_eq!(refused(r#"{"nmae":"x"}"#), named("nmae", "unknown_field"));
    assert_eq!(refused(r#"{"name":"x","name":"y"}"#), named("name", "duplicate_field"));
    assert_eq!(refused(r#"{"members":[{"role":1},{}]}"#), named("members[1].role", "missing_field"));
    assert_eq!(refused(r#"{"members":[{"role":300}]}"#), named("members[0].role", "invalid_field"));
    assert_eq!(refused(r#"{"members":[{"role":1,"x":2}]}"#), named("members[0].x", "unknown_field"));
}

#[test]
fn anything_but_one_object_is_refused() {
    for text in ["{} x", "{}{}", "[\"x\",null]", "\"x\"", "null", "{", "\u{feff}{}", "{'name':1}"] {
        let problem = parse::<Patch>(text.as_bytes()).unwrap_err();
        assert_eq!((problem.code().as_str(), problem.errors().len()), ("invalid_request", 0), "{text}");
    }
    let deep = format!("{{\"a\":{}", "[".repeat(10_000));
    assert!(parse::<serde_json::Map<String, serde_json::Value>>(deep.as_bytes()).is_err());
    assert!(parse::<Patch>(b"{\"name\":\"\xff\"}").is_err());
    assert_eq!(parse::<Patch>(b" {}\n").unwrap(), Patch::default());
}

#[test]
fn only_utf_8_json_is_accepted() {
    let headers = |value: &str| HeaderMap::from_iter([(CONTENT_TYPE, value.parse().unwrap())]);
    for good in ["application/json", "Application/JSON; charset=UTF-8", "application/json;charset=\"utf-8\""]
    {
        assert!(require_json(&headers(good)).is_ok(), "{good}");
    }
    for bad in [
        "",
        "text/plain",
        "application/json; charset=latin1",
        "application/problem+json",
        "application/jsonx",
    ] {
        assert!(require_json(&headers(bad)).is_err(), "{bad}");
    }
    assert!(require_json(&HeaderMap::new()).is_err());
}
