//! The dialect from nginx with the server stopped, with the configuration that the program prints.

use std::path::PathBuf;

use super::harness;
use harness::{Client, Nginx, Registry};

/// `tools--hello` with 1.0.0 and 1.1.0 in a tree without a server.
fn served() -> (Registry, Nginx) {
    let mut registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    registry.versions("tools/hello", &["1.0.0", "1.1.0"], &ann);
    registry.stop();
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    (registry, nginx)
}

/// Each request, and the file of the tree that answers it.
const ANSWERS: [(&str, &str); 12] = [
    ("/skills/tools--hello", "clawhub/api/v1/skills/tools--hello.json"),
    ("/skills/tools--hello?ownerHandle=ann", "clawhub/api/v1/skills/tools--hello.json"),
    ("/skills/tools--hello/versions/1.0.0?ownerHandle=ann", "clawhub/api/v1/skills/tools--hello.json"),
    ("/resolve?slug=tools--hello&hash=00", "clawhub/api/v1/skills/tools--hello.json"),
    ("/resolve?slug=tools--hello&ownerHandle=ann&hash=00", "clawhub/api/v1/skills/tools--hello.json"),
    ("/download?slug=tools--hello&version=1.0.0", "api/v1/download/tools--hello/1.0.0.zip"),
    ("/download?slug=tools--hello&ownerHandle=ann&version=1.1.0", "api/v1/download/tools--hello/1.1.0.zip"),
    ("/skills?limit=25", "clawhub/api/v1/skills.json"),
    ("/skills", "clawhub/api/v1/skills.json"),
    ("/skills?limit=200&sort=stars", "clawhub/api/v1/skills/_list/stars.json"),
    ("/skills?limit=25&sort=installsCurrent", "clawhub/api/v1/skills/_list/downloads.json"),
    ("/skills?limit=25&sort=createdAt", "clawhub/api/v1/skills/_list/created.json"),
];

#[test]
fn nginx_answers_queries_from_files() {
    let (registry, nginx) = served();
    for (request, file) in ANSWERS {
        let response = nginx.client().get(&format!("/clawhub/api/v1{request}")).expect(200);
        assert!(response.body == registry.tree_file(file), "{request}");
        let kind = if file.ends_with(".zip") { "application/zip" } else { "application/json" };
        assert_eq!(response.header("content-type"), Some(kind), "{request}");
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"), "{request}");
    }
    let zip = nginx.client().get("/clawhub/api/v1/download?slug=tools--hello&version=1.0.0");
    assert_eq!(zip.header("content-disposition"), Some("attachment; filename=\"tools--hello-1.0.0.zip\""));
    assert!(zip.header("cache-control").is_some_and(|value| value.contains("immutable")));
    assert_eq!(nginx.error_log(), "");
}

/// The line of a 404.
fn line_of_host(client: &Client, path: &str) -> String {
    let response = client.get(path);
    assert!(response.require_header("content-type").starts_with("text/plain"), "{response}");
    let line = response.clone().expect(404).text();
    assert!(!line.contains('\n'), "{response}");
    line
}

#[test]
fn nginx_never_lets_an_argument_leave_the_tree() {
    let (registry, nginx) = served();
    let client = nginx.client();
    // A file that a path out of the tree would reach, and one that a path within it would.
    let beside: PathBuf = registry.folder().join("secret.json");
    std::fs::write(beside, "secret").unwrap();
    for request in [
        "/resolve?slug=../../../../../secret",
        "/resolve?slug=..%2f..%2f..%2f..%2f..%2fsecret",
        "/resolve?slug=%2e%2e/%2e%2e/secret",
        "/resolve?slug=tools--hello%00",
        "/resolve?slug=Tools--Hello",
        "/resolve?slug=",
        "/resolve",
        "/resolve?slug=_list/stars",
        "/resolve?slug=nothing&slug=../../../../../secret",
        "/download?slug=tools--hello",
        "/download?slug=tools--hello&version=../../../../secret",
        "/download?slug=tools--hello&version=1.0.0/../1.1.0",
        "/download?slug=tools--hello&version=..",
        "/download?slug=..&version=1.0.0",
        "/download?slug=tools--hello&version=9.9.9",
        "/download?version=1.0.0",
        "/skills/nothing",
        "/skills/nothing/versions/1.0.0",
        "/skills/tools--hello/versions/9.9.9",
        "/skills/tools--hello/versions/..%2f..%2fsecret",
        "/skills/_list",
        "/skills/Tools--Hello",
    ] {
        assert_eq!(
            line_of_host(&client, &format!("/clawhub/api/v1{request}")),
            "Skill not found",
            "{request}"
        );
    }
    for query in
        ["limit=5", "limit=-1", "sort=/../x&limit=25", "sort=_list/stars", "prefix=a&limit=25", "cursor=x"]
    {
        let line = line_of_host(&client, &format!("/clawhub/api/v1/skills?{query}"));
        assert!(line.contains("25 skills"), "{query}: {line}");
    }
}

#[test]
fn nginx_says_what_needs_the_server() {
    let (_registry, nginx) = served();
    let client = nginx.client();
    for path in [
        "/search?q=x",
        "/whoami",
        "/stars/x",
        "/skills/x/file?path=a",
        "/skills/x/versions?limit=25",
        "/skills/x/verify",
    ] {
        let line = line_of_host(&client, &format!("/clawhub/api/v1{path}"));
        assert!(line.contains("set CLAWHUB_REGISTRY"), "{path}: {line}");
    }
    for (method, path) in [("POST", "/skills"), ("DELETE", "/skills/tools--hello")] {
        let refused = client.request(method, &format!("/clawhub/api/v1{path}"), Some(b"{}".to_vec()));
        assert_eq!(refused.status, 405, "{refused}");
        assert!(refused.text().contains("read-only"), "{refused}");
    }
}
