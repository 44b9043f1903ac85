//! Readers read a tree's files while it changes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use generator::settings::TreeSettings;
use registry::names::Digest;
use registry::ops::namespaces::NamespaceChanges;
use registry::public::NamespaceStatus;
use serde_json::Value;
use world::World;

/// `benches/hammer` makes ten thousand, and reads a bucket and a cache as well.
const CHANGES: u64 = 1_500;
/// The most changes between two updates of the tree.
const AT_ONCE: u64 = 59;
const SKILLS: u64 = 60;

/// Reads files like a static host.
struct Reader<'a> {
    root: &'a Path,
    /// Selects the next file to read.
    turn: u64,
    revision: u64,
}

impl Reader<'_> {
    /// Reads a file that another document refers to.
    fn bytes(&self, file: &str) -> Vec<u8> {
        let file = file.trim_start_matches('/');
        fs::read(self.root.join(file)).unwrap_or_else(|why| panic!("{file}: {why}"))
    }

    /// Reads a document that another one refers to; every third time its gzip sibling, if there is
    /// one.
    fn json(&mut self, file: &str) -> Value {
        self.turn += 1;
        let path = self.root.join(format!("{}.gz", file.trim_start_matches('/')));
        let text = match fs::File::open(path) {
            Ok(gzip) if self.turn.is_multiple_of(3) => {
                let mut text = Vec::new();
                flate2::read::GzDecoder::new(gzip).read_to_end(&mut text).unwrap();
                text
            }
            _ => self.bytes(file),
        };
        serde_json::from_slice(&text).unwrap_or_else(|why| panic!("{file}: {why}"))
    }

    /// The head never goes back, and the last page of the feed is at least as new.
    fn feed(&mut self) {
        let head = self.json("api/v1/mirror/head.json");
        let revision = head["revision"].as_u64().unwrap();
        assert!(revision >= self.revision, "the head goes back from {} to {revision}", self.revision);
        self.revision = revision;
        let page = self.bytes(&format!("api/v1/mirror/changes/{}.json", head["pages"]));
        let rows: Value = serde_json::from_slice(&page).unwrap();
        let last = rows["changes"].as_array().unwrap().last().unwrap()["revision"].as_u64().unwrap();
        assert!(last >= revision, "the page ends at {last}, before the head's {revision}");
        // A page newer than the head has another digest than the head says.
        if last == revision {
            assert_eq!(Digest::of(&page).to_string(), head["sha256"]);
        }
    }

    fn list(&mut self, file: &str) {
        // An archived namespace has no lists.
        let is_gone = |why: std::io::Error| assert!(file.contains("/team"), "{file}: {why}");
        let page: Value = match fs::read(self.root.join(file)).map_err(is_gone) {
            Ok(text) => serde_json::from_slice(&text).unwrap_or_else(|why| panic!("{file}: {why}")),
            Err(()) => return,
        };
        for item in page["items"].as_array().unwrap() {
            let [namespace, slug, version] =
                ["namespace", "slug", "version"].map(|field| item[field].as_str().unwrap().to_owned());
            let skill = format!("api/v1/skills/{namespace}/{slug}");
            self.version(&skill, &version);
            let record = self.json(&format!("{skill}.json"));
            self.version(&skill, record["latest"]["version"].as_str().unwrap());
            for tag in record["tags"].as_object().unwrap().values() {
                self.version(&skill, tag.as_str().unwrap());
            }
            for file in [format!("{skill}/resolve.json"), format!("api/v1/resolve/{namespace}--{slug}.json")]
            {
                let resolved = self.json(&file);
                let package = self.bytes(&format!("{}.zip", resolved["downloadUrl"].as_str().unwrap()));
                if let Some(sha256) = resolved["sha256"].as_str() {
                    assert_eq!(Digest::of(&package).to_string(), sha256);
                }
            }
            self.json(&format!("{skill}/versions.json"));
            // The latest package must be complete and belong to a version. The version's document
            // is written one stage earlier; the list of versions may be written later.
            let package = Digest::of(&self.bytes(&format!("{skill}/download.zip"))).to_string();
            let known = fs::read_dir(self.root.join(&skill).join("versions")).unwrap().any(|entry| {
                let path = entry.unwrap().path();
                path.extension().is_some_and(|suffix| suffix == "json")
                    && fs::read_to_string(path).unwrap().contains(&package)
            });
            assert!(known, "{skill}: {package}");
        }
    }

    fn version(&mut self, skill: &str, version: &str) {
        let record = self.json(&format!("{skill}/versions/{version}.json"));
        self.json(&format!("{skill}/versions/{version}/files.json"));
        let package = self.bytes(&format!("{}.zip", record["downloadUrl"].as_str().unwrap()));
        assert_eq!(Digest::of(&package).to_string(), record["sha256"]);
    }

    /// The manifest ends with the name of an existing piece.
    fn search(&self) {
        let manifest = self.bytes("api/v1/search/_index/manifest.bin");
        let name: String = manifest[manifest.len() - 8..].iter().map(|byte| format!("{byte:02x}")).collect();
        // Without live skills, the manifest names no piece.
        if name != "0000000000000000" {
            let piece = self.bytes(&format!("api/v1/search/_index/{name}.bin"));
            assert!(Digest::of(&piece).to_string().starts_with(&name), "{name}");
        }
    }

    fn look(&mut self) {
        self.feed();
        self.search();
        let lists = ["api/v1/skills.json", "api/v1/skills/_list/_all/name-1.json"];
        let team = format!("api/v1/skills/_list/team{}/updated-1.json", 1 + self.turn % 3);
        self.list([lists[0], lists[1], &team][self.turn as usize % 3]);
    }
}

/// Makes one change, unless the registry refuses it.
fn change(world: &World, number: u64) {
    let team = format!("team{}", 1 + number % 3);
    let update = |changes: NamespaceChanges| world.update(&team, changes);
    match number % 5 {
        0 | 2 => {
            let (slug, round) = (number / 5 % SKILLS, number / 5 / SKILLS);
            let version = ((round / 2) as u8, round % 2 == 0);
            world.publish(&team, slug as u8, version, number.is_multiple_of(2).then_some((number % 4) as u8));
        }
        // Nothing can be published in an archived namespace, so it is active again soon.
        1 if number % 20 == 1 => {
            update(NamespaceChanges { status: Some(NamespaceStatus::Archived), ..Default::default() })
        }
        _ => update(NamespaceChanges {
            status: Some(NamespaceStatus::Active),
            description: Some(format!("After {number} changes")),
            ..Default::default()
        }),
    }
}

#[test]
fn readers_find_complete_files_and_no_dangling_references() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let (world, settings) = (World::new(), TreeSettings { list_depth: 1, ..Default::default() });
    for team in 1..=3 {
        world.publish(&format!("team{team}"), 0, (0, true), None);
    }
    let mut mirror = world.mirror(&root, &settings);
    let start = mirror.catch_up().unwrap();
    let (done, looks) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let readers = [0, 1].map(|turn| {
            let (root, done, looks) = (&root, &done, &looks);
            scope.spawn(move || {
                let mut reader = Reader { root, turn, revision: 0 };
                while !done.load(Ordering::SeqCst) {
                    reader.look();
                    looks.fetch_add(1, Ordering::SeqCst);
                }
            })
        });
        let (mut revision, mut number) = (start, 0);
        while revision - start < CHANGES && !readers.iter().any(|reader| reader.is_finished()) {
            for _ in 0..=number * 7 % AT_ONCE {
                change(&world, number);
                number += 1;
            }
            revision = mirror.catch_up().unwrap();
        }
        mirror.catch_up().unwrap();
        done.store(true, Ordering::SeqCst);
    });
    assert!(looks.load(Ordering::SeqCst) > 10);
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &settings).generate().unwrap();
    assert_eq!(world::files(&root), world::files(&rebuilt));
}
