//! Taking skills away, and listing what there is.

use serde_json::{Value, json};

use crate::harness::{Desk, Registry, Shared, Skill};

static REGISTRY: Shared<Registry> = Shared::new();

fn registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("tools", &admin);
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(Skill::named("hello").text(version)).version(version).by(&admin).expect(201);
    }
    registry.publish(Skill::named("other")).to("tools").by(&admin).expect(201);
    registry
}

#[test]
fn what_was_installed_goes() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    desk.of(source, "install hello @tools/other").ok();
    let ran = desk.run("uninstall hello @tools/other").ok();
    assert!(ran.out.contains("uninstalled hello 1.1.0") && ran.out.contains("@tools/other 1.0.0"), "{ran:?}");
    let left: Vec<String> = desk.snapshot("skills").into_keys().collect();
    assert_eq!(left, [".skillmirror/", ".skillmirror/installed.json"]);
    assert_eq!(desk.record(), json!({"version": 1, "skills": {}}));
    let ran = desk.run("uninstall hello");
    assert!(ran.code == 1 && ran.err.contains("skillmirror list"), "{ran:?}");
    assert!(desk.run("list").ok().out.contains("no skill"), "it says so");
}

#[test]
fn what_was_changed_stays() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    desk.of(source, "install hello @tools/other").ok();
    desk.write("hello/mine.txt", "mine");
    let before = desk.snapshot("");
    let ran = desk.run("uninstall hello @global/other --json");
    assert_eq!(ran.code, 1, "{ran:?}");
    let error: Value = serde_json::from_str(&ran.err).unwrap();
    let codes: Vec<_> = error["error"]["errors"].as_array().unwrap().iter().map(|e| &e["code"]).collect();
    assert_eq!(codes, ["changed", "other_skill"]);
    assert_eq!(desk.snapshot(""), before);
    let said: Value = serde_json::from_str(&desk.run("uninstall hello --force --json").ok().out).unwrap();
    assert_eq!(said["items"][0]["coordinate"], "@global/hello");
    assert!(!desk.path("skills/hello").exists() && desk.path("skills/other").exists());
    std::fs::remove_dir_all(desk.path("skills/other")).unwrap();
    desk.run("uninstall other").ok();
}

#[test]
fn nothing_is_made_where_nothing_is() {
    let desk = Desk::new();
    assert_eq!(desk.run("uninstall hello").code, 1);
    desk.run("list").ok();
    assert_eq!(desk.snapshot("").into_keys().collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn what_is_outdated_is_asked_of_each_registry() {
    let mut registry = Registry::start();
    let admin = registry.admin();
    let beside = REGISTRY.get(self::registry);
    registry.publish(Skill::named("gone")).by(&admin).expect(201);
    let desk = Desk::new();
    desk.of(registry.base(), "install gone").ok();
    desk.of(beside.base(), "install hello@1.0.0 @tools/other").ok();
    let list = |words: &str| {
        let ran = desk.run(words);
        (
            ran.code,
            serde_json::from_str::<Value>(&ran.out).unwrap_or_else(|why| panic!("{why}: {ran:?}")),
            ran.err,
        )
    };
    let (code, plain, _) = list("list --json");
    assert_eq!((code, plain["items"].as_array().unwrap().len()), (0, 3));
    assert!(plain["items"][0].get("latest").is_none(), "{plain}");
    registry.remove("global/gone", &admin).expect(204);
    let (code, asked, _) = list("list --outdated --json");
    let latest: Vec<_> = asked["items"].as_array().unwrap().iter().map(|item| &item["latest"]).collect();
    assert_eq!((code, latest), (0, vec![&json!(null), &json!("1.1.0"), &json!("1.0.0")]));
    let ran = desk.run("list --outdated").ok();
    let line = |name: &str| ran.out.lines().find(|line| line.contains(name)).map(str::to_owned);
    assert!(line("hello").is_some_and(|line| line.contains("1.0.0") && line.contains("1.1.0")), "{ran:?}");
    let address = registry.base().to_owned();
    registry.stop();
    let (code, asked, err) = list("list --outdated --json");
    assert_eq!((code, &asked["items"][1]["latest"]), (1, &json!("1.1.0")));
    assert!(err.contains(&address), "{err}");
}
