use std::io;
use std::path::Path;
use std::time::Instant;

use generator::tree::Failures;
use generator::{Retention, Signing};
use registry::Caller;
use registry::access::Credential;
use registry::journal::MemoryJournal;
use registry::names::Digest;
use registry::ops::set_up::{SetUp, set_up};
use registry::private::Secret;

use super::backoff::Backoff;
use super::backoff::POLL_INTERVAL;
use super::tree_writer::turn::Turn;
use super::*;

#[test]
fn repeated_failure_doubles_the_pause_up_to_its_limit() {
    let start = Instant::now();
    let mut backoff = Backoff::default();
    assert!(backoff.is_over(start));
    let mut pauses = Vec::new();
    for _ in 0..8 {
        backoff.failed(start);
        assert!(!backoff.is_over(start + backoff.pause - Duration::from_nanos(1)));
        assert!(backoff.is_over(start + backoff.pause));
        pauses.push(backoff.pause.as_millis());
    }
    assert_eq!(pauses, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
}

#[test]
fn public_failure_names_documents_but_not_the_machine() {
    let reason = || io::Error::other("/srv/secret: no space left");
    let files = |count| (0..count).map(|n| (format!("{n}.json"), reason())).collect();
    let public = |error: TreeError| Failure::from(&error).public;
    let few = public(Failures(files(2)).into());
    assert_eq!(few, "these documents cannot be written: 0.json, 1.json");
    let many = public(Failures(files(7)).into());
    assert!(many.ends_with("4.json and 2 more"), "{many}");
    for text in [few, many, public(reason().into())] {
        assert!(!text.contains("secret") && !text.contains("space"), "{text}");
    }
    assert!(Failure::from(&TreeError::from(reason())).logged.contains("no space left"));
}

fn parts(folder: &Path, journal: MemoryJournal, tree: Tree) -> PublisherParts {
    let ticks = CounterTicks { interval: Duration::from_secs(5), batch: 50 };
    let settings = PublisherSettings {
        tree: TreeSettings::default(),
        signing: Signing::Unsigned,
        ticks,
        lists_interval: Duration::from_secs(1),
        search_retention: Retention::NONE,
        target: None,
        purger: None,
        progress: generator::WorkProgress::default(),
        replaces_tree: false,
    };
    PublisherParts {
        registry: Arc::new(Registry::open(Arc::new(journal)).unwrap()),
        local: Arc::new(LocalStore::open(&folder.join("data")).unwrap().0),
        search: Arc::new(SharedIndex::new(settings.tree.precompute)),
        tree: Some(tree),
        documents: Arc::new(DocumentCache::new(0, true)),
        settings,
    }
}

/// Sets up a registry and returns its admin's token.
fn set_up_registry(registry: &Registry) -> Digest {
    let secret = Secret::generate().unwrap();
    let input = SetUp { admin: "admin".parse().unwrap(), digest: secret.digest(), prefix: secret.prefix() };
    let caller = Caller { credential: Credential::Operator { acting_as: None }, request: None };
    registry.commit(&caller, |context| set_up(context, &input)).unwrap();
    secret.digest()
}

#[test]
fn failing_tree_does_not_stop_reading_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, b"in the way").unwrap();
    let journal = MemoryJournal::new();
    let parts = parts(folder.path(), journal.clone(), Tree::at(file.join("public")));
    let registry = Arc::clone(&parts.registry);
    let (report, progress) = watch::channel(Progress::default());
    let mut writer = TreeWriter::new(parts, report, Arc::default(), Arc::default());
    let now = Instant::now();
    writer.update(now, false);
    assert!(progress.borrow().failure.is_some());

    let other_process = Registry::open(Arc::new(journal)).unwrap();
    let token = set_up_registry(&other_process);
    writer.update(now, false);
    assert!(registry.authenticate(&Credential::Token(token)).is_ok());
    // No second attempt at the tree before the pause is over.
    assert_eq!(writer.backoff.pause, POLL_INTERVAL);
    writer.update(now + POLL_INTERVAL, false);
    assert_eq!(writer.backoff.pause, POLL_INTERVAL * 2);
}

#[test]
fn up_to_date_tree_is_served_before_the_index_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let journal = MemoryJournal::new();
    let registry = Registry::open(Arc::new(journal.clone())).unwrap();
    set_up_registry(&registry);
    let revision = registry.public().read().revision();
    for is_up_to_date in [false, true] {
        let (report, progress) = watch::channel(Progress::default());
        let tree = Tree::at(folder.path().join("public"));
        let parts = parts(folder.path(), journal.clone(), tree);
        let search = Arc::clone(&parts.search);
        let mut writer = TreeWriter::new(parts, report, Arc::default(), Arc::default());
        writer.prepare();
        assert_eq!(search.is_built(), !is_up_to_date, "a new tree needs the index");
        let Progress { revision: held, was_up_to_date, failure, .. } = progress.borrow().clone();
        assert_eq!((held, was_up_to_date, failure), (revision, true, None));
        writer.update(Instant::now(), false);
        assert!(search.is_built());
    }
}

#[test]
fn one_turn_serves_all_wakes_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let journal = MemoryJournal::new();
    let parts = parts(folder.path(), journal.clone(), Tree::at(folder.path().join("public")));
    let (report, _progress) = watch::channel(Progress::default());
    let mut writer = TreeWriter::new(parts, report, Arc::default(), Arc::default());
    let (wake, wakes) = mpsc::channel();
    let mut turn = |reasons: &[Wake]| {
        reasons.iter().for_each(|reason| wake.send(*reason).unwrap());
        writer.next_turn(&wakes, Instant::now())
    };
    assert_eq!(turn(&[Wake::Look, Wake::Write(Tiers::All), Wake::Write(Tiers::Own)]), Turn::All);
    assert_eq!(turn(&[Wake::Write(Tiers::Own), Wake::Look]), Turn::Own);
    assert_eq!(turn(&[Wake::Look]), Turn::Quiet, "there is nothing new");
    set_up_registry(&Registry::open(Arc::new(journal)).unwrap());
    assert_eq!(turn(&[]), Turn::Own, "rows of another process");
    drop(wake);
    assert_eq!(writer.next_turn(&wakes, Instant::now()), Turn::Last);
}
