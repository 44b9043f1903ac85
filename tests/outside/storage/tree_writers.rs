//! Several servers whose trees one bucket follows: one of them writes it at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::harness::{
    CREDENTIALS, Client, ObjectStore, PostgresServer, ReceivedRequest, Registry, ServerProcess, Skill, User,
    eventually, skill_path,
};
use crate::outside::buckets::difference_from;

/// Two servers with the same settings, each with a tree of its own. The first one writes the bucket.
struct Servers {
    store: ObjectStore,
    first: Registry,
    second: ServerProcess,
    second_tree: PathBuf,
    admin: User,
}

impl Servers {
    fn start() -> Self {
        let store = ObjectStore::start();
        let mut first = Registry::configured(&format!("{}[metrics]\nlisten = 0\n", store.settings()));
        let database = PostgresServer::shared();
        first.use_database(Some((database.database().1, database)));
        first.start_with_variables(&CREDENTIALS);
        let admin = first.admin();
        settled(&first.anonymous());
        // What is put from now on is newer than the owner of the bucket.
        store.age(60);
        let second_tree = first.folder().join("second");
        let [data, public, config] = [first.data(), second_tree.clone(), first.folder().join("config.toml")]
            .map(|path| path.to_str().unwrap().to_owned());
        let arguments = ["serve", "--data", &data, "--public", &public, "--config", &config];
        let second = first.start_other_with_variables(&arguments, &CREDENTIALS);
        Self { store, first, second, second_tree, admin }
    }

    fn publish(&self, slug: &str, through: &Client) {
        let publish = self.first.publish(Skill::named(slug));
        publish.try_through(&through.as_user(&self.admin)).unwrap().expect(201);
    }

    /// The bucket is what the tree in a folder is, and what a regeneration makes. Trees of several servers
    /// may differ in expired pieces of the search index, so the folder is the writer's.
    #[track_caller]
    fn assert_equal(&self, public: &Path) {
        assert_eq!(difference_from(&self.store, public), None, "the object of this key differs");
        let [data, config] = ["data", "config.toml"].map(|name| self.first.folder().join(name));
        let [data, public, config] = [&data, public, &config].map(|path| path.to_str().unwrap());
        let verify = ["verify", "--data", data, "--public", public, "--config", config];
        self.first.run_other_with_variables(&verify, &CREDENTIALS).ok();
    }
}

/// What a server says about the bucket.
fn target(server: &Client) -> Value {
    server.get("/readyz").expect_json(200)["target"].clone()
}

/// Waits until a server has written everything to the bucket.
#[track_caller]
fn settled(server: &Client) {
    eventually("the server has written the bucket", || {
        let ready = server.get("/readyz").expect_json(200);
        let (target, revision) = (&ready["target"], &ready["revision"]);
        let is_done = target["revision"] == *revision && target["waiting"] == 0 && target["writer"] == true;
        (is_done && ready["mirrorRevision"] == *revision).then_some(())
    });
}

/// Waits until a server has noticed that another one writes the bucket.
#[track_caller]
fn waits(server: &Client) {
    eventually("the server waits", || {
        let target = target(server);
        assert!(target["failure"].is_null(), "{target}");
        (target["writer"] == false).then_some(())
    });
    let target = target(server);
    assert!(target["revision"].is_null() && target["waiting"] == 0, "{target}");
}

fn metrics(printed: &str) -> String {
    let address = printed.lines().find_map(|line| line.strip_prefix("metrics are at ")).unwrap();
    Client::of(address.trim_end_matches("/metrics")).get("/metrics").expect(200).text().to_owned()
}

fn is_put_of_document(asked: &ReceivedRequest) -> bool {
    asked.method == "PUT" && asked.path.starts_with("/skills/tree/") && !asked.path.contains(".skillmirror")
}

#[test]
fn server_takes_over_the_bucket_of_a_killed_or_ended_one() {
    let mut servers = Servers::start();
    let second = servers.second.client();
    servers.publish("one", &servers.first.anonymous());
    settled(&servers.first.anonymous());
    waits(&second);
    let said = metrics(&servers.second.printed());
    for line in ["skillmirror_target_writer 0.0", "skillmirror_target_written 0.0"] {
        assert!(said.contains(line), "{said}");
    }
    assert!(!said.contains("skillmirror_target_revision"), "a server that waits is not behind: {said}");
    assert!(metrics(&servers.first.printed()).contains("skillmirror_target_writer 1.0"));
    servers.assert_equal(&servers.first.public());
    // The writer is killed. The other one knows by their tags which objects are right.
    servers.first.kill();
    let before = servers.store.asked().len();
    servers.publish("two", &second);
    settled(&second);
    servers.assert_equal(&servers.second_tree);
    let asked = servers.store.asked();
    let puts: Vec<_> = asked[before..].iter().filter(|asked| is_put_of_document(asked)).collect();
    let of_one = |asked: &&&ReceivedRequest| asked.path.contains("/global/one");
    assert_eq!(puts.iter().find(of_one).map(|asked| &asked.path), None, "it is put again");
    assert!(puts.iter().any(|asked| asked.path.contains("/global/two")));
    // It comes back, and waits.
    servers.first.start_with_variables(&CREDENTIALS);
    waits(&servers.first.anonymous());
    servers.publish("three", &servers.first.anonymous());
    settled(&second);
    servers.assert_equal(&servers.second_tree);
    // A command beside the servers does not write the bucket, and says why.
    let [data, third, config] =
        ["data", "third", "config.toml"].map(|name| servers.first.folder().join(name).display().to_string());
    let generate = ["generate", "--data", &data, "--public", &third, "--config", &config];
    let refused = servers.first.run_other_with_variables(&generate, &CREDENTIALS);
    assert!(
        refused.code == 1 && refused.stderr.contains("another server of this registry writes"),
        "{refused:?}"
    );
    // The writer ends.
    let Servers { second, .. } = servers;
    assert_eq!(second.terminate(), 0);
    let publish = servers.first.publish(Skill::named("four"));
    publish.by(&servers.admin).expect(201);
    settled(&servers.first.anonymous());
    assert_eq!(difference_from(&servers.store, &servers.first.public()), None);
    servers.first.command_with_variables(["verify"], &CREDENTIALS).ok();
}

#[test]
fn writer_that_wakes_up_late_puts_no_older_document() {
    let servers = Servers::start();
    let (first, second) = (servers.first.anonymous(), servers.second.client());
    servers.publish("stays", &first);
    servers.publish("returns", &first);
    settled(&first);
    waits(&second);
    // The writer sleeps while it puts documents.
    let (is_holding, is_held) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(false)));
    let (holding, held) = (Arc::clone(&is_holding), Arc::clone(&is_held));
    servers.store.fail(move |asked| {
        if is_put_of_document(asked) && holding.load(Ordering::SeqCst) {
            held.store(true, Ordering::SeqCst);
            eventually("the writer sleeps", || (!holding.load(Ordering::SeqCst)).then_some(()));
        }
        None
    });
    servers.publish("during", &first);
    eventually("the writer puts", || is_held.load(Ordering::SeqCst).then_some(()));
    let sleeping = servers.first.process().freeze();
    is_holding.store(false, Ordering::SeqCst);
    // The other one goes on with what was begun, and with more.
    settled(&second);
    let path = skill_path("global/returns");
    let admin = second.as_user(&servers.admin);
    admin.delete(&path).expect(204);
    settled(&second);
    admin.request("POST", &format!("{path}/restore"), None).expect(200);
    servers.publish("after", &second);
    settled(&second);
    let (objects, puts) = (servers.store.objects(), servers.store.put().len());
    assert_eq!(difference_from(&servers.store, &servers.second_tree), None);
    drop(sleeping);
    waits(&first);
    let put = servers.store.put().split_off(puts);
    let of_tree: Vec<_> = put.iter().filter(|key| !key.starts_with(".skillmirror/")).collect();
    // Nothing but packages, whose requests were under way when it went to sleep.
    assert!(of_tree.iter().all(|key| key.contains("/during/") && key.contains("/download")), "{of_tree:?}");
    assert_eq!(difference_from(&servers.store, &servers.second_tree), None);
    assert!(objects.keys().eq(servers.store.objects().keys()));
    servers.publish("last", &first);
    settled(&second);
    servers.assert_equal(&servers.second_tree);
    waits(&first);
}
