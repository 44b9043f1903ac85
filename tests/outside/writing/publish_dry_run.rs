//! `skillmirror publish --dry-run`: what the registry says.

use crate::harness::{Home, Registry, Skill};

#[test]
fn dry_run_tells_new_from_known() {
    let registry = Registry::start();
    let user = registry.user("ann");
    registry.team("tools", &user);
    let home = Home::new();
    home.login(registry.base(), &user);
    let folder = home.folder().join("hello");
    let skill = Skill::named("hello").file(".gitignore", "*.log\n").file("a.log", "");
    skill.write_to(&folder);
    let publish = ["publish", "hello", "--namespace", "tools"];
    let dry = [&publish[..], &["--dry-run"]].concat();

    let output = home.run(&dry).ok();
    assert!(output.stdout.contains("nothing was published\nit would be a new skill\n"), "{output:?}");
    assert!(output.stdout.ends_with("left out: .gitignore, a.log\n"), "{output:?}");
    home.run(&publish).ok();
    let output = home.run(&dry).ok();
    assert!(output.stdout.contains("it is there already, with the same content\n"), "{output:?}");
    skill.file("b.md", "more").write_to(&folder);
    let json = home.json(&dry);
    assert_eq!(
        (&json["foreseen"]["news"], &json["foreseen"]["latest"]),
        (&"version".into(), &"1.0.0".into())
    );
    let output = home.run(&dry).ok();
    assert!(output.stdout.contains("it would be a new version; the latest there is 1.0.0\n"), "{output:?}");
    // In `global` it waits for a review.
    let output = home.run(&["publish", "hello", "--dry-run"]).ok();
    assert!(output.stdout.contains("it would be a new skill, and would wait for a review\n"), "{output:?}");
    assert!(home.refusal("conflict", &[&dry[..], &["--version", "1.0.0"]].concat()).contains("1.0.0"));
}
