//! A document is written after all documents that it refers to.
#![allow(clippy::unwrap_used, reason = "a test says no by panicking")]

mod world;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use generator::TreePublisher;
use generator::address::{Document, Tier, documents, stages};
use generator::render::RenderContext;
use generator::settings::TreeSettings;
use generator::tree::{Tree, TreeObserver, Written};
use world::references::{Reference, references};
use world::{Change, KEEP, Step, World, files, with_public_url};

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

impl TreeObserver for Follower {
    fn replaced(&self, document: &Document, written: Written<'_>) {
        for Reference { file, is_next } in references(document, written.bytes, &self.settings) {
            let exists = self.root.join(&file).exists();
            assert!(exists, "{document:?} refers to {file}, which is not written yet");
            let count = if is_next { &self.lists } else { &self.links };
            count.fetch_add(1, Ordering::Relaxed);
        }
        if matches!(document, Document::SkillList(_)) {
            (self.meanwhile)(&self.world, self.lists.load(Ordering::Relaxed));
        }
    }

    fn stored(&self, _: &Document) {}

    fn removed(&self, _: &Document) {}

    fn invalidated(&self) {}
}

/// A publisher whose documents are checked, in an empty folder.
fn followed(root: &Path, meanwhile: fn(&World, usize)) -> (Arc<World>, Arc<Follower>, TreePublisher) {
    let settings = TreeSettings { git: true, list_depth: 10, ..with_public_url() };
    let world = Arc::new(World::new());
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
    let (world, follower, mut publisher) = followed(&root, |world, lists| {
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
        publisher.catch_up_with(&mut |progress| own.push(Some(progress))).unwrap();
    }
    while publisher.is_behind() && rounds < 1000 {
        publisher.catch_up().unwrap();
        rounds += 1;
    }
    let own: Vec<_> = own.into_iter().flatten().map(|progress| progress.revision).collect();
    assert!(own.is_sorted() && own.len() > 40, "{own:?}");
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &follower.settings).catch_up().unwrap();
    assert_eq!(files(&root), files(&rebuilt));
}

/// Others do not wait for changes of many skills or versions, and everything is as after a rebuild.
#[test]
fn publication_is_shown_before_changes_of_many_skills() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let (world, follower, mut publisher) = followed(&root, |_, _| {});
    let revision = || world.registry.public().read().revision();
    for number in 0..40 {
        world.publish("team1", number, (0, false), None);
        world.publish("team2", 0, (number, false), None);
    }
    let many_versions = "team2--s0".parse().unwrap();
    world.change(&many_versions, &Change::Remove);
    publisher.catch_up().unwrap();
    let late: Vec<_> = [0, 1, 2]
        .map(|step| {
            match step {
                0 => world.step(&Step::Rename { handle: 0, name: "Another name".into() }),
                1 => world.change(&many_versions, &Change::Restore),
                // Its list names versions that are not written yet.
                _ => world.publish("team2", 0, (40, false), None),
            }
            revision()
        })
        .into();
    world.publish("team3", 0, (0, false), None);
    let published = revision();
    let own = publisher.write_own_documents().unwrap().unwrap();
    assert!(own.shows(published) && !own.shows_all(published));
    assert!(late.iter().all(|late| !own.shows(*late)), "{own:?} {late:?}");
    assert!(root.join("api/v1/skills/team3/s0.json").exists());
    assert!(!root.join("api/v1/skills/team2/s0.json").exists());
    let mut reports = Vec::new();
    publisher.catch_up_with(&mut |own| reports.push(own)).unwrap();
    assert!(reports.iter().all(|own| own.shows(published)));
    let own = publisher.write_own_documents().unwrap().unwrap();
    assert!(own.shows_all(published), "{own:?}");
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &follower.settings).catch_up().unwrap();
    assert_eq!(files(&root), files(&rebuilt));
}

/// The documents of a skill itself show the newest state, even if they were to show new counters first.
#[test]
fn counters_do_not_undo_a_publication() {
    let folder = tempfile::tempdir().unwrap();
    let settings = with_public_url();
    let world = World::new();
    let (public, skill) = (world.registry.public(), "team1--s0".parse().unwrap());
    world.publish("team1", 0, (0, false), None);
    let mut publisher = world.mirror(&folder.path().join("public"), &settings);
    publisher.catch_up().unwrap();
    world.change(&skill, &Change::Star);
    world.registry.publish_counters(&world.local, 9).unwrap();
    let mut reports = 0;
    publisher
        .catch_up_with(&mut |_| {
            assert!(public.try_write().is_some(), "nothing can happen meanwhile");
            reports += 1;
            // The first report comes before the new counters are read, this one after that.
            if reports == 2 {
                world.publish("team1", 0, (1, false), None);
            }
        })
        .unwrap();
    assert!(reports > 2, "nothing happened meanwhile");
    publisher.catch_up().unwrap();
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &settings).catch_up().unwrap();
    let (kept, rebuilt) = (files(&folder.path().join("public")), files(&rebuilt));
    let differ: Vec<_> = rebuilt.iter().filter(|(path, file)| kept.get(*path) != Some(*file)).collect();
    assert_eq!((differ, kept.len()), (Vec::new(), rebuilt.len()));
}

/// They are written before a publication is answered.
#[test]
fn new_skill_has_at_most_20_documents_of_its_own() {
    let (settings, world) = (with_public_url(), World::new());
    world.publish("team1", 0, (0, false), Some(0));
    let sources = world.sources();
    let catalog = sources.public.read();
    let (search, store) = (&*sources.search, &*sources.store);
    let context =
        RenderContext { catalog: &catalog, search, store, settings: &settings, signing: &sources.signing };
    let own = stages().into_iter().filter(|stage| stage.tier() == Tier::Own);
    let own: Vec<_> = own.flat_map(|stage| documents(context, stage)).collect();
    let own: Vec<_> = own.iter().filter(|document| !matches!(document, Document::Asset(_))).collect();
    assert!((10..=20).contains(&own.len()), "{own:#?}");
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
    assert!(followed.iter().all(|count| *count > 400), "{followed:?}");
}
