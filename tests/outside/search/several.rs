//! `search --also`: several registries in one list.

use serde_json::{Value, json};

use crate::harness::{Home, Registry, Skill};

#[test]
fn best_of_each_registry_come_first() {
    let (home, registries) = (Home::new(), [Registry::start(), Registry::start()]);
    for (registry, names) in registries.iter().zip([["greet-a", "greet-b"], ["greet-c", "greet-d"]]) {
        for name in names {
            registry.publish(Skill::named(name)).by(&registry.admin()).expect(201);
        }
    }
    let [first, second] = [registries[0].base(), registries[1].base()];
    let search = |limit: &str| {
        home.run(&["search", "greet", "--registry", first, "--also", second, "--limit", limit, "--json"]).ok()
    };
    let found: Value = serde_json::from_str(&search("4").stdout).unwrap();
    let results = found["results"].as_array().unwrap();
    let places: Vec<&str> = results.iter().map(|it| it["registry"].as_str().unwrap()).collect();
    assert_eq!((places, &found["total"]), (vec![first, second, first, second], &json!(4)));
    let found: Value = serde_json::from_str(&search("1").stdout).unwrap();
    assert_eq!(found["results"].as_array().unwrap().len(), 1);
    let shown = home.run(&["search", "greet", "--registry", first, "--also", second]).ok().stdout;
    assert!(shown.contains("REGISTRY") && shown.contains(second), "{shown}");
    let alone = home.run(&["search", "greet", "--registry", first]).ok().stdout;
    assert!(!alone.contains("REGISTRY"), "{alone}");
}

#[test]
fn registry_that_cannot_be_searched_is_named() {
    let (home, registry) = (Home::new(), Registry::start());
    let failed =
        home.run(&["search", "greet", "--registry", registry.base(), "--also", "http://127.0.0.1:9"]);
    assert!(failed.code != 0 && failed.stderr.contains("http://127.0.0.1:9"), "{failed:?}");
}
