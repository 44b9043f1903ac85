//! A tree that cannot be written takes nothing from what a command has done.

use crate::harness::{Ran, Registry, Skill};

/// A registry, stopped, with a file where the tree was.
fn without_a_tree() -> Registry {
    let mut registry = Registry::start();
    registry.stop();
    std::fs::remove_dir_all(registry.public()).unwrap();
    std::fs::write(registry.public(), "in the way").unwrap();
    registry
}

#[track_caller]
fn assert_warned(ran: &Ran, registry: &Registry) {
    assert_eq!(ran.code, 0, "{ran:?}");
    let public = registry.public();
    for named in ["it is written", public.to_str().unwrap(), "`skillmirror generate`"] {
        assert!(ran.err.contains(named), "{named} is not said: {ran:?}");
    }
}

#[test]
fn an_import_says_what_it_did() {
    let registry = without_a_tree();
    let good = registry.write("good.zip", &Skill::named("good").zip());
    let bad = registry.write("bad.zip", b"no zip");
    let ran = registry.command(["import".as_ref(), good.as_os_str(), bad.as_os_str()]);
    assert_warned(&ran, &registry);
    assert!(ran.out.contains("bad.zip") && ran.out.contains("imported 1 version"), "{ran:?}");

    // Where nothing came in that is what failed, as ever.
    let ran = registry.command(["import".as_ref(), bad.as_os_str()]);
    assert_eq!(ran.code, 1, "{ran:?}");

    std::fs::remove_file(registry.public()).unwrap();
    registry.command(["generate"]).ok();
    registry.command(["verify"]).ok();
    assert!(registry.tree().contains(&"api/v1/skills/global/good.json".to_owned()));
}

#[test]
fn accounts_and_tokens_are_made() {
    let mut registry = without_a_tree();
    let ran = registry.command(["user", "add", "ann"]);
    assert_warned(&ran, &registry);
    assert!(ran.out.contains("added the user ann"), "{ran:?}");
    let ran = registry.command(["token", "issue", "ann", "--name", "test"]);
    assert_warned(&ran, &registry);
    let token = ran.out.trim().to_owned();
    assert!(!token.contains(char::is_whitespace), "only a token is on standard output: {ran:?}");
    assert_warned(&registry.command(["user", "disable", "ann"]), &registry);

    // Looking writes nothing, so there is nothing to bring up.
    let ran = registry.command(["user", "list"]).ok();
    assert!(ran.out.contains("ann") && ran.err.is_empty(), "{ran:?}");

    std::fs::remove_file(registry.public()).unwrap();
    registry.start_again();
    // Known, and switched off.
    registry.anyone().with("authorization", &format!("Bearer {token}")).get("/api/v1/whoami").expect(401);
}
