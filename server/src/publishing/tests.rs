use std::io;
use std::time::Instant;

use generator::Retention;
use generator::tree::Failures;
use registry::Caller;
use registry::access::Credential;
use registry::journal::MemoryJournal;
use registry::ops::set_up::{SetUp, set_up};
use registry::private::Secret;

use super::backoff::Backoff;
use super::tree_writer::POLL;
use super::*;

#[test]
fn what_fails_is_tried_less_and_less_often() {
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
fn the_public_hears_of_documents_and_not_of_this_machine() {
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

#[test]
fn a_tree_that_fails_does_not_hold_up_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, b"in the way").unwrap();
    let journal = MemoryJournal::new();
    let registry = Arc::new(Registry::open(Arc::new(journal.clone())).unwrap());
    let (report, progress) = watch::channel(Progress::default());
    let (local, _) = LocalStore::open(&folder.path().join("data")).unwrap();
    let ticks = CounterTicks { interval: Duration::from_secs(5), batch: 50 };
    let settings =
        PublisherSettings { tree: TreeSettings::default(), ticks, search_retention: Retention::NONE };
    let mut writer = TreeWriter::new(
        (Arc::clone(&registry), Arc::new(local), Arc::default()),
        Some(Tree::at(file.join("public"))),
        settings,
        Arc::new(DocumentCache::new(0, true)),
        report,
    );
    let now = Instant::now();
    writer.look(now, false);
    assert!(progress.borrow().failure.is_some());

    let other_process = Registry::open(Arc::new(journal)).unwrap();
    let secret = Secret::generate().unwrap();
    let input = SetUp { admin: "admin".parse().unwrap(), digest: secret.digest(), prefix: secret.prefix() };
    let caller = Caller { credential: Credential::Operator { acting_as: None }, request: None };
    other_process.commit(&caller, |context| set_up(context, &input)).unwrap();
    writer.look(now, false);
    assert!(registry.authenticate(&Credential::Token(secret.digest())).is_ok());
    // The tree was left alone meanwhile, and is not once its time has come.
    assert_eq!(writer.backoff.pause, POLL);
    writer.look(now + POLL, false);
    assert_eq!(writer.backoff.pause, POLL * 2);
}

#[test]
fn a_tree_that_holds_all_is_served_before_the_index_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let registry = Arc::new(Registry::open(Arc::new(MemoryJournal::new())).unwrap());
    let secret = Secret::generate().unwrap();
    let input = SetUp { admin: "admin".parse().unwrap(), digest: secret.digest(), prefix: secret.prefix() };
    let caller = Caller { credential: Credential::Operator { acting_as: None }, request: None };
    registry.commit(&caller, |context| set_up(context, &input)).unwrap();
    let local = Arc::new(LocalStore::open(&folder.path().join("data")).unwrap().0);
    let start = || {
        let (report, progress) = watch::channel(Progress::default());
        let ticks = CounterTicks { interval: Duration::from_secs(5), batch: 50 };
        let settings =
            PublisherSettings { tree: TreeSettings::default(), ticks, search_retention: Retention::NONE };
        let search = Arc::new(SharedIndex::new(settings.tree.precompute));
        let of = (Arc::clone(&registry), Arc::clone(&local), Arc::clone(&search));
        let tree = Some(Tree::at(folder.path().join("public")));
        let mut writer = TreeWriter::new(of, tree, settings, Arc::new(DocumentCache::new(0, true)), report);
        writer.begin();
        (writer, search, progress)
    };
    let revision = registry.public().read().revision();
    for is_there in [false, true] {
        let (mut writer, search, progress) = start();
        assert_eq!(search.is_built(), !is_there, "a new tree needs it");
        let Progress { revision: held, was_up_to_date, failure } = progress.borrow().clone();
        assert_eq!((held, was_up_to_date, failure), (revision, true, None));
        // What goes on in the background makes it.
        writer.look(Instant::now(), false);
        assert!(search.is_built());
    }
}
