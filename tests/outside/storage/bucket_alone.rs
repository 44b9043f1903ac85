//! A registry whose rows and packages are in a bucket, without a database.

use std::fs;

use crate::harness::{CREDENTIALS, ObjectStore, PASSWORD, Registry, Reply, Skill, eventually};

fn registry() -> Registry {
    let mut registry = Registry::in_bucket();
    registry.restart();
    registry
}

/// The keys of the journal's rows.
fn rows(registry: &Registry) -> Vec<String> {
    registry.bucket().keys().into_iter().filter(|key| key.contains("/journal/journal/")).collect()
}

#[test]
fn registry_in_a_bucket_starts_with_empty_folders() {
    let mut registry = registry();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    registry.user_with_password("ann", PASSWORD);
    assert!(!registry.data().join("journal.sqlite").exists() && !registry.data().join("blobs").exists());
    assert!(registry.command(["journal", "check"]).ok().stdout.contains("is intact"));
    registry.kill();
    for folder in [registry.data(), registry.public()] {
        fs::remove_dir_all(folder).unwrap();
    }
    registry.restart();
    eventually("the tree is there", || {
        (registry.get("/api/v1/skills/global/hello/download").status == 200).then_some(())
    });
    registry.publish(Skill::named("bye")).by(&admin).expect(201);
    registry.command(["verify"]).ok();
    registry.command(["upgrade", "--check"]).ok();
    // Passwords were in the data folder.
    registry.anonymous().log_in("ann", PASSWORD).expect(401);
}

#[test]
fn servers_with_one_bucket_have_one_history() {
    let first = registry();
    let mut second = Registry::not_started();
    first.share_storage(&mut second);
    second.restart();
    let admin = first.admin();
    std::thread::scope(|threads| {
        for (name, registry) in [("one", &first), ("two", &second)] {
            let (admin, first) = (&admin, &first);
            threads.spawn(move || {
                for number in 0..8 {
                    let slug = format!("skill-{name}-{number}");
                    let publish = first.publish(Skill::named(&slug));
                    publish.try_through(&registry.anonymous().as_user(admin)).unwrap().expect(201);
                }
            });
        }
    });
    for registry in [&first, &second] {
        eventually("it has all", || (registry.read("/api/v1/skills")["total"] == 16).then_some(()));
        registry.command(["verify"]).ok();
    }
    assert!(first.command(["journal", "check"]).ok().stdout.contains("is intact"));
}

#[test]
fn store_that_is_away_refuses_writes_and_costs_no_read() {
    let registry = registry();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    registry.bucket().fail(|_| Some(Reply::status(503)));
    let refused = registry.publish(Skill::named("bye")).by(&admin);
    assert!(refused.status == 503 && refused.header("retry-after").is_some(), "{refused}");
    registry.get("/api/v1/skills/global/hello").expect(200);
    eventually("it says so", || {
        let ready = registry.get("/readyz");
        (ready.status == 503).then_some(())
    });
    registry.bucket().mend();
    eventually("it takes writes again", || {
        (registry.publish(Skill::named("bye")).by(&admin).status == 201).then_some(())
    });
    assert!(registry.command(["journal", "check"]).ok().stdout.contains("is intact"));
}

#[test]
fn row_whose_answer_is_lost_is_stored_once() {
    let registry = registry();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    let before = rows(&registry).len();
    registry.bucket().lose_answer("/journal/journal/");
    registry.publish(Skill::named("bye")).by(&admin).expect(201);
    assert_eq!(rows(&registry).len(), before + 1);
    assert!(registry.command(["journal", "check"]).ok().stdout.contains("is intact"));
}

#[test]
fn store_that_overwrites_is_refused() {
    let store = ObjectStore::overwriting();
    let config = format!(
        "listen = 0\n[storage]\njournal = \"s3://skills/journal\"\npackages = \"s3://skills/packages\"\nendpoint = \"{}\"\nregion = \"eu\"\n",
        store.base()
    );
    let registry = Registry::configured(&config);
    let said = registry.command_with_variables(["serve"], &CREDENTIALS);
    assert!(said.code == 1 && said.stderr.contains("ignores conditional puts"), "{said:?}");
}

#[test]
fn registry_moves_into_a_bucket_and_back() {
    let mut registry = Registry::not_started();
    registry.use_database(None);
    registry.restart();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    registry.user_with_password("ann", PASSWORD);
    let epoch = registry.read("/api/v1/mirror/head.json")["epoch"].clone();
    registry.stop();
    let folder = registry.data().display().to_string();
    // The bucket of another registry lends its settings.
    let bucket = Registry::in_bucket();
    let (journal, packages) = (
        bucket.storage_setting("SKILLMIRROR_STORAGE_JOURNAL"),
        bucket.storage_setting("SKILLMIRROR_STORAGE_PACKAGES"),
    );
    bucket.share_storage(&mut registry);
    let copied = registry.command(["journal", "copy", "--from", &folder, "--to", &journal]).ok();
    assert!(copied.stdout.contains("each matches its digest"), "{copied:?}");
    let unfinished = registry.command(["serve"]);
    assert!(unfinished.code == 1 && unfinished.stderr.contains("unfinished copy"), "{unfinished:?}");
    registry.command(["journal", "copy", "--from", &folder, "--to", &journal, "--finish"]).ok();
    registry.command(["journal", "copy", "--packages", "--from", &folder, "--to", &packages]).ok();
    for moved in ["journal.sqlite", "blobs"] {
        fs::rename(registry.data().join(moved), registry.folder().join(moved)).unwrap();
    }
    registry.restart();
    assert_eq!(registry.read("/api/v1/mirror/head.json")["epoch"], epoch);
    registry.anonymous().log_in("ann", PASSWORD).expect(200);
    registry.publish(Skill::named("bye")).by(&admin).expect(201);
    let backup = registry.folder().join("backup.zip").display().to_string();
    let written = registry.command(["journal", "backup", &backup]).ok();
    assert!(written.stdout.contains("packages (2)"), "{written:?}");
    registry.stop();
    // Back, from the backup.
    registry.use_database(None);
    registry.command(["journal", "restore", &backup]).ok();
    registry.restart();
    assert_eq!(registry.read("/api/v1/skills")["total"], 2);
    registry.command(["verify"]).ok();
}
