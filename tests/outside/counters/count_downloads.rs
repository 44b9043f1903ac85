//! `skillmirror count-downloads`: downloads from the logs of hosts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::harness::{CommandOutput, Registry, Shared, Skill, assert_fields};

mod files;
mod formats;
mod hosts;

const PACKAGE: &str = "/api/v1/skills/global/hello/versions/1.0.0/download";

/// A registry with `hello` in two versions and `other`, and no server.
fn with_skills() -> Registry {
    let mut registry = Registry::start();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).version("1.0.0").by(&admin).expect(201);
    registry.publish(Skill::named("hello")).version("2.0.0").by(&admin).expect(201);
    registry.publish(Skill::named("other")).version("1.0.0").by(&admin).expect(201);
    registry.stop();
    registry
}

fn run(registry: &Registry, files: &[&Path]) -> CommandOutput {
    let files = files.iter().map(|file| file.as_os_str());
    registry.command(["count-downloads".as_ref(), "--json".as_ref()].into_iter().chain(files))
}

/// The object that the command prints.
#[track_caller]
fn count(registry: &Registry, files: &[&Path]) -> Value {
    serde_json::from_str(&run(registry, files).ok().stdout).unwrap()
}

/// How many downloads of the skill are counted.
fn total(registry: &Registry, skill: &str) -> u64 {
    let totals = registry.command(["downloads", "--json"]).ok().stdout;
    let totals: Value = serde_json::from_str(&totals).unwrap();
    totals["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|total| total["skill"] == skill)
        .map_or(0, |total| total["downloads"].as_u64().unwrap())
}

/// A line of a combined log: the client with that number has downloaded `path`.
fn line(client: u32, path: &str) -> String {
    let [_, a, b, c] = client.to_be_bytes();
    format!(
        "10.{a}.{b}.{c} - - [31/Jan/2026:12:00:00 +0000] \"GET {path} HTTP/1.1\" 200 100000 \"-\" \"curl/8\"\n"
    )
}

/// A log of such lines.
fn log(clients: impl IntoIterator<Item = u32>) -> String {
    clients.into_iter().fold(String::new(), |mut log, client| {
        let _ = log.write_str(&line(client, PACKAGE));
        log
    })
}

fn write(registry: &Registry, name: &str, text: &str) -> PathBuf {
    registry.write(name, text.as_bytes())
}

#[test]
fn count_downloads_reports_in_text_and_json() {
    let registry = with_skills();
    let mut text = String::new();
    text += &line(1, PACKAGE);
    text += &line(1, PACKAGE);
    text += &line(1, &PACKAGE.replace("1.0.0", "2.0.0"));
    text += &line(1, PACKAGE).replace("31/Jan", "30/Jan");
    text += &line(2, "/api/v1/skills/global/other/download");
    text += &line(2, "/api/v1/skills/global/gone/download");
    text += &line(2, PACKAGE).replace(" 100000 ", " 10 ");
    text += &line(2, PACKAGE).replace(" 200 ", " 404 ");
    text += &line(2, PACKAGE).replace("10.0.0.2", "host.example.org");
    text += "\nnonsense\n";
    let file = write(&registry, "one.log", &text);
    let counted = count(&registry, &[&file]);
    assert_fields(
        &counted,
        "lines counted repeated incomplete unnamed unknown other unreadable versions files",
    );
    let numbers = ["lines", "counted", "repeated", "incomplete", "unnamed", "unknown", "other", "unreadable"];
    let found: Vec<u64> = numbers.iter().map(|name| counted[name].as_u64().unwrap()).collect();
    assert_eq!(found, [10, 4, 1, 1, 1, 1, 1, 1], "{counted}");
    let version = |slug: &str, version: &str, downloads: u64| json!({"namespace": "global", "slug": slug, "version": version, "downloads": downloads});
    assert_eq!(
        *counted["versions"].as_array().unwrap(),
        [version("hello", "1.0.0", 2), version("hello", "2.0.0", 1), version("other", "1.0.0", 1)]
    );
    assert_eq!(counted["files"][0]["firstUnreadable"], 11, "empty lines have a number too");
    assert_eq!((total(&registry, "hello"), total(&registry, "other")), (3, 1));
    let days = registry.command(["downloads", "hello", "--json"]).ok().stdout;
    let day = |version: &str, day: &str| json!({"version": version, "day": day, "downloads": 1});
    let expected = [day("1.0.0", "2026-01-30"), day("1.0.0", "2026-01-31"), day("2.0.0", "2026-01-31")];
    assert_eq!(serde_json::from_str::<Value>(&days).unwrap(), json!({"items": expected}));

    let file = write(&registry, "two.log", &text.replace("10.0.0.", "10.1.0."));
    let printed = registry.command(["count-downloads".as_ref(), file.as_os_str()]).ok().stdout;
    for sentence in [
        "read 10 new lines in 1 file\n",
        "counted 4 downloads of 3 versions\n",
        "1 line did not count: the same client already had the same version on the same day\n",
        "1 line did not count: incomplete",
        "1 line did not count: no such skill or version",
        "1 line did not count: not the download of a package\n",
        "1 line cannot be parsed: the first is line 11 of ",
        "two.log\n",
    ] {
        assert!(printed.contains(sentence), "{sentence}: {printed}");
    }
    let printed = registry.command(["count-downloads".as_ref(), file.as_os_str()]).ok().stdout;
    assert_eq!(printed, "read 0 new lines in 1 file\ncounted 0 downloads of 0 versions\n");
}

#[test]
fn count_downloads_without_registry_or_file_is_refused() {
    static EMPTY: Shared<Registry> = Shared::new();
    let registry = EMPTY.get(Registry::not_started);
    assert_eq!(registry.command(["count-downloads"]).code, 2);
    let output = registry.command(["count-downloads", "access.log"]);
    assert!(output.code == 1 && output.stderr.contains("no registry in"), "{output:?}");
    assert!(!registry.data().exists());
}
