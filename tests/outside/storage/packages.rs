//! Packages in an object store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::harness::{
    CREDENTIALS, CommandOutput, ObjectStore, PostgresServer, ReceivedRequest, Registry, Reply, Skill,
    eventually,
};

/// A running registry with its packages in `store`.
fn registry(store: &ObjectStore) -> Registry {
    let mut registry = Registry::configured(&store.packages_settings());
    registry.start_with_variables(&CREDENTIALS);
    registry
}

fn command(registry: &Registry, arguments: &[&str]) -> CommandOutput {
    registry.command_with_variables(arguments, &CREDENTIALS)
}

/// The number of objects that are packages.
fn packages(store: &ObjectStore) -> usize {
    store.keys().iter().filter(|key| key.starts_with("packages/blobs/")).count()
}

fn is_put_of_package(asked: &ReceivedRequest) -> bool {
    asked.method == "PUT" && asked.path.contains("/packages/blobs/")
}

#[test]
fn registry_with_packages_in_a_bucket_answers_as_usual() {
    let store = ObjectStore::start();
    let mut registry = registry(&store);
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    registry.publish(Skill::named("bye").text("Bye.\n")).by(&admin).expect(201);
    assert_eq!(packages(&store), 2);
    assert!(!registry.data().join("blobs").exists(), "the data folder has none");
    let zip = registry.get("/api/v1/skills/global/hello/download").expect(200).body;
    registry.publish(Skill::named("hello")).version("1.0.1").by(&admin).expect(201);
    assert_eq!(packages(&store), 2, "the same content is stored once");
    assert!(command(&registry, &["journal", "check"]).ok().stdout.contains("is intact"));
    // A removed output folder is made again from the bucket.
    registry.stop();
    std::fs::remove_dir_all(registry.public()).unwrap();
    registry.start_with_variables(&CREDENTIALS);
    let again = eventually("the tree is there", || {
        Some(registry.get("/api/v1/skills/global/hello/versions/1.0.0/download"))
            .filter(|found| found.status == 200)
    });
    assert_eq!(again.body, zip);
    command(&registry, &["verify"]).ok();
}

#[test]
fn registry_starts_with_empty_folders_if_all_is_elsewhere() {
    let store = ObjectStore::start();
    let mut registry = Registry::configured(&store.packages_settings());
    let server = PostgresServer::shared();
    registry.use_database(Some((server.database().1, server)));
    registry.start_with_variables(&CREDENTIALS);
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    registry.kill();
    for folder in [registry.data(), registry.public()] {
        std::fs::remove_dir_all(folder).unwrap();
    }
    registry.start_with_variables(&CREDENTIALS);
    eventually("the package is there", || {
        (registry.get("/api/v1/skills/global/hello/download").status == 200).then_some(())
    });
    registry.publish(Skill::named("bye")).by(&admin).expect(201);
    command(&registry, &["verify"]).ok();
}

#[test]
fn store_that_is_away_refuses_publications_and_costs_no_read() {
    let store = ObjectStore::start();
    let registry = registry(&store);
    let admin = registry.admin();
    registry.publish(Skill::named("before")).by(&admin).expect(201);
    for status in [500, 503, 403] {
        store.fail(move |_| Some(Reply::status(status)));
        let name = format!("while-{status}");
        let refused = registry.publish(Skill::named(&name)).by(&admin).expect(503);
        assert!(refused.header("retry-after").is_some(), "{refused}");
        let problem = refused.json();
        assert!(problem["detail"].as_str().unwrap().contains("storage fails"), "{problem}");
        let ready = registry.get("/readyz").expect(503).json();
        let detail = ready["detail"].as_str().unwrap();
        assert!(detail.contains("The object store of the packages accepts no writes"), "{ready}");
        registry.get("/api/v1/skills/global/before/download").expect(200);
        registry.get("/api/v1/skills").expect(200);
        store.mend();
        eventually("the server is ready again", || (registry.get("/readyz").status == 200).then_some(()));
        registry.publish(Skill::named(&name)).by(&admin).expect(201);
    }
}

#[test]
fn kill_during_a_put_leaves_nothing_that_is_published() {
    let store = ObjectStore::start();
    let mut registry = registry(&store);
    let admin = registry.admin();
    let is_held = Arc::new(AtomicBool::new(false));
    let held = Arc::clone(&is_held);
    store.fail(move |asked| {
        is_put_of_package(asked).then(|| {
            held.store(true, Ordering::SeqCst);
            Reply::status(500)
        })
    });
    std::thread::scope(|threads| {
        let client = registry.as_user(&admin);
        let publish = registry.publish(Skill::named("hello"));
        threads.spawn(move || publish.try_through(&client).ok());
        eventually("the package is sent", || is_held.load(Ordering::SeqCst).then_some(()));
        registry.process().kill();
    });
    registry.kill();
    store.mend();
    registry.start_with_variables(&CREDENTIALS);
    registry.get("/api/v1/skills/global/hello").expect(404);
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    assert!(command(&registry, &["journal", "check"]).ok().stdout.contains("is intact"));
}

#[test]
fn gc_removes_only_unused_packages_while_servers_run() {
    let store = ObjectStore::start();
    let registry = registry(&store);
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    let stray = "packages/blobs/".to_owned() + &"0".repeat(64) + "/" + &"0".repeat(32);
    store.set_object(&stray, b"of an abandoned publication");
    let spared = command(&registry, &["gc", "--older-than", "1h"]).ok();
    assert!(spared.stdout.contains("nothing to remove"), "{spared:?}");
    let removed = command(&registry, &["gc", "--older-than", "0"]).ok();
    assert!(removed.stdout.contains("removed 1 unused package (27 bytes)"), "{removed:?}");
    assert_eq!(packages(&store), 1);
    assert!(command(&registry, &["journal", "check"]).ok().stdout.contains("is intact"));
}

#[test]
fn bucket_of_another_registry_is_refused() {
    let store = ObjectStore::start();
    let one = registry(&store);
    one.publish(Skill::named("hello")).by(&one.admin()).expect(201);
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let new = Registry::configured(&store.packages_settings());
    let refused = command(&new, &serve);
    assert!(refused.code == 1 && refused.stderr.contains("the journal is empty but"), "{refused:?}");
    let mut other = Registry::configured("listen = 0\n");
    other.restart();
    other.stop();
    other.write("config.toml", store.packages_settings().as_bytes());
    let refused = command(&other, &serve);
    assert!(refused.code == 1 && refused.stderr.contains("packages of another registry"), "{refused:?}");
    let tree = format!("{}[mirror]\ntarget = \"s3://skills/packages/tree\"\n", store.packages_settings());
    let refused = command(&Registry::configured(&tree), &serve);
    assert!(refused.code == 1 && refused.stderr.contains("overlap"), "{refused:?}");
}

#[test]
fn packages_move_to_a_bucket_and_back() {
    let store = ObjectStore::start();
    let settings = store.packages_settings();
    let in_folder = settings.replace("packages = \"s3://skills/packages\"\n", "");
    let mut registry = Registry::configured(&in_folder);
    registry.start_with_variables(&CREDENTIALS);
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    let data = registry.data().display().to_string();
    let copy = ["journal", "copy", "--packages", "--from", &data, "--to", "s3://skills/packages"];
    registry.write("config.toml", settings.as_bytes());
    let early = command(&registry, &["gc"]);
    assert!(early.code == 1 && early.stderr.contains("journal copy --packages"), "{early:?}");
    registry.write("config.toml", in_folder.as_bytes());
    // The server goes on meanwhile.
    assert!(command(&registry, &copy).ok().stdout.contains("copied 1 package;"));
    registry.publish(Skill::named("later").text("Later.\n")).by(&admin).expect(201);
    registry.stop();
    assert!(command(&registry, &copy).ok().stdout.contains("copied 2 packages"));
    assert_eq!(packages(&store), 2);
    std::fs::rename(registry.data().join("blobs"), registry.folder().join("old")).unwrap();
    registry.write("config.toml", settings.as_bytes());
    registry.start_with_variables(&CREDENTIALS);
    registry.publish(Skill::named("in-bucket").text("There.\n")).by(&admin).expect(201);
    let file = registry.folder().join("backup.zip").display().to_string();
    let written = command(&registry, &["journal", "backup", &file]).ok();
    assert!(written.stdout.contains("packages (3)"), "a backup has the packages: {written:?}");
    registry.stop();
    let refused = command(&registry, &["journal", "restore", &file]);
    assert!(refused.code == 1 && refused.stderr.contains("the packages are in"), "{refused:?}");
    let back = ["journal", "copy", "--packages", "--from", "s3://skills/packages", "--to", &data];
    command(&registry, &back).ok();
    registry.write("config.toml", in_folder.as_bytes());
    assert!(command(&registry, &["journal", "check"]).ok().stdout.contains("is intact"));
    command(&registry, &["verify"]).ok();
}
