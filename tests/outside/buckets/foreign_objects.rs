//! Objects of somebody else below the prefix of a bucket: they stay.

use super::{failure, log};
use crate::harness::{CREDENTIALS, ObjectStore, Registry, Skill, eventually};

/// Keys of other programs. Some could be those of documents.
const FOREIGN: [&str; 6] = [
    "photos/1.jpg",
    "photos/2.jpg",
    "blog/post/index.html",
    "api/v1/skills/team/mine.json",
    "backup.tar.gz",
    "other/journal/0001.json",
];

fn put_foreign(store: &ObjectStore) {
    FOREIGN.iter().for_each(|key| store.set(key, b"mine"));
}

/// All of them have their bytes.
#[track_caller]
fn assert_left(store: &ObjectStore) {
    let objects = store.objects();
    for key in FOREIGN {
        assert_eq!(objects.get(key).map(|object| &object.bytes[..]), Some(&b"mine"[..]), "{key}");
    }
}

#[test]
fn bucket_with_objects_of_somebody_else_is_refused_by_each_command() {
    let store = ObjectStore::start();
    put_foreign(&store);
    let registry = Registry::configured(&store.settings());
    registry.write("hello.zip", &Skill::named("hello").zip());
    registry.command(["import", "--init", "hello.zip"]).ok();
    let source = Registry::start();
    let feed = source.public().to_str().unwrap().to_owned();
    let mirror = Registry::configured(&store.settings());
    for (registry, command) in [
        (&registry, &["serve", "--listen", "127.0.0.1:0"][..]),
        (&registry, &["generate"]),
        (&registry, &["watch"]),
        (&mirror, &["watch", "--feed", &feed]),
    ] {
        let said = registry.command_with_variables(command, &CREDENTIALS);
        assert_eq!(said.code, 1, "{command:?}: {said:?}");
        for words in [
            "s3://skills/tree has 6 objects of somebody else",
            "mirror.target",
            "--replace-tree",
            "backup.tar.gz",
        ] {
            assert!(said.stderr.contains(words), "{command:?} {words}: {said:?}");
        }
    }
    assert!(store.put().iter().all(|key| FOREIGN.contains(&key.as_str())), "{:?}", store.put());
    assert_eq!(store.keys().len(), FOREIGN.len(), "nothing was written");
    let said = registry.command_with_variables(["generate", "--replace-tree"], &CREDENTIALS).ok();
    assert!(said.printed().contains("s3://skills/tree is up to date"), "{said:?}");
    // Those with the key of a document, too: it may be one that was removed.
    assert!(said.printed().contains("; 6 that no registry has put stay"), "{said:?}");
    assert!(store.objects().contains_key("api/v1/skills/global/hello"));
    assert_left(&store);
    // The registry owns it now.
    registry.command_with_variables(["generate"], &CREDENTIALS).ok();
    assert_left(&store);
}

#[test]
fn objects_that_come_later_stay_through_starts_and_repairs() {
    let store = ObjectStore::start();
    let mut registry = store.registry();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    registry.publish(Skill::named("gone")).by(&admin).expect(201);
    store.settled(&registry);
    put_foreign(&store);
    // Another registry has taken a prefix below this one.
    let settings = store.settings().replace("s3://skills/tree", "s3://skills/tree/team");
    let mut below = Registry::configured(&settings);
    below.start_with_variables(&CREDENTIALS);
    below.publish(Skill::named("theirs")).by(&below.admin()).expect(201);
    below.stop();
    let of_team =
        |store: &ObjectStore| store.keys().iter().filter(|key| key.starts_with("tree/team/")).count();
    let count = of_team(&store);
    assert!(count > 50, "{:?}", store.keys());
    registry.remove("global/gone", &admin).expect(204);
    store.settled(&registry);
    registry.process().hang_up();
    eventually("they are seen", || log(&registry).contains("no registry has put").then_some(()));
    registry.stop();
    // Nothing is known of any object now.
    std::fs::remove_file(registry.folder().join("public.state/bucket.sqlite")).unwrap();
    store.set("api/v1/skills/global/hello.json", b"{}");
    registry.start_with_variables(&CREDENTIALS);
    store.settled(&registry);
    assert_left(&store);
    assert_eq!(of_team(&store), count);
    let objects = store.objects();
    assert!(
        objects["api/v1/skills/global/hello.json"].bytes != b"{}",
        "the objects of documents are repaired"
    );
    assert!(
        !objects.contains_key("api/v1/skills/global/gone"),
        "the objects of removed documents are deleted"
    );
}

/// A store that cannot be reached at the start is asked again, and what it says is public.
#[test]
fn refused_bucket_names_no_key_in_public() {
    let store = ObjectStore::start();
    put_foreign(&store);
    store.fail(|_| Some(crate::harness::Reply::status(403)));
    let registry = store.registry();
    store.mend();
    let failure =
        eventually("it is refused", || failure(&registry).filter(|why| why.contains("somebody else")));
    assert!(!failure.contains("photos") && !failure.contains("api/v1"), "{failure}");
    assert!(log(&registry).contains("photos/1.jpg") || log(&registry).contains("backup.tar.gz"));
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    assert_eq!(store.objects().len(), FOREIGN.len());
    assert_left(&store);
}
