//! A damaged tree is repaired by the process that keeps it.

use crate::harness::{Process, Registry, Skill, eventually};

const DAMAGED: &str = "public/api/v1/skills.json";

#[test]
fn damaged_tree_is_repaired_by_the_running_server() {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.write(DAMAGED, b"x");
    std::fs::remove_file(registry.public().join("api/v1/skills/global/hello.json")).unwrap();
    registry.write("public/stray.txt", b"x");
    let found = registry.command(["verify"]);
    assert!(found.code == 1 && found.stdout.lines().count() >= 3, "{found:?}");
    assert!(found.stderr.contains("`kill -HUP ") && !found.stderr.contains("generate"), "{found:?}");
    registry.process().hang_up();
    eventually("the tree is repaired", || (registry.command(["verify"]).code == 0).then_some(()));
    // The server goes on, and sends the repaired file.
    registry.publish(Skill::named("later")).by(&registry.admin()).expect(201);
    assert_eq!(registry.read("/api/v1/skills")["total"], 2);

    registry.stop();
    registry.write(DAMAGED, b"x");
    let found = registry.command(["verify"]);
    assert!(found.stderr.contains("`skillmirror generate`") && !found.stderr.contains("HUP"), "{found:?}");
}

#[test]
fn hangup_during_a_start_does_not_end_it() {
    let mut registry = Registry::start();
    registry.stop();
    // Processes that open the data folder wait for this lock.
    let held = std::fs::File::open(registry.data()).unwrap();
    held.lock().unwrap();
    let folder = registry.folder().canonicalize().unwrap();
    std::thread::scope(|threads| {
        threads.spawn(move || {
            let starting = || Process::hearing_hangups_in(&folder);
            eventually("the starting server handles SIGHUP", starting).hang_up();
            drop(held);
        });
        registry.restart();
    });
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
}

#[test]
fn second_server_says_who_keeps_the_tree() {
    let registry = Registry::start();
    assert!(registry.printed().contains("updating the static tree in "));
    let second = registry.start_second(&[]);
    let id = std::fs::read_to_string(registry.folder().join("public.state/lock")).unwrap();
    let printed = second.printed();
    assert!(printed.contains(&format!("is updated by process {}\n", id.trim())), "{printed}");
    assert!(!printed.contains("updating the static tree"), "{printed}");
    // It serves all the same.
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    second.client().get("/api/v1/skills/global/hello").expect(200);
    let refused = registry.command(["generate"]);
    assert!(refused.stderr.contains(&format!("process {} keeps the tree", id.trim())), "{refused:?}");
}

#[test]
fn server_that_cannot_write_the_tree_does_not_start() {
    let mut registry = Registry::start();
    registry.stop();
    std::fs::remove_dir_all(registry.public()).unwrap();
    std::fs::write(registry.public(), "in the way").unwrap();
    let refused = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    for named in ["cannot write the static tree", "--public", "--no-mirror"] {
        assert!(refused.stderr.contains(named), "{named} is not named: {refused:?}");
    }
    registry.start_with(&["--no-mirror"]);
}
