//! The edge worker that the program writes answers ClawHub clients like the server.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::harness;
use harness::{Registry, Skill, StaticHost, write_worker};

/// Prints the status and the body of each answer as a line of JSON.
const DRIVER: &str = "
import { createInterface } from 'node:readline';
import { answer } from './worker/answer.js';

const read = (path, headers) => fetch(process.argv[2] + path, { headers });
for await (const path of createInterface({ input: process.stdin })) {
  const request = new Request(`https://worker.example.org${path}`);
  const answered = await answer(request, { read, basePath: '' });
  console.log(JSON.stringify([answered.status, await answered.text()]));
}
";

/// The answers of the worker, with the status and the text of each.
fn answers(folder: &Path, base: &str, paths: &[String]) -> Vec<(u16, String)> {
    write_worker(folder);
    std::fs::write(folder.join("package.json"), r#"{"type":"module"}"#).unwrap();
    std::fs::write(folder.join("driver.js"), DRIVER).unwrap();
    let mut node = Command::new("node")
        .arg(folder.join("driver.js"))
        .arg(base)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node is installed");
    node.stdin.take().unwrap().write_all((paths.join("\n") + "\n").as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn worker_answers_like_the_server() {
    let mut registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    registry.versions("tools/hello", &["1.0.0", "1.1.0", "2.0.0"], &ann);
    registry.yank("tools/hello", "2.0.0", &ann).expect(200);
    registry.publish(Skill::named("lone").file("logo.png", "x")).by(&registry.admin()).expect(201);
    let record = registry.read("/api/v1/skills/tools/hello/versions/1.0.0");
    let hash = record["fingerprint"].as_str().unwrap();
    let exact = [
        "",
        "?limit=1",
        "?limit=500&sort=stars",
        "/lone",
        "/tools--hello?ownerHandle=@Ann",
        "/tools--hello/versions",
        "/tools--hello/versions?limit=1",
        "/tools--hello/versions/1.0.0?ownerHandle=ann",
    ];
    let mut paths: Vec<String> = exact.iter().map(|path| format!("/clawhub/api/v1/skills{path}")).collect();
    for query in [format!("hash={hash}"), "hash=00".into(), format!("ownerHandle=ann&hash={hash}")] {
        paths.push(format!("/clawhub/api/v1/resolve?slug=tools--hello&{query}"));
    }
    let refused = [
        "skills/nothing",
        "skills/tools--hello?ownerHandle=bob",
        "resolve?slug=..%2F..%2Fx&hash=00",
        "resolve",
        "skills/..%2f..%2fx",
        "download?slug=nothing&version=1.0.0",
    ];
    let refused: Vec<String> = refused.iter().map(|path| format!("/clawhub/api/v1/{path}")).collect();
    let search = "/clawhub/api/v1/search?q=hello&limit=25&mode=exact".to_owned();
    let others = [search.clone(), "/clawhub/api/v1/skills/tools--hello/versions/9.9.9".into()];
    let expected: Vec<Value> = paths.iter().map(|path| registry.read(path)).collect();
    let mut found = registry.read(&search);
    registry.stop();

    let host = StaticHost::over(&registry.public());
    let folder = tempfile::tempdir().unwrap();
    let asked = [&paths[..], &refused, &others].concat();
    let answers = answers(folder.path(), &host.base, &asked);
    for ((path, expected), (status, text)) in paths.iter().zip(&expected).zip(&answers) {
        assert_eq!(
            (*status, serde_json::from_str::<Value>(text).unwrap()),
            (200, expected.clone()),
            "{path}"
        );
    }
    for (path, answer) in refused.iter().zip(&answers[paths.len()..]) {
        assert_eq!(*answer, (404, "Skill not found".to_owned()), "{path}");
    }
    let (status, text) = &answers[paths.len() + refused.len()];
    let mut searched: Value = serde_json::from_str(text).unwrap();
    for results in [&mut searched, &mut found] {
        assert!(results["results"][0]["score"].take().is_number(), "{results}");
    }
    assert_eq!((*status, searched), (200, found));
    assert_eq!(answers[paths.len() + refused.len() + 1].0, 404);
}
