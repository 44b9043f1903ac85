//! Starts on a full or read-only data disk.

use crate::harness::{OnDisk, Registry, Skill};

#[track_caller]
fn assert_refused(registry: &Registry, reason: &str) {
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["token", "issue", "admin", "--name", "x"]] {
        let output = registry.command(command);
        assert_eq!(output.code, 1, "{output:?}");
        for printed in [reason, "data folder", "make room on its disk, or make it writable"] {
            assert!(output.stderr.contains(printed), "{printed} is not said: {output:?}");
        }
        assert_eq!(output.stderr.trim().lines().count(), 1, "{output:?}");
    }
}

/// A registry that has been served, and its disk.
fn stopped() -> Registry {
    let mut registry = Registry::on_small_disk(OnDisk::Data, "size=8m", "");
    registry.restart();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    registry
}

#[test]
fn start_on_full_disk_is_refused() {
    let mut registry = stopped();
    registry.disk().fill();
    assert_refused(&registry, "No space left on device");
    registry.disk().free();
    registry.restart();
    registry.get("/api/v1/download/hello/1.0.0").expect(200);
}

#[test]
fn start_on_read_only_disk_is_refused() {
    let mut registry = stopped();
    registry.disk().remount("ro");
    assert_refused(&registry, "Read-only file system");
    registry.disk().remount("rw");
    registry.restart();
    registry.get("/api/v1/download/hello/1.0.0").expect(200);
}

#[test]
fn first_start_on_full_disk_leaves_nothing_behind() {
    let mut registry = Registry::on_small_disk(OnDisk::Data, "size=8m", "");
    registry.disk().fill();
    let output = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.code, 1, "{output:?}");
    registry.disk().free();
    registry.restart();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
}
