//! Which local data a backup has, and what a restore does with it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::harness::{Registry, Skill, eventually};

const PROXY: &str = "[mirror]\ncounter_interval = 0\n[limits]\ntrusted_proxies = [\"127.0.0.1\"]\n";
const PASSWORD: &str = "correct horse battery";
const OTHER: &str = "another password";
const CLIENT: &str = "193.17.219.131";

/// A stopped registry in which ann has a password and a session, and `hello` one download.
fn with_ann() -> (Registry, String) {
    let mut registry = Registry::with_config(PROXY);
    registry.publish(Skill::named("hello")).version("1.0.0").by(&registry.admin()).expect(201);
    registry.user_with_password("ann", PASSWORD);
    let cookie = registry.sign_in("ann", PASSWORD).cookie;
    let client = registry.anonymous().with("x-forwarded-for", CLIENT);
    client.get("/api/v1/skills/global/hello/download").expect(200);
    client.log_in("ann", OTHER).expect(401);
    registry.stop();
    (registry, cookie)
}

fn back_up(registry: &Registry, options: &[&str]) -> String {
    let arguments = ["journal", "backup", "backup.zip"];
    let output = registry.command(arguments.iter().chain(options)).ok();
    assert!(output.stdout.contains("Keep it private"), "{output:?}");
    registry.folder().join("backup.zip").to_str().unwrap().to_owned()
}

fn downloads(registry: &Registry) -> String {
    registry.command(["downloads", "--json"]).ok().stdout
}

fn log_in(registry: &Registry, password: &str) -> u16 {
    registry.anonymous().log_in("ann", password).status
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn backup_restored_elsewhere_has_passwords_and_downloads() {
    let (registry, cookie) = with_ann();
    let file = back_up(&registry, &[]);
    assert_eq!(Path::new(&file).metadata().unwrap().permissions().mode() & 0o7777, 0o600);
    let bytes = fs::read(&file).unwrap();
    assert!(contains(&bytes, b"$argon2id$"), "hashes only");
    for secret in [PASSWORD, CLIENT, cookie.split_once('=').unwrap().1] {
        assert!(!contains(&bytes, secret.as_bytes()), "{secret}");
    }

    let mut other = Registry::configured(PROXY);
    let restored = other.command(["journal", "restore", &file]).ok();
    assert!(restored.stdout.contains("download counts are those of the backup"), "{restored:?}");
    assert_eq!(downloads(&other), downloads(&registry));
    assert!(downloads(&other).contains("hello"));
    other.restart();
    assert_eq!(log_in(&other, PASSWORD), 200);
    other.browser(cookie).bare.get("/api/v1/whoami").problem(401, "unauthenticated");
    eventually("documents show the count", || {
        let hello = other.read("/api/v1/skills/global/hello");
        (hello["downloadCount"] == 1).then_some(())
    });
    other.command(["verify"]).ok();
    let left = crate::harness::tree::files(&other.data());
    assert!(!left.iter().any(|file| file.contains("jsonl")), "{left:?}");
}

#[test]
fn journal_only_backup_has_no_passwords_and_no_downloads() {
    let (registry, _) = with_ann();
    let file = back_up(&registry, &["--journal-only"]);
    let bytes = fs::read(&file).unwrap();
    assert!(!contains(&bytes, b"$argon2id$") && !contains(&bytes, b"local"));
    let mut other = Registry::configured(PROXY);
    let restored = other.command(["journal", "restore", &file]).ok();
    assert!(restored.stdout.contains("has no passwords"), "{restored:?}");
    assert_eq!(downloads(&other).trim(), "{\"items\":[]}");
    other.restart();
    assert_eq!(log_in(&other, PASSWORD), 401);
}

#[test]
fn backup_says_that_signing_keys_are_left_out() {
    let registry = Registry::start();
    for has_key in [false, true] {
        if has_key {
            registry.command(["key", "new", "--name", "skills.example.org"]).ok();
        }
        let made = registry.command(["journal", "backup", if has_key { "b.zip" } else { "a.zip" }]).ok();
        assert!(made.stdout.contains("the signing keys"), "{made:?}");
        assert_eq!(made.stderr.contains("copy the signing keys in"), has_key, "{made:?}");
    }
}

#[test]
fn restore_keeps_newer_passwords_of_the_same_registry() {
    let (mut registry, _) = with_ann();
    back_up(&registry, &[]);
    registry.command_with_input(["user", "set-password", "ann"], &format!("{OTHER}\n")).ok();
    let restored = registry.command(["journal", "restore", "backup.zip"]).ok();
    assert!(restored.stdout.contains("those that were here"), "{restored:?}");
    registry.restart();
    assert_eq!((log_in(&registry, OTHER), log_in(&registry, PASSWORD)), (200, 401));
}

#[test]
fn restore_over_another_registry_replaces_its_passwords() {
    for options in [&[][..], &["--journal-only"]] {
        let (registry, _) = with_ann();
        let file = back_up(&registry, options);
        let mut other = Registry::with_config(PROXY);
        other.user_with_password("ann", OTHER);
        other.stop();
        other.command(["journal", "restore", &file]).ok();
        let moved = crate::harness::tree::files(&other.data());
        let is_moved = |file: &String| file.starts_with("replaced-") && file.ends_with("local.sqlite");
        assert!(moved.iter().any(is_moved), "{moved:?}");
        other.start_with(&["--replace-tree"]);
        assert_eq!(log_in(&other, OTHER), 401, "another registry's password opens nothing");
        assert_eq!(log_in(&other, PASSWORD), if options.is_empty() { 200 } else { 401 });
    }
}

#[test]
fn backup_of_damaged_local_data_is_refused_and_moves_nothing() {
    let (registry, _) = with_ann();
    registry.write("data/local.sqlite", b"no database");
    let before = crate::harness::tree::files(&registry.data());
    let refused = registry.command(["journal", "backup", "backup.zip"]);
    assert!(refused.code == 1 && refused.stderr.contains("`local.sqlite` is damaged"), "{refused:?}");
    assert!(refused.stderr.contains("--journal-only"), "{refused:?}");
    assert_eq!(crate::harness::tree::files(&registry.data()), before);
    assert!(!registry.folder().join("backup.zip").exists());
    // A restore replaces it.
    let file = back_up(&registry, &["--journal-only"]);
    let restored = registry.command(["journal", "restore", &file]).ok();
    assert!(restored.stdout.contains("has no passwords"), "{restored:?}");
}
