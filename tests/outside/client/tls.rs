//! Hosts with certificates of a private authority.

use crate::harness::{Home, Project, Registry, Shared, Skill, TlsHost, Tunnel};

static REGISTRY: Shared<Registry> = Shared::new();

fn registry() -> Registry {
    let registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry
}

#[test]
fn private_authority_is_named_by_a_variable() {
    let registry = REGISTRY.get(registry);
    let host = TlsHost::of(&registry.public(), "IP:127.0.0.1,DNS:localhost");
    let path = |path: &std::path::Path| path.display().to_string();
    for at in [format!("https://127.0.0.1:{}", host.port), format!("https://localhost:{}", host.port)] {
        let asked = ["resolve", "hello", "--registry", &at];
        let home = Home::new().with("SSL_CERT_FILE", &path(&host.authority()));
        assert_eq!(home.json(&asked)["version"], "1.0.0");
        home.run(&["install", "hello", "--registry", &at]).ok();
        // A folder may have other files in it, and not be there.
        let folders = format!("/nowhere:{}", path(host.files()));
        assert_eq!(Home::new().with("SSL_CERT_DIR", &folders).json(&asked)["version"], "1.0.0");

        for home in [Home::new(), Home::new().with("SSL_CERT_FILE", "")] {
            let why = home.refusal("certificate", &asked);
            assert!(why.contains("unknown authority") && why.contains("SSL_CERT_FILE"), "{why}");
            assert!(why.ends_with("(the address comes from --registry)"), "{why}");
        }
    }
}

#[test]
fn authority_of_the_system_counts() {
    let registry = REGISTRY.get(registry);
    let host = TlsHost::of(&registry.public(), "IP:127.0.0.1");
    let project = Project::with_disk_at("/etc/ssl/certs", "size=4m");
    let asked = format!("resolve hello --registry https://127.0.0.1:{}", host.port);
    let refused = project.run(&asked);
    assert!(refused.code == 1 && refused.stderr.contains("unknown authority"), "{refused:?}");
    let bundle = project.disk().seen(std::path::Path::new("/etc/ssl/certs/ca-certificates.crt"));
    std::fs::copy(host.authority(), bundle).unwrap();
    project.run(&asked).ok();
}

#[test]
fn named_authorities_replace_the_default_ones() {
    let registry = REGISTRY.get(registry);
    let host = TlsHost::of(&registry.public(), "IP:127.0.0.1");
    let other = TlsHost::of(&registry.public(), "IP:127.0.0.1");
    let home = Home::new().with("SSL_CERT_FILE", &other.authority().display().to_string());
    home.refusal(
        "certificate",
        &["resolve", "hello", "--registry", &format!("https://127.0.0.1:{}", host.port)],
    );
}

#[test]
fn certificate_for_another_name_is_refused() {
    let registry = REGISTRY.get(registry);
    let host = TlsHost::of(&registry.public(), "DNS:skills.example.org");
    let home = Home::new().with("SSL_CERT_FILE", &host.authority().display().to_string());
    let at = format!("https://127.0.0.1:{}", host.port);
    let why = home.refusal("certificate", &["resolve", "hello", "--registry", &at]);
    assert!(why.contains("for another name"), "{why}");
}

#[test]
fn self_signed_certificate_is_accepted_or_explained() {
    let registry = REGISTRY.get(registry);
    let san = "subjectAltName=IP:127.0.0.1";
    let leaf = "basicConstraints=critical,CA:FALSE";
    for (options, expected) in [
        (&["-addext", san, "-addext", leaf][..], None),
        (&["-addext", san], Some("CA:FALSE")),
        (&[], Some("CA:FALSE")),
        (&["-addext", leaf], Some("subjectAltName")),
        (
            &["-addext", san, "-addext", leaf, "-addext", "extendedKeyUsage=clientAuth"],
            Some("not for servers"),
        ),
    ] {
        let host = TlsHost::self_signed(&registry.public(), options);
        let home = Home::new().with("SSL_CERT_FILE", &host.authority().display().to_string());
        let at = format!("https://127.0.0.1:{}", host.port);
        let asked = ["resolve", "hello", "--registry", &at];
        let Some(expected) = expected else {
            assert_eq!(home.json(&asked)["version"], "1.0.0");
            continue;
        };
        let why = home.refusal("certificate", &asked);
        assert!(why.contains(expected) && !why.contains("OtherError"), "{options:?}: {why}");
    }
}

#[test]
fn followers_and_agents_use_the_same_certificates() {
    let registry = REGISTRY.get(registry);
    let host = TlsHost::of(&registry.public(), "IP:127.0.0.1");
    let at = format!("https://127.0.0.1:{}", host.port);
    let trusting = Home::new().with("SSL_CERT_FILE", &host.authority().display().to_string());
    let asked = ["generate", "--feed", &at, "--out", "mirror"];
    trusting.run(&asked).ok();
    assert!(trusting.folder().join("mirror/api/v1/mirror/head.json").exists());
    for home in [Home::new(), Home::new().with("SSL_CERT_FILE", "/nowhere/ca.pem")] {
        let refused = home.run(&asked);
        assert!(refused.code == 1 && refused.stderr.contains("SSL_CERT_FILE"), "{refused:?}");
    }
}

#[test]
fn proxy_carries_https() {
    let registry = REGISTRY.get(registry);
    let host = TlsHost::of(&registry.public(), "DNS:skills.example.org");
    let proxy = Tunnel::to(host.port);
    let home = Home::new()
        .with("SSL_CERT_FILE", &host.authority().display().to_string())
        .with("https_proxy", &format!("http://ann:secret@{}", proxy.address));
    let found = home.json(&["resolve", "hello", "--registry", "https://skills.example.org"]);
    assert_eq!(found["version"], "1.0.0");
    let asked = proxy.asked();
    assert!(asked[0].starts_with("CONNECT skills.example.org:443 "), "{asked:?}");
    assert!(asked[0].contains("Proxy-Authorization: Basic YW5uOnNlY3JldA=="), "{asked:?}");
}

#[test]
fn unreadable_authorities_are_named() {
    let home = Home::new();
    std::fs::write(home.folder().join("empty.pem"), "nothing").unwrap();
    let empty = home.folder().join("empty.pem").display().to_string();
    let key = home.folder().join("key.pem").display().to_string();
    std::fs::write(&key, "-----BEGIN PRIVATE KEY-----\nMAAA\n-----END PRIVATE KEY-----\n").unwrap();
    for (variable, value) in [
        ("SSL_CERT_FILE", "/nowhere/ca.pem"),
        ("SSL_CERT_FILE", &empty),
        ("SSL_CERT_FILE", &key),
        ("SSL_CERT_FILE", "/dev/zero"),
        ("SSL_CERT_DIR", "/nowhere"),
    ] {
        let home = Home::new().with(variable, value);
        let why = home.refusal("environment", &["resolve", "hello", "--registry", "https://127.0.0.1:9"]);
        assert!(why.contains(&format!("{variable} names {value}")), "{why}");
        // Plain HTTP does not need them.
        home.refusal("unreadable", &["resolve", "hello", "--registry", "file:///nowhere"]);
    }
}
