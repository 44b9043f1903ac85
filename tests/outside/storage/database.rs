//! A registry in PostgreSQL.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::harness::{PASSWORD, PostgresServer, Registry, Skill, cookie_of, eventually};

/// A registry in a database of a server of its own.
fn registry_alone() -> (Registry, Arc<PostgresServer>) {
    let server = Arc::new(PostgresServer::start());
    let mut registry = Registry::not_started();
    registry.use_database(Some((server.database().1, Arc::clone(&server))));
    registry.restart();
    (registry, server)
}

#[test]
fn registry_without_a_journal_file_answers_as_usual() {
    let mut registry = Registry::in_database();
    registry.restart();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    assert_eq!(registry.read("/api/v1/skills/global/hello")["version"], "1.0.0");
    let names: Vec<_> = registry.data().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains("sqlite")), "{names:?}");
    // Commands work beside the server, and after a restart everything is there.
    registry.user("ann");
    registry.stop();
    registry.restart();
    registry.publish(Skill::named("hello").text("Again.\n")).version("1.1.0").by(&admin).expect(201);
    assert!(registry.command(["journal", "check"]).ok().stdout.contains("is intact"));
    registry.command(["verify"]).ok();
    registry.command(["upgrade", "--check"]).ok();
}

#[test]
fn two_servers_share_accounts_sessions_and_history() {
    let mut registry = Registry::in_database();
    registry.restart();
    let second = registry.start_second(&["--no-mirror"]);
    registry.user_with_password("ann", PASSWORD);
    // The second server finds the account in the database.
    let session = second.client().log_in("ann", PASSWORD).expect(200);
    let me =
        registry.anonymous().with("cookie", &cookie_of(&session)).get("/api/v1/auth/me").expect_json(200);
    assert_eq!(me["handle"], "ann", "{me}");
    let admin = registry.admin();
    for number in 0..6 {
        let publish = registry.publish(Skill::named(&format!("skill-{number}")));
        let client = if number % 2 == 0 { registry.anonymous() } else { second.client() };
        publish.try_through(&client.as_user(&admin)).unwrap().expect(201);
    }
    eventually("the tree has all", || (registry.read("/api/v1/skills")["total"] == 6).then_some(()));
    registry.command(["verify"]).ok();
}

#[test]
fn restart_of_the_database_costs_no_acknowledged_write() {
    let (registry, server) = registry_alone();
    let admin = registry.admin();
    let is_done = AtomicBool::new(false);
    let published = std::thread::scope(|threads| {
        let writer = threads.spawn(|| {
            let (mut published, mut number) = (Vec::new(), 0);
            while !is_done.load(Ordering::SeqCst) {
                number += 1;
                let slug = format!("skill-{number}");
                let sent = registry.publish(Skill::named(&slug)).by(&admin);
                match sent.status {
                    201 => published.push(slug),
                    // Nothing else: not even a 500.
                    503 => assert!(sent.header("retry-after").is_some(), "{sent}"),
                    _ => panic!("{sent}"),
                }
                // Public reads do not need the database.
                assert_eq!(registry.get("/api/v1/skills").status, 200);
            }
            published
        });
        for _ in 0..2 {
            server.end();
            server.begin();
        }
        is_done.store(true, Ordering::SeqCst);
        writer.join().unwrap()
    });
    let last = || registry.publish(Skill::named("last")).by(&admin);
    eventually("it takes writes", || [200, 201].contains(&last().status).then_some(()));
    for slug in published {
        registry.get(&format!("/api/v1/skills/global/{slug}")).expect(200);
    }
    assert!(registry.command(["journal", "check"]).ok().stdout.contains("is intact"));
    registry.command(["verify"]).ok();
}

#[test]
fn database_that_hangs_costs_one_sentence_and_no_read() {
    let (registry, server) = registry_alone();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    let frozen = server.freeze();
    for _ in 0..2 {
        let refused = registry.publish(Skill::named("other")).by(&admin).expect(503);
        assert!(refused.header("retry-after").is_some(), "{refused}");
    }
    eventually("the server says so", || (registry.get("/readyz").status == 503).then_some(()));
    registry.get("/api/v1/skills/global/hello").expect(200);
    drop(frozen);
    eventually("the server is ready", || (registry.get("/readyz").status == 200).then_some(()));
    let other = || registry.publish(Skill::named("other")).by(&admin);
    eventually("it takes writes", || [200, 201].contains(&other().status).then_some(()));
    assert!(registry.command(["journal", "check"]).ok().stdout.contains("is intact"));
}

#[test]
fn start_with_packages_but_an_empty_database_is_refused() {
    let mut registry = Registry::in_database();
    registry.restart();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    let server = PostgresServer::shared();
    registry.use_database(Some((server.database().1, server)));
    let refused = registry.command(["serve", "--listen", "127.0.0.1:0", "--no-mirror"]);
    assert!(refused.code == 1 && refused.stderr.contains("has packages"), "{refused:?}");
}

#[test]
fn address_that_is_wrong_is_never_shown() {
    let registry = Registry::not_started();
    for address in ["postgres://skill:hunter2@127.0.0.1:1/skills", "postgres://skill:hunter2@host"] {
        let refused = registry.command_with_variable(["serve"], "SKILLMIRROR_STORAGE_JOURNAL", address);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(!refused.printed().contains("hunter2"), "{refused:?}");
    }
    let config = Registry::configured("[storage]\njournal = \"postgres://skill:hunter2@host\"\n");
    let refused = config.command(["gc"]);
    assert!(refused.code == 1 && refused.stderr.contains("storage.journal"), "{refused:?}");
    assert!(!refused.printed().contains("hunter2"), "{refused:?}");
}

#[test]
fn write_that_cannot_be_counted_is_refused_like_one_that_cannot_be_stored() {
    let (registry, server) = registry_alone();
    let admin = registry.as_user(&registry.admin());
    server.end();
    let refused = admin.post_json("/api/v1/namespaces", &json!({"slug": "team"}));
    refused.problem(503, "unavailable");
    assert!(refused.text().contains("nothing was changed"), "{refused}");
    assert_eq!(refused.require_header("retry-after"), "5");
    // What is not counted goes on.
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    registry.anonymous().post_json("/mcp", &ping).expect(200);
    registry.get("/api/v1/skills").expect(200);
    server.begin();
    eventually("writes go on", || {
        let made = admin.post_json("/api/v1/namespaces", &json!({"slug": "team"}));
        (made.status == 201).then_some(())
    });
}

#[test]
fn read_only_database_is_named_until_it_takes_rows_again() {
    let server = PostgresServer::shared();
    let (name, address) = server.database();
    let mut registry = Registry::not_started();
    registry.use_database(Some((address, Arc::clone(&server))));
    registry.restart();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    // For new connections, so the others are ended.
    let set_read_only = |value: &str| {
        server.sql("postgres", &format!("ALTER DATABASE {name} SET default_transaction_read_only = {value}"));
        let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname";
        server.sql("postgres", &format!("{end} = '{name}'"));
    };
    set_read_only("on");
    registry.publish(Skill::named("other")).by(&admin).expect(503);
    let refused = registry.get("/readyz").expect(503);
    assert!(refused.text().contains("The database of the journal accepts no writes"), "{refused}");
    registry.get("/api/v1/skills/global/hello").expect(200);
    set_read_only("off");
    eventually("the server is ready", || (registry.get("/readyz").status == 200).then_some(()));
    let other = || registry.publish(Skill::named("other")).by(&admin);
    eventually("it takes writes", || [200, 201].contains(&other().status).then_some(()));
}
