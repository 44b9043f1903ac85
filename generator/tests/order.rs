//! A document is written after all documents that it refers to.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use generator::TreePublisher;
use generator::address::{Document, SkillList, WebPage, locate};
use generator::settings::TreeSettings;
use generator::tree::{Tree, TreeObserver, Written};
use serde_json::Value;
use world::{Change, KEEP, World, files};

/// Checks the references of each document as soon as it is in place.
#[derive(Debug)]
struct Follower {
    root: PathBuf,
    settings: TreeSettings,
    lists: AtomicUsize,
    links: AtomicUsize,
    /// Called when a list was written.
    meanwhile: fn(&World, usize),
    world: Arc<World>,
}

impl Follower {
    fn assert_exists(&self, target: &Document, from: &Document) {
        let file = target.file().unwrap();
        assert!(self.root.join(&file).exists(), "{from:?} refers to {file}, which is not written yet");
    }

    /// A list's total implies its next page.
    fn list(
        &self,
        (document, next): (&Document, &Document),
        (page, size, depth): (u64, u64, u64),
        bytes: &[u8],
    ) {
        let list: Value = serde_json::from_slice(bytes).unwrap();
        if list["total"].as_u64().unwrap() > page * size && page < depth {
            self.assert_exists(next, document);
            self.lists.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Checks all links of a page to files of the tree.
    fn page(&self, document: &Document, page: &WebPage, html: &str) {
        let file = format!("/{}", document.file().unwrap());
        let folder = file.strip_suffix("index.html").unwrap();
        for link in html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let path = link.split(['#', '?']).next().unwrap();
            if path.is_empty() || path.contains(':') {
                continue;
            }
            let target = locate(&resolve(folder, path), "").unwrap_or_else(|why| panic!("{link}: {why:?}"));
            let Some(target) = target else { panic!("{document:?} links to {link}, which is no document") };
            // Back links of a new skill's page may come later.
            let leads_back = |target: &WebPage| match page {
                WebPage::Skill(_) => !matches!(target, WebPage::Skill(_)),
                WebPage::Namespace(_, number) => {
                    matches!(target, WebPage::Namespace(_, other) if other < number)
                }
                _ => false,
            };
            let leads_back =
                matches!(&target, Document::Page(target) if leads_back(target) || *target == WebPage::Home);
            if !leads_back {
                self.assert_exists(&target, document);
                self.links.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// The manifest ends with the name of a piece.
    fn manifest(&self, bytes: &[u8]) {
        let name: String = bytes[bytes.len() - 8..].iter().map(|byte| format!("{byte:02x}")).collect();
        let piece = self.root.join(format!("api/v1/search/_index/{name}.bin"));
        assert!(piece.exists(), "the manifest names {name}, which is not written yet");
    }
}

/// Resolves a link of a folder's page.
fn resolve(folder: &str, link: &str) -> String {
    let mut path: Vec<_> = match link.starts_with('/') {
        true => Vec::new(),
        false => folder.trim_matches('/').split('/').filter(|name| !name.is_empty()).collect(),
    };
    for step in link.trim_start_matches('/').split('/') {
        match step {
            "." | "" => {}
            ".." => drop(path.pop()),
            name => path.push(name),
        }
    }
    let is_folder = link.ends_with('/') || link.ends_with('.');
    let end = if is_folder && !path.is_empty() { "/" } else { "" };
    format!("/{}{end}", path.join("/"))
}

impl TreeObserver for Follower {
    fn replaced(&self, document: &Document, written: Written<'_>) {
        let bytes = written.bytes;
        match document {
            Document::SkillList(list) => {
                let next = Document::SkillList(SkillList { page: list.page + 1, ..list.clone() });
                let depth = self.settings.depth_of(list.sort);
                self.list((document, &next), (list.page, list.size, depth), bytes);
                (self.meanwhile)(&self.world, self.lists.load(Ordering::Relaxed));
            }
            Document::NamespaceList { page, size } => {
                let next = Document::NamespaceList { page: page + 1, size: *size };
                self.list((document, &next), (*page, *size, self.settings.list_depth), bytes);
            }
            Document::SearchManifest => self.manifest(bytes),
            Document::Page(WebPage::Missing) => {}
            Document::Page(page) => self.page(document, page, std::str::from_utf8(bytes).unwrap()),
            _ => {}
        }
    }

    fn removed(&self, _: &Document) {}

    fn invalidated(&self) {}
}

/// A publisher whose documents are checked, in an empty folder.
fn followed(root: &Path, meanwhile: fn(&World, usize)) -> (Arc<World>, Arc<Follower>, TreePublisher) {
    let (settings, world) = (TreeSettings::default(), Arc::new(World::new()));
    let follower = Arc::new(Follower {
        root: root.to_owned(),
        settings: settings.clone(),
        lists: AtomicUsize::new(0),
        links: AtomicUsize::new(0),
        meanwhile,
        world: Arc::clone(&world),
    });
    let tree = Tree::at(root).lock().unwrap().unwrap();
    let tree = tree.with_observer(Arc::clone(&follower) as Arc<dyn TreeObserver>);
    let publisher = TreePublisher::new(world.sources(), settings, tree, KEEP);
    (world, follower, publisher)
}

#[test]
fn documents_refer_only_to_written_ones_while_skills_change() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let (world, _, mut publisher) = followed(&root, |world, lists| {
        let number = lists as u8;
        match lists % 40 {
            0 => world.publish("team1", number, (lists as u8 % 5, false), Some(0)),
            9 => world.publish("global", number, (0, false), None),
            17 => world.change(&format!("team1--s{}", number % 40).parse().unwrap(), &Change::Remove),
            25 => world.change(&format!("team1--s{}", number % 40).parse().unwrap(), &Change::Restore),
            _ => {}
        }
    });
    publisher.catch_up().unwrap();
    let (mut own, mut rounds) = (Vec::new(), 0);
    for slug in 0..40 {
        world.publish("team1", slug, (0, false), None);
        own.push(publisher.write_own_documents().unwrap());
        publisher.catch_up_with(&mut |revision| own.push(Some(revision))).unwrap();
    }
    while publisher.is_behind() && rounds < 1000 {
        publisher.catch_up().unwrap();
        rounds += 1;
    }
    let own: Vec<_> = own.into_iter().flatten().collect();
    assert!(own.is_sorted() && own.len() > 40, "{own:?}");
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &TreeSettings::default()).catch_up().unwrap();
    assert_eq!(files(&root), files(&rebuilt));
}

#[test]
fn documents_refer_only_to_written_ones() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let (world, follower, mut mirror) = followed(&root, |_, _| {});
    mirror.catch_up().unwrap();
    // Lists and pages get second and third pages, and namespaces are created.
    for (number, slug) in (0..=u8::MAX).enumerate() {
        world.publish(["team1", "team2", "team3"][number / 110], slug, (0, false), Some(0));
        if number.is_multiple_of(7) || number % 20 < 2 {
            mirror.catch_up().unwrap();
        }
    }
    mirror.catch_up().unwrap();
    let followed = [&follower.lists, &follower.links].map(|count| count.load(Ordering::Relaxed));
    assert!(followed.iter().all(|count| *count > 500), "{followed:?}");
}
