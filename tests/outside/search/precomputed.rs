//! Precomputed answers have the same bytes as the server's.

use crate::harness::{Registry, Skill, eventually};

/// The file of an answer, if it exists.
fn file(registry: &Registry, query: &str) -> Option<Vec<u8>> {
    std::fs::read(registry.public().join(format!("api/v1/search/_q/{query}.json"))).ok()
}

#[track_caller]
fn answered(registry: &Registry, query: &str) -> Vec<u8> {
    let file = file(registry, query).unwrap_or_else(|| panic!("{query} has no file"));
    assert_eq!(registry.get(&format!("/api/v1/search?q={query}")).expect(200).body, file, "{query}");
    file
}

const DESCRIPTION: &str = "Waters zebrafern gardens, counts bees, paints fences, feeds owls, trims hedges, \
    rakes leaves, sows clover, plants tulips, prunes roses, digs ponds, builds sheds and mows lawns.";

#[test]
fn words_have_up_to_date_files_after_each_reply() {
    let registry = Registry::start();
    let admin = registry.admin();
    let skill = |slug: &str| Skill::named(slug).description(DESCRIPTION);
    registry.publish(skill("green-thumb")).by(&admin).expect(201);
    let words = ["green", "thumb", "zebrafern", "bees", "tulips", "sheds", "lawns"];
    let one: Vec<_> = words.map(|word| answered(&registry, word)).into();
    registry.publish(skill("green-house")).by(&admin).expect(201);
    for (word, one) in words.iter().zip(&one) {
        assert_eq!(answered(&registry, word) == *one, *word == "thumb", "{word}");
    }
    let found = String::from_utf8(answered(&registry, "house")).unwrap();
    assert!(found.contains("\"total\":1,"), "{found}");
    // Stop words, words of one letter and several words have no files.
    for none in ["and", "x", "green-house"] {
        assert_eq!(file(&registry, none), None, "{none}");
    }
    registry.command(["verify"]).ok();

    registry.as_user(&admin).delete("/api/v1/skills/global/green-house").expect(204);
    assert_eq!(file(&registry, "house"), None);
    for (word, one) in words.iter().zip(&one) {
        assert_eq!(answered(&registry, word), *one, "{word}");
    }
    registry.command(["verify"]).ok();
}

#[test]
fn missing_answers_are_written_after_a_start() {
    let mut registry = Registry::start();
    let admin = registry.admin();
    registry.publish(Skill::named("green-thumb").description(DESCRIPTION)).by(&admin).expect(201);
    let before = answered(&registry, "zebrafern");
    registry.stop();
    std::fs::remove_file(registry.public().join("api/v1/search/_q/zebrafern.json")).unwrap();
    assert_eq!(registry.command(["verify"]).code, 1);
    registry.restart();
    assert_eq!(eventually("the answer", || file(&registry, "zebrafern")), before);
}

#[test]
fn disabled_precompute_writes_no_files() {
    let registry = Registry::with_config("[search]\nprecompute = 0\n");
    let admin = registry.admin();
    registry.publish(Skill::named("green-thumb").description(DESCRIPTION)).by(&admin).expect(201);
    registry.get("/api/v1/search?q=zebrafern").expect(200);
    assert!(!registry.public().join("api/v1/search/_q").exists());
    registry.command(["verify"]).ok();
}
