//! A registry whose public URL has a path, behind a proxy that removes it: every address that a document
//! or an answer shows leads to something below that path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use regex::Regex;
use serde_json::{Value, json};

use crate::harness::{Client, FakeHost, Home, Registry, Reply, Response, Skill, html};

const PATH: &str = "/be.low/skills";

/// A proxy that passes on what is below [`PATH`], and the registry behind it.
struct Site {
    registry: Registry,
    proxy: FakeHost,
    client: Client,
}

impl Site {
    fn start() -> Self {
        let behind: Arc<OnceLock<String>> = Arc::default();
        let target = Arc::clone(&behind);
        let proxy = FakeHost::answering(move |asked| {
            if asked.path == PATH {
                return Reply::redirect(308, &format!("{PATH}/"));
            }
            let below = asked.path.strip_prefix(PATH).filter(|below| below.starts_with('/'));
            let (Some(base), Some(path)) = (target.get(), below) else { return Reply::status(404) };
            let skipped = ["host", "connection", "content-length", "expect", "accept-encoding"];
            let client = Client::of(base).without_waiting();
            let client = asked
                .headers
                .iter()
                .filter(|(name, _)| !skipped.contains(&name.as_str()))
                .fold(client, |client, (name, value)| client.with(name, value));
            let body = (!asked.body.is_empty() || asked.method == "POST").then(|| asked.body.clone());
            let answer = client.request(&asked.method, path, body);
            let reply = Reply::bytes(answer.body.clone()).with_status(answer.status);
            let kept = answer.headers.iter().filter(|(name, _)| {
                !["content-length", "connection", "transfer-encoding"].contains(&name.as_str())
            });
            kept.fold(reply, |reply, (name, value)| reply.header(name.as_str(), value.to_str().unwrap()))
        });
        let mut registry = Registry::not_started();
        registry.start_with(&["--public-url", &format!("{}{PATH}", proxy.base)]);
        behind.set(registry.base().to_owned()).unwrap();
        let client = Client::of(&proxy.base);
        Self { registry, proxy, client }
    }

    fn url(&self) -> String {
        format!("{}{PATH}", self.proxy.base)
    }

    /// The path on the origin of an address that the document at `from` shows. None for other origins.
    fn resolved(&self, from: &str, address: &str) -> Option<String> {
        let address = address.split('#').next().unwrap();
        if let Some(path) = address.strip_prefix(&self.proxy.base) {
            return Some(path.to_owned());
        }
        if address.contains(':') || address.is_empty() {
            return None;
        }
        if address.starts_with('/') {
            return Some(address.to_owned());
        }
        let mut path: Vec<_> = from.split('?').next().unwrap().split('/').collect();
        path.pop();
        for part in address.split('/') {
            match part {
                ".." => drop(path.pop()),
                "." => path.push(""),
                part => path.push(part),
            }
        }
        Some(path.join("/").replace("//", "/"))
    }

    /// Asserts that an address of the document at `from` is below the path, and that something is there.
    #[track_caller]
    fn follow(&self, from: &str, address: &str, known: &mut BTreeMap<String, u16>) {
        let Some(path) = self.resolved(from, address) else { return };
        assert!(path.starts_with(PATH), "{from} shows {address}, which is {path}");
        let status = *known.entry(path.clone()).or_insert_with(|| self.client.get(&path).status);
        // What needs a login or a parameter exists, too.
        assert!([200, 308, 400, 401, 405].contains(&status), "{from} shows {address}: {status} at {path}");
    }
}

/// The values of a JSON document that are addresses, by their names.
fn addresses(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_address = ["url", "Url", "href", "Base", "uri", "Uri", "uploadUrl"]
                    .iter()
                    .any(|end| name.ends_with(end));
                match value {
                    Value::String(text) if is_address => drop(found.insert(text.clone())),
                    value => addresses(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| addresses(item, found)),
        Value::String(text) if text.contains("://127.0.0.1") => drop(found.insert(text.clone())),
        _ => {}
    }
}

/// All addresses that an answer shows.
fn shown(site: &Site, response: &Response) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    found.extend(response.header("location").map(str::to_owned));
    let kind = response.header("content-type").unwrap_or_default().to_owned();
    if kind.starts_with("application/json") {
        addresses(&response.json(), &mut found);
    } else if kind.starts_with("text/html") {
        for tag in html::tags(&response.text()) {
            let links = ["href", "src", "action"].into_iter().filter_map(|name| tag.get(name));
            found.extend(links.map(str::to_owned));
        }
    }
    if kind.starts_with("text/") || kind.starts_with("application/json") {
        // Addresses in texts and commands, but not those with placeholders.
        let whole = Regex::new(&format!("{}[A-Za-z0-9/._~@?=&-]*", regex::escape(&site.proxy.base))).unwrap();
        let text = response.text();
        let whole = whole.find_iter(&text).map(|found| found.as_str().trim_end_matches(['.', '@']));
        let placeholder = Regex::new("[/=][A-Z]{2,}").unwrap();
        found.extend(whole.filter(|url| !placeholder.is_match(url)).map(str::to_owned));
    }
    found
}

#[test]
fn every_address_below_a_path_stays_below_it_and_leads_somewhere() {
    let site = Site::start();
    let admin = site.registry.admin();
    site.registry.team("tools", &admin);
    let skill =
        || Skill::named("hello").text("See [other](../other/) and [notes](notes.md).").file("notes.md", "x");
    for version in ["1.0.0", "1.1.0"] {
        let published = site.registry.publish(skill()).version(version).tags("stable").by(&admin).expect(201);
        let mut found = BTreeSet::new();
        addresses(&published.json(), &mut found);
        assert!(found.iter().all(|address| address.starts_with(PATH)), "{found:?}");
    }
    site.registry.publish(Skill::named("other")).to("tools").by(&admin).expect(201);
    let public = site.registry.public();
    let files = crate::harness::tree::contents(&public).into_keys().filter(|file| !file.ends_with(".gz"));
    let mut asked: Vec<String> = files.map(|file| format!("/{file}")).collect();
    asked.extend(
        [
            "/",
            "/global",
            "/global/hello",
            "/nothing/here",
            "/api/v1/skills?size=1",
            "/api/v1/search?q=hello",
            "/api/search?q=hello",
            "/api/v1/resolve?slug=hello",
            "/api/v1/resolve?slug=hello&version=1.0.0",
            "/api/v1/skills/global/hello/resolve?version=1.0.0",
            "/api/v1/skills/global/hello/resolve?tag=stable",
            "/clawhub/api/v1/skills/hello/verify",
            "/clawhub/api/v1/search?q=hello",
            "/cli/device",
        ]
        .map(str::to_owned),
    );
    let (mut known, mut count) = (BTreeMap::new(), 0);
    for path in asked {
        let from = format!("{PATH}{path}");
        let response = site.client.with("accept", "text/html, */*").get(&from);
        for address in shown(&site, &response) {
            // The base of an API is no document itself.
            let is_base = address.ends_with("/api/v1") || address.ends_with("/clawhub");
            let address = if is_base { format!("{address}/api/v1/skills") } else { address };
            let address = address.replace("/api/v1/api/v1/", "/api/v1/");
            // git asks for a file of it.
            let address = address.replace("hello.git", "hello.git/info/refs?service=git-upload-pack");
            let address = address.replace("other.git", "other.git/info/refs?service=git-upload-pack");
            site.follow(&from, &address, &mut known);
            count += 1;
        }
    }
    assert!(count > 100, "{count} addresses were followed");
    let api = site.client.get(&format!("{PATH}/api/v1/openapi.json")).expect(200).json();
    assert_eq!(api["servers"], json!([{ "url": PATH }]));
    let login = site.client.post_json(&format!("{PATH}/api/v1/auth/device/code"), &json!({}));
    if login.status == 200 {
        let mut found = BTreeSet::new();
        addresses(&login.json(), &mut found);
        assert!(found.iter().all(|address| address.starts_with(&site.url())), "{found:?}");
    }
}

#[test]
fn records_of_writes_below_a_path_have_it() {
    let site = Site::start();
    let admin = site.registry.admin();
    site.registry.publish(Skill::named("hello")).version("1.0.0").by(&admin).expect(201);
    let client = site.registry.as_user(&admin);
    let version = "/api/v1/skills/global/hello/versions/1.0.0";
    for response in
        [client.post_json(&format!("{version}/yank"), &json!({})), client.delete(&format!("{version}/yank"))]
    {
        assert_eq!(response.expect(200).json()["downloadUrl"], format!("{PATH}{version}/download"));
    }
    client.delete("/api/v1/skills/global/hello").expect(204);
    let restored = client.post_json("/api/v1/skills/global/hello/restore", &json!({})).expect(200).json();
    assert_eq!(restored["latest"]["downloadUrl"], format!("{PATH}{version}/download"));
}

#[test]
fn client_finds_and_installs_below_a_path() {
    let site = Site::start();
    site.registry.publish(Skill::named("hello")).version("1.0.0").by(&site.registry.admin()).expect(201);
    for option in ["--registry", "--site"] {
        let home = Home::new();
        assert_eq!(home.json(&["resolve", "hello", option, &site.url()])["version"], "1.0.0", "{option}");
    }
}
