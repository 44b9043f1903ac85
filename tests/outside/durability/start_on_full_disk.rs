//! Starting where nothing can be written to the data folder.

use crate::harness::{OnDisk, Registry, Skill};

#[track_caller]
fn assert_refused(registry: &Registry, reason: &str) {
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["token", "issue", "admin", "--name", "x"]] {
        let ran = registry.command(command);
        assert_eq!(ran.code, 1, "{ran:?}");
        for said in [reason, "data folder", "make room on its disk, or see that it can be written to"] {
            assert!(ran.err.contains(said), "{said} is not said: {ran:?}");
        }
        assert_eq!(ran.err.trim().lines().count(), 1, "{ran:?}");
    }
}

/// A registry that has been served, and its disk.
fn stopped() -> Registry {
    let mut registry = Registry::on_small_disk(OnDisk::Data, "size=8m", "");
    registry.start_again();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    registry
}

#[test]
fn a_full_disk_is_said() {
    let mut registry = stopped();
    registry.disk().fill();
    assert_refused(&registry, "No space left on device");
    registry.disk().free();
    registry.start_again();
    registry.get("/api/v1/download/hello/1.0.0").expect(200);
}

#[test]
fn a_read_only_disk_is_said() {
    let mut registry = stopped();
    registry.disk().remount("ro");
    assert_refused(&registry, "Read-only file system");
    registry.disk().remount("rw");
    registry.start_again();
    registry.get("/api/v1/download/hello/1.0.0").expect(200);
}

#[test]
fn nothing_half_is_begun_on_a_full_disk() {
    let mut registry = Registry::on_small_disk(OnDisk::Data, "size=8m", "");
    registry.disk().fill();
    let ran = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    registry.disk().free();
    registry.start_again();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
}
