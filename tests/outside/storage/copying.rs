//! `skillmirror journal copy`.

use std::fs;

use crate::harness::{PASSWORD, PostgresServer, Registry, Skill};

/// A running registry in a folder, with two skills and an account with a password.
fn registry() -> Registry {
    let mut registry = Registry::not_started();
    registry.use_database(None);
    registry.restart();
    let admin = registry.admin();
    for slug in ["hello", "bye"] {
        registry.publish(Skill::named(slug)).by(&admin).expect(201);
    }
    registry.user_with_password("ann", PASSWORD);
    registry
}

fn copy(registry: &Registry, from: &str, to: &str, finish: &[&str]) -> crate::harness::CommandOutput {
    registry.command(["journal", "copy", "--from", from, "--to", to].iter().chain(finish))
}

#[test]
fn registry_moves_to_a_database_and_back() {
    let mut registry = registry();
    let (data, server) = (registry.data().display().to_string(), PostgresServer::shared());
    let (_, address) = server.database();
    let epoch = registry.read("/api/v1/mirror/head.json")["epoch"].clone();
    // The server goes on meanwhile.
    let copied = copy(&registry, &data, &address, &[]).ok();
    assert!(
        copied.stdout.contains("each matches its digest") && copied.stdout.contains("--finish"),
        "{copied:?}"
    );
    let admin = registry.admin();
    registry.publish(Skill::named("later")).by(&admin).expect(201);
    registry.stop();
    // An unfinished copy is no registry.
    registry.use_database(Some((address.clone(), server.clone())));
    let refused = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert!(refused.code == 1 && refused.stderr.contains("unfinished copy"), "{refused:?}");
    registry.use_database(None);
    copy(&registry, &data, &address, &["--finish"]).ok();
    registry.use_database(Some((address.clone(), server.clone())));
    fs::rename(registry.data().join("journal.sqlite"), registry.folder().join("old")).unwrap();
    fs::rename(registry.data().join("local.sqlite"), registry.folder().join("old-local")).unwrap();
    registry.restart();
    assert_eq!(registry.read("/api/v1/mirror/head.json")["epoch"], epoch);
    assert_eq!(registry.read("/api/v1/skills")["total"], 3);
    registry.anonymous().log_in("ann", PASSWORD).expect(200);
    registry.publish(Skill::named("in-database")).by(&admin).expect(201);
    registry.stop();
    // And back, beside the packages that stayed.
    registry.use_database(None);
    copy(&registry, &address, &data, &["--finish"]).ok();
    registry.restart();
    assert_eq!(registry.read("/api/v1/mirror/head.json")["epoch"], epoch);
    assert_eq!(registry.read("/api/v1/skills")["total"], 4);
    registry.anonymous().log_in("ann", PASSWORD).expect(200);
    assert!(registry.command(["journal", "check"]).ok().stdout.contains("is intact"));
    registry.command(["verify"]).ok();
}

#[test]
fn copy_between_folders_has_the_packages() {
    let mut registry = registry();
    registry.stop();
    let (data, other) = (registry.data().display().to_string(), registry.folder().join("other"));
    let copied = copy(&registry, &data, &other.display().to_string(), &["--finish"]).ok();
    assert!(copied.stdout.contains("copied 2 packages"), "{copied:?}");
    let again = copy(&registry, &data, &other.display().to_string(), &["--finish"]);
    assert!(again.code == 1 && again.stderr.contains("empty journal"), "{again:?}");
    fs::remove_dir_all(registry.data()).unwrap();
    fs::rename(other, registry.data()).unwrap();
    assert!(registry.command(["journal", "check"]).ok().stdout.contains("is intact"));
}

#[test]
fn copy_of_another_registry_is_refused() {
    let (one, other) = (registry(), registry());
    // Held: without a holder the server ends.
    let server = PostgresServer::shared();
    let (_, address) = server.database();
    copy(&one, &one.data().display().to_string(), &address, &[]).ok();
    let refused = copy(&other, &other.data().display().to_string(), &address, &[]);
    assert!(refused.code == 1 && refused.stderr.contains("another"), "{refused:?}");
    let nothing = copy(&one, &one.folder().join("none").display().to_string(), &address, &[]);
    assert!(nothing.code == 1 && nothing.stderr.contains("no registry in"), "{nothing:?}");
}

#[test]
fn backup_of_a_database_restores_into_a_folder() {
    let mut registry = Registry::in_database();
    registry.restart();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let file = registry.folder().join("backup.zip").display().to_string();
    let written = registry.command(["journal", "backup", &file]).ok();
    assert!(written.stdout.contains("packages (1)"), "{written:?}");
    let refused = registry.command(["journal", "restore", &file]);
    assert!(refused.code == 1 && refused.stderr.contains("journal copy"), "{refused:?}");
    registry.stop();
    fs::remove_dir_all(registry.data()).unwrap();
    registry.use_database(None);
    registry.command(["journal", "restore", &file]).ok();
    registry.restart();
    assert_eq!(registry.read("/api/v1/skills")["total"], 1);
}

/// The steps of docs/several-servers.md, "An older state".
#[test]
fn database_of_an_older_state_goes_on_with_a_new_history() {
    let server = PostgresServer::shared();
    let (name, address) = server.database();
    let mut registry = Registry::not_started();
    registry.use_database(Some((address, server.clone())));
    registry.restart();
    let admin = registry.admin();
    registry.publish(Skill::named("kept")).by(&admin).expect(201);
    registry.stop();
    let older = format!("{name}_older");
    server.sql("postgres", &format!("CREATE DATABASE {older} TEMPLATE {name}"));
    registry.restart();
    registry.publish(Skill::named("lost")).by(&admin).expect(201);
    let seen = registry.read("/api/v1/mirror/head.json");
    registry.stop();
    registry.use_database(Some((server.address(&older), server.clone())));
    let [file, new, public] =
        [registry.folder().join("backup.zip"), registry.folder().join("new"), registry.public()]
            .map(|path| path.display().to_string());
    registry.command(["journal", "backup", &file]).ok();
    let (_, next) = server.database();
    registry.use_database(None);
    let restore = ["journal", "restore", &file, "--data", &new, "--seen", &public];
    registry.run_other_with_variables(&restore, &[]).ok();
    copy(&registry, &new, &next, &["--finish"]).ok();
    registry.use_database(Some((next, server)));
    registry.restart();
    let head = registry.read("/api/v1/mirror/head.json");
    assert_ne!(head["epoch"], seen["epoch"]);
    registry.get("/api/v1/skills/global/kept").expect(200);
    registry.get("/api/v1/skills/global/lost").expect(404);
    registry.publish(Skill::named("later")).by(&admin).expect(201);
    let later = registry.read("/api/v1/mirror/head.json");
    assert!(later["revision"].as_u64() > seen["revision"].as_u64(), "no number is given twice: {later}");
    registry.command(["verify"]).ok();
}
