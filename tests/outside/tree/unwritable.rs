//! A tree that cannot be written does not undo what a command has done.

use crate::harness::{CommandOutput, Registry, Skill};

/// A registry, stopped, with a file where the tree was.
fn without_a_tree() -> Registry {
    let mut registry = Registry::start();
    registry.stop();
    std::fs::remove_dir_all(registry.public()).unwrap();
    std::fs::write(registry.public(), "in the way").unwrap();
    registry
}

#[track_caller]
fn assert_warned(output: &CommandOutput, registry: &Registry) {
    assert_eq!(output.code, 0, "{output:?}");
    let public = registry.public();
    for named in ["the change is saved", public.to_str().unwrap(), "`skillmirror generate`"] {
        assert!(output.stderr.contains(named), "{named} is not said: {output:?}");
    }
}

#[test]
fn import_with_unwritable_tree_reports_its_result() {
    let registry = without_a_tree();
    let good = registry.write("good.zip", &Skill::named("good").zip());
    let bad = registry.write("bad.zip", b"no zip");
    let output = registry.command(["import".as_ref(), good.as_os_str()]);
    assert_warned(&output, &registry);
    assert!(output.stdout.contains("imported 1 version"), "{output:?}");

    // If a package was refused, the command fails as usual.
    let output = registry.command(["import".as_ref(), bad.as_os_str()]);
    assert_eq!(output.code, 1, "{output:?}");

    std::fs::remove_file(registry.public()).unwrap();
    registry.command(["generate"]).ok();
    registry.command(["verify"]).ok();
    assert!(registry.tree().contains(&"api/v1/skills/global/good.json".to_owned()));
}

#[test]
fn accounts_and_tokens_are_created_with_unwritable_tree() {
    let mut registry = without_a_tree();
    let output = registry.command(["user", "add", "ann"]);
    assert_warned(&output, &registry);
    assert!(output.stdout.contains("added user ann"), "{output:?}");
    let output = registry.command(["token", "issue", "ann", "--name", "test"]);
    assert_warned(&output, &registry);
    let token = output.stdout.trim().to_owned();
    assert!(!token.contains(char::is_whitespace), "only a token is on standard output: {output:?}");
    assert_warned(&registry.command(["user", "disable", "ann"]), &registry);

    // Looking writes nothing, so there is nothing to bring up.
    let output = registry.command(["user", "list"]).ok();
    assert!(output.stdout.contains("ann") && output.stderr.is_empty(), "{output:?}");

    std::fs::remove_file(registry.public()).unwrap();
    registry.restart();
    // Known, and switched off.
    registry.anonymous().with("authorization", &format!("Bearer {token}")).get("/api/v1/whoami").expect(401);
}
