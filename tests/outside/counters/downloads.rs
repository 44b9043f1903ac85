//! Downloads from the server are counted.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::harness::{Client, Home, Registry, Skill, eventually, noise, run};

const BEHIND_A_PROXY: &str = "[limits]\ntrusted_proxies = [\"127.0.0.1\"]\n";
const PACKAGE: &str = "/api/v1/skills/global/hello/versions/1.0.0/download";

/// A registry with `hello`, reached through a proxy.
fn with_hello() -> Registry {
    let registry = Registry::with_config(BEHIND_A_PROXY);
    let skill = Skill::named("hello").file("data", noise(5000, 1));
    registry.publish(skill).version("1.0.0").tags("stable").by(&registry.admin()).expect(201);
    registry
}

/// A client at that address, behind the proxy.
fn client(registry: &Registry, address: &str) -> Client {
    registry.anonymous().with("x-forwarded-for", address)
}

/// The items that `skillmirror downloads` prints.
fn totals(registry: &Registry) -> Value {
    let printed: Value =
        serde_json::from_str(&registry.command(["downloads", "--json"]).ok().stdout).unwrap();
    printed["items"].clone()
}

/// The sum of the downloads of `hello`.
fn count(registry: &Registry) -> u64 {
    totals(registry)[0]["downloads"].as_u64().unwrap_or(0)
}

#[test]
fn client_counts_once_for_a_version_under_every_address() {
    let mut registry = with_hello();
    registry.publish(Skill::named("hello")).version("2.0.0").by(&registry.admin()).expect(201);
    for path in [
        PACKAGE,
        "/api/v1/skills/global/hello/versions/1.0.0/download.zip",
        "/api/v1/download/hello/1.0.0",
        "/api/v1/download/hello/1.0.0.zip",
        "/api/v1/download/hello/stable",
        "/api/v1/skills/global/hello/versions/1%2e0.0/download?a=b",
    ] {
        client(&registry, "192.0.2.1").get(path).expect(200);
    }
    for path in ["/api/v1/skills/global/hello/download", "/api/v1/download/hello/latest"] {
        client(&registry, "192.0.2.1").get(path).expect(200);
    }
    client(&registry, "192.0.2.2").get("/api/v1/skills/global/hello/download").expect(200);
    registry.as_user(&registry.admin()).with("x-forwarded-for", "2001:db8::1").get(PACKAGE).expect(200);
    registry.stop();
    let today = jiff::Timestamp::now().to_string()[..10].to_owned();
    let days: Value =
        serde_json::from_str(&registry.command(["downloads", "hello", "--json"]).ok().stdout).unwrap();
    let sum = |version: &str| -> u64 {
        let days = days["items"].as_array().unwrap().iter().filter(|day| day["version"] == version);
        days.map(|day| day["downloads"].as_u64().unwrap()).sum()
    };
    assert_eq!((sum("1.0.0"), sum("2.0.0")), (2, 2), "{days}");
    assert!(
        days["items"].as_array().unwrap().iter().all(|day| day["day"].as_str() <= Some(&today)),
        "{days}"
    );
    assert_eq!(totals(&registry), json!([{"skill": "hello", "downloads": 4}]));
    let shown = registry.command(["downloads"]).ok().stdout;
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert_eq!(words, ["SKILL", "DOWNLOADS", "hello", "4"], "{shown}");
}

#[test]
fn download_count_is_shown_while_the_server_runs() {
    let registry = with_hello();
    assert_eq!(totals(&registry), json!([]));
    for n in 1..=3 {
        client(&registry, &format!("192.0.2.{n}")).get(PACKAGE).expect(200);
        eventually("the download is counted", || (count(&registry) == n).then_some(()));
    }
}

#[test]
fn incomplete_download_does_not_count() {
    let mut registry = with_hello();
    let one = client(&registry, "192.0.2.1");
    one.head(PACKAGE).expect(200);
    one.with("range", "bytes=1-").get(PACKAGE).expect(206);
    one.with("range", "bytes=-100").get(PACKAGE).expect(206);
    one.with("range", "bytes=999999-").get(PACKAGE).expect(416);
    let etag = one.head(PACKAGE).require_header("etag").to_owned();
    one.with("if-none-match", &etag).get(PACKAGE).expect(304);
    one.post_json(PACKAGE, &json!({})).expect(405);
    one.get("/api/v1/skills/global/hello/versions/3.0.0/download").expect(404);
    one.get("/api/v1/skills/global/hello").expect(200);
    one.with("authorization", "Bearer smt_forged").get(PACKAGE).expect(401);
    // The proxy sends no address, so these clients cannot be distinguished.
    registry.anonymous().get(PACKAGE).expect(200);
    client(&registry, "unknown").get(PACKAGE).expect(200);
    registry.stop();
    assert_eq!(totals(&registry), json!([]));
}

#[test]
fn package_that_is_read_without_use_does_not_count() {
    let mut registry = Registry::start();
    let admin = registry.admin();
    let owner = registry.user("owner");
    registry.reviewing_team("acme", &owner);
    registry.versions("acme/hello", &["1.0.0", "1.1.0"], &owner);
    let member = registry.user("member");
    registry.join("acme", &owner, &member, "member");
    let review = registry.submit("acme/hello", "2.0.0", &member);
    let home = Home::new().with("CLI_REGISTRY", registry.base());
    home.login(registry.base(), &owner).ok();
    home.run(&["diff", "acme/hello@1.0.0", "acme/hello@1.1.0"]).ok();
    home.run(&["review", "diff", "acme", review["reviewId"].as_str().unwrap()]).ok();
    let mirror = home.folder().join("mirror");
    let arguments = ["generate", "--feed", registry.base(), "--out", mirror.to_str().unwrap()];
    run(home.folder(), &arguments.map(Into::into)).ok();
    let package = "/api/v1/skills/acme/hello/versions/1.0.0/download";
    for agent in ["skillmirror/9.0 (not-a-download)", "curl/8 (not-a-download; +https://a.example)"] {
        registry.anonymous().with("user-agent", agent).get(package).expect(200);
        registry.anonymous().with("user-agent", agent).with("range", "bytes=0-").get(package).expect(206);
    }
    let browser = registry.anonymous().with("sec-fetch-site", "same-origin");
    browser.with("sec-fetch-mode", "cors").get(package).expect(200);
    registry.as_user(&admin).head(package).expect(200);
    registry.stop();
    assert_eq!(totals(&registry), json!([]));
    // To install is to download, and so is to follow a link to a package.
    registry.restart();
    let browser = registry.anonymous().with("sec-fetch-site", "same-origin");
    browser.with("sec-fetch-mode", "navigate").get(package).expect(200);
    let home = home.with("CLI_REGISTRY", registry.base());
    home.run(&["install", "acme/hello", "--dir", "skills"]).ok();
    registry.stop();
    assert_eq!(count(&registry), 2);
}

#[test]
fn range_from_the_first_byte_counts() {
    let mut registry = with_hello();
    let one = client(&registry, "192.0.2.1");
    for range in ["bytes=0-99", "bytes=100-199", "bytes=200-", "bytes=0-"] {
        one.with("range", range).get(PACKAGE).expect(206);
    }
    // Which is not ours to honour, so all is sent.
    client(&registry, "192.0.2.2").with("range", "bytes=0-1,3-4").get(PACKAGE).expect(200);
    registry.stop();
    assert_eq!(count(&registry), 2);
}

#[test]
fn aborted_download_does_not_count() {
    let mut registry = Registry::start();
    // More than all socket buffers.
    let part = |seed| noise(9_000_000, seed);
    let skill = Skill::named("hello").file("a", part(1)).file("b", part(2)).file("c", part(3));
    registry.publish(skill).version("1.0.0").by(&registry.admin()).expect(201);
    let mut stream = TcpStream::connect(registry.base().trim_start_matches("http://")).unwrap();
    stream.write_all(format!("GET {PACKAGE} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).unwrap();
    let mut begun = [0; 1000];
    stream.read_exact(&mut begun).unwrap();
    assert!(begun.starts_with(b"HTTP/1.1 200"));
    drop(stream);
    registry.stop();
    assert_eq!(totals(&registry), json!([]));
    registry.restart();
    registry.get(PACKAGE).expect(200);
    registry.stop();
    assert_eq!(count(&registry), 1);
}

#[test]
fn two_servers_count_together() {
    let mut registry = with_hello();
    let second = registry.start_second(&[]);
    for n in 1..=20 {
        let address = format!("192.0.2.{n}");
        client(&registry, &address).get(PACKAGE).expect(200);
        second.client().with("x-forwarded-for", &address).get(PACKAGE).expect(200);
        let other = format!("198.51.100.{n}");
        second.client().with("x-forwarded-for", &other).get(PACKAGE).expect(200);
    }
    assert_eq!(second.terminate(), 0);
    registry.stop();
    assert_eq!(count(&registry), 40);
}

#[test]
fn client_address_is_not_stored() {
    let mut registry = with_hello();
    client(&registry, "193.17.219.131").get(PACKAGE).expect(200);
    registry.stop();
    assert_eq!(count(&registry), 1);
    for file in registry.data().read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let has = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
        assert!(!has(b"193.17.219.131") && !has(&[193, 17, 219, 131]), "{}", file.display());
    }
}

#[test]
fn restored_registry_keeps_the_counts_of_its_skills() {
    let mut registry = with_hello();
    client(&registry, "192.0.2.1").get(PACKAGE).expect(200);
    registry.command(["journal", "backup", "backup.zip"]).ok();
    registry.publish(Skill::named("hello")).version("2.0.0").by(&registry.admin()).expect(201);
    registry.publish(Skill::named("lost")).by(&registry.admin()).expect(201);
    for path in ["/api/v1/skills/global/hello/download", "/api/v1/skills/global/lost/download"] {
        client(&registry, "192.0.2.1").get(path).expect(200);
    }
    registry.stop();
    assert_eq!(totals(&registry).as_array().unwrap().len(), 2);
    registry.command(["journal", "restore", "backup.zip"]).ok();
    assert_eq!(totals(&registry), json!([{"skill": "hello", "downloads": 1}]));
    // Their ids are given to others, who begin with nothing.
    registry.restart();
    registry.publish(Skill::named("hello")).version("2.0.0").by(&registry.admin()).expect(201);
    registry.publish(Skill::named("new")).by(&registry.admin()).expect(201);
    assert_eq!(totals(&registry), json!([{"skill": "hello", "downloads": 1}]));
}

#[test]
fn downloads_of_unknown_skill_are_refused() {
    let registry = with_hello();
    let output = registry.command(["downloads", "nothing"]);
    assert!(output.code == 1 && output.stderr.contains("no skill `nothing`"), "{output:?}");
    assert!(registry.command(["downloads"]).ok().stdout.contains("no download"));
    assert!(registry.command(["downloads", "hello"]).ok().stdout.contains("no download"));
    assert_eq!(registry.command(["downloads", "Not A Name"]).code, 2);
}
