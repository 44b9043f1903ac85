//! A closed registry: reads need a credential (docs/private.md).

mod credentials;
mod hosts;
mod key_in_path;
mod our_client;
mod read_key;
mod strangers;

use std::path::Path;

use crate::harness::{Client, Nginx, Registry, Response, Skill, tree};

const CLOSED: &str = "[mirror]\ngit = true\n[reads]\nrequire = \"token\"\n";

/// A word that is in every text of the registry, and that no stranger may see.
const MARKER: &str = "zebrafish";

/// A closed registry with a skill in a team, and another one that was yanked.
fn closed() -> Registry {
    let registry = Registry::with_config(CLOSED);
    let admin = registry.admin();
    registry.team(MARKER, &admin);
    let skill = || Skill::named(&format!("{MARKER}-skill")).description(&format!("Counts {MARKER}."));
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(skill()).to(MARKER).version(version).tags("stable").by(&admin).expect(201);
    }
    registry.yank(&format!("{MARKER}/{MARKER}-skill"), "1.0.0", &admin).expect(200);
    registry
}

/// A new read key with this name.
#[track_caller]
fn new_key(registry: &Registry, name: &str) -> String {
    registry.command(["read-key", "new", name]).ok().stdout.trim().to_owned()
}

fn with_token(client: &Client, token: &str) -> Client {
    client.with("authorization", &format!("Bearer {token}"))
}

/// The addresses of all files of the tree, as files and as requests.
pub fn addresses(public: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    // No request names a compressed copy.
    for file in tree::files(public).into_iter().filter(|file| !file.ends_with(".gz")) {
        let ends = ["index.html", ".json", ".zip"];
        paths.extend(ends.iter().filter_map(|end| file.strip_suffix(end)).map(|path| format!("/{path}")));
        paths.push(format!("/{file}"));
    }
    assert!(paths.len() > 100, "the tree is read");
    paths
}

/// Whether everyone may read it: what docs/private.md lists.
fn is_open(path: &str) -> bool {
    let open = [
        "/robots.txt",
        "/login/",
        "/login/index.html",
        "/.well-known/registry.json",
        "/.well-known/clawhub.json",
    ];
    open.contains(&path) || path.starts_with("/assets/")
}

/// What a stranger sees, without what differs between two requests of the same kind.
fn seen(response: &Response) -> (u16, Option<String>, String) {
    let body = response.text();
    let body = body.split(",\"requestId\"").next().unwrap_or_default().to_owned();
    (response.status, response.header("www-authenticate").map(str::to_owned), body)
}

#[track_caller]
fn assert_unseen(response: &Response) {
    assert!(!response.text().contains(MARKER), "{response}");
    let headers = response.headers.values().filter_map(|value| value.to_str().ok());
    assert!(headers.into_iter().all(|value| !value.contains(MARKER)), "{response}");
}

/// The registry's tree behind nginx, in front of its server or alone.
fn nginx(registry: &Registry, name: &str, options: &[&str]) -> Nginx {
    let arguments = [&["hosts", "nginx", "--server-name", "127.0.0.1"], options].concat();
    let printed = registry.command(arguments).ok().stdout;
    Nginx::printed(&printed, &registry.folder().join(name))
}
