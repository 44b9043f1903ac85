//! Atom feeds of new versions.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::harness::{Registry, Skill};

/// Reads a feed with a parser of XML, and prints the title and text of each entry, a line each.
const READER: &str = "
import sys, xml.etree.ElementTree as tree
atom = '{http://www.w3.org/2005/Atom}'
feed = tree.parse(sys.stdin.buffer).getroot()
assert feed.tag == atom + 'feed' and feed.find(atom + 'updated').text.endswith('Z')
ids = [entry.find(atom + 'id').text for entry in feed.iter(atom + 'entry')]
assert len(set(ids)) == len(ids) and all(each.startswith('https://skills.example.org/') for each in ids)
for entry in feed.iter(atom + 'entry'):
    print(entry.find(atom + 'title').text, repr(entry.find(atom + 'summary').text), sep='|')
";

/// The entries of the feed at a path.
#[track_caller]
fn entries(registry: &Registry, path: &str) -> Vec<String> {
    let response = registry.get(path).expect(200);
    assert!(response.require_header("content-type").starts_with("application/atom+xml"), "{response}");
    let mut reader = Command::new("python3")
        .args(["-c", READER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    reader.stdin.take().unwrap().write_all(&response.body).unwrap();
    let output = reader.wait_with_output().unwrap();
    assert!(output.status.success(), "{path}: {}", response.text());
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn feeds_have_the_newest_versions_and_no_markup_of_others() {
    let registry =
        Registry::with_config("public_url = \"https://skills.example.org\"\n[mirror]\nlists_interval = 0\n");
    let admin = registry.admin();
    registry.team("team", &admin);
    let publish = |slug: &str, version: &str, changelog: &str| {
        let form = registry.publish(Skill::named(slug).file("v.txt", version)).to("team").version(version);
        form.changelog(changelog).by(&admin).expect(201);
    };
    publish("hello", "1.0.0", "First.");
    publish("hello", "1.1.0", "<b>&amp; ]]> \u{ffff}\u{fffe} \"'");
    publish("gone", "1.0.0", "");
    publish("other", "1.0.0", "Other.");
    let hostile = r#"@team/hello 1.1.0|'<b>&amp; ]]> �� "\''"#;
    let all = entries(&registry, "/feed.atom");
    assert_eq!(all.len(), 3, "the latest version of each: {all:?}");
    assert_eq!((&*all[0], &*all[2]), ("@team/other 1.0.0|'Other.'", hostile));
    assert_eq!(entries(&registry, "/team/feed.atom"), all);
    // The feed of a skill has all its versions.
    assert_eq!(entries(&registry, "/team/hello/feed.atom"), [hostile, "@team/hello 1.0.0|'First.'"]);
    registry.yank("team/hello", "1.1.0", &admin).expect(200);
    registry.remove("team/gone", &admin).expect(204);
    assert_eq!(
        entries(&registry, "/feed.atom"),
        ["@team/other 1.0.0|'Other.'", "@team/hello 1.0.0|'First.'"]
    );
    assert_eq!(entries(&registry, "/team/hello/feed.atom"), ["@team/hello 1.0.0|'First.'"]);
    registry.get("/team/gone/feed.atom").expect(410);
    registry.get("/nobody/feed.atom").expect(404);
}

#[test]
fn feed_needs_the_address_of_the_registry() {
    let registry = Registry::start();
    let why = registry.get("/feed.atom").detail(404, "not_found");
    assert!(why.contains("public_url"), "{why}");
}
