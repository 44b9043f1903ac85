#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> String {
    text.parse::<RegistryAddress>().unwrap().to_string()
}

#[test]
fn equal_addresses_have_one_text() {
    for (text, expected) in [
        ("https://skills.example.org", "https://skills.example.org"),
        ("https://skills.example.org/", "https://skills.example.org"),
        ("HTTPS://Skills.Example.ORG:443/", "https://skills.example.org"),
        ("http://127.0.0.1:8080/api/v1", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/api/v1/", "http://127.0.0.1:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("https://example.org/sub/dir//", "https://example.org/sub/dir"),
        ("https://example.org/sub/dir/api/v1/", "https://example.org/sub/dir"),
        ("https://example.org/sub/../dir", "https://example.org/dir"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("http://example.org/@tools/x@y", "http://example.org/@tools/x@y"),
        ("file:///srv/skills", "file:///srv/skills"),
        ("file:///srv/skills/", "file:///srv/skills"),
        ("file://localhost/srv/skills/api/v1", "file:///srv/skills"),
        ("file:///srv/my%20skills/%C3%BC%25", "file:///srv/my%20skills/%C3%BC%25"),
        ("file:///srv/ü", "file:///srv/%C3%BC"),
        ("file:///", "file:///"),
        ("file:///a/../srv/./skills//", "file:///srv/skills"),
        ("file:///../api/v1/api/v1", "file:///"),
    ] {
        assert_eq!(read(text), expected, "{text}");
        assert_eq!(read(expected), expected);
    }
}

#[test]
fn folder_path_is_percent_decoded() {
    let address: RegistryAddress = "file:///srv/my%20skills/%C3%BC".parse().unwrap();
    assert_eq!(address.as_folder(), Some(Path::new("/srv/my skills/ü")));
    assert!(address.as_url().is_none() && address.url_of("/x").is_none());
}

#[test]
fn invalid_address_is_refused_with_examples() {
    for text in [
        "",
        "skills.example.org",
        "/srv/skills",
        "ftp://example.org",
        "https://",
        "https:///path",
        "https://ann:secret@example.org",
        "https://ann@example.org",
        "https://@example.org/x",
        "https://example.org/?a=b",
        "https://example.org/#a",
        "https://exa mple.org",
        "https://example.org/a//b",
        "https:\\\\example.org",
        "https://example.org:99999",
        "https://example.org\n",
        "file://srv/skills",
        "file:srv",
        "file:///srv/%00",
        "javascript://example.org/%0aalert(1)",
    ] {
        let why = text.parse::<RegistryAddress>().unwrap_err();
        assert_eq!(why.code(), "invalid_address");
        let why = why.to_string();
        assert!(why.contains("https://skills.example.org") && why.contains("file:///"), "{text}: {why}");
        assert!(!why.contains("secret"), "{why}");
    }
}

#[test]
fn below_keeps_the_base_path() {
    let address: RegistryAddress = "https://example.org/sub/dir".parse().unwrap();
    let below = address.url_of("/api/v1/search?q=a+b").unwrap();
    assert_eq!(below.as_str(), "https://example.org/sub/dir/api/v1/search?q=a+b");
    assert_eq!(address.origin_root().unwrap().to_string(), "https://example.org");
    assert!(address.origin_root().unwrap().origin_root().is_none());
}

#[test]
fn plain_http_is_readable_except_on_loopback() {
    for (text, expected) in [
        ("https://example.org", false),
        ("http://example.org", true),
        ("http://192.168.0.1", true),
        ("http://127.0.0.1:8080", false),
        ("http://127.1.2.3", false),
        ("http://[::1]", false),
        ("http://localhost:1", false),
        ("http://skills.localhost", false),
        ("http://localhost.example.org", true),
        ("file:///srv", false),
    ] {
        assert_eq!(text.parse::<RegistryAddress>().unwrap().is_unencrypted(), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn address_that_parses_is_read_back(
        text in "(https?://|file:///?)?\\PC{0,30}|https?://[a-z0-9.-]{1,9}(:[0-9]{1,4})?(/[a-z~._-]{1,6}){0,2}/?|file:///[a-z %/]{1,9}"
    ) {
        let address = text.parse::<RegistryAddress>();
        prop_assume!(address.is_ok());
        let address = address.unwrap();
        prop_assert_eq!(address.to_string().parse::<RegistryAddress>().unwrap(), address);
    }
}

#[test]
fn origin_is_scheme_host_and_port() {
    let same = |one: &str, other: &str| {
        one.parse::<RegistryAddress>().unwrap().has_same_origin(&other.parse().unwrap())
    };
    assert!(same("https://a.example/x", "https://a.example:443/y"));
    for other in ["http://a.example", "https://b.example", "https://a.example:444", "file:///a.example"] {
        assert!(!same("https://a.example", other) && !same(other, "https://a.example"), "{other}");
    }
}
