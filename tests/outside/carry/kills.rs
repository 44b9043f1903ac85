//! An `apply` that is killed, and run again.

use std::process::Stdio;

use crate::harness::eventually;

use super::{apply, assert_mirrors, create, delta, grow, lived_in};

#[test]
fn killed_apply_is_run_again() {
    let (registry, admin) = lived_in();
    let (folder, mirror) = (registry.folder(), registry.folder().join("mirror"));
    let revision = || registry.tree_json("api/v1/mirror/head.json")["revision"].to_string();
    let (all, base) = (create(&registry, "all.tar.zst", &[]), revision());
    (0..5).for_each(|n| grow(&registry, &admin, &format!("more-{n}")));
    let delta = delta(&registry, "delta.tar.zst", &all, &create(&registry, "more.tar.zst", &[]));
    let kill_at = |file: &std::path::Path, seen: &str| {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_skillmirror"))
            .current_dir(folder)
            .args(["snapshot", "apply", file.to_str().unwrap(), "--to", mirror.to_str().unwrap()])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        eventually("it is as far as that, or has ended", || {
            (folder.join(seen).exists() || child.try_wait().unwrap().is_some()).then_some(())
        });
        let _ = child.kill();
        child.wait().unwrap();
    };
    for seen in
        ["mirror.state/lock", "mirror.state/tmp/incoming", "mirror.state/feed/head.json", "mirror/api"]
    {
        kill_at(&all, seen);
    }
    apply(&registry, &all, &mirror).ok();
    let head = mirror.join("api/v1/mirror/head.json");
    assert!(std::fs::read_to_string(&head).unwrap().contains(&format!("\"revision\":{base},")));
    for seen in ["mirror.state/tmp/incoming", "mirror/api/v1/skills/tools/more-0", "mirror/tools/more-4"] {
        kill_at(&delta, seen);
    }
    apply(&registry, &delta, &mirror).ok();
    assert_mirrors(&registry, &mirror);
}
