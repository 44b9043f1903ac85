//! Precomputed answers have the same bytes as the server's.

use crate::harness::{Registry, Skill, eventually};

/// The file of an answer, if it exists.
fn file(registry: &Registry, query: &str) -> Option<Vec<u8>> {
    std::fs::read(registry.public().join(format!("api/v1/search/_q/{query}/20/1.json"))).ok()
}

fn answered(registry: &Registry, query: &str) -> Vec<u8> {
    let file = eventually(&format!("the answer to {query}"), || file(registry, query));
    assert_eq!(registry.get(&format!("/api/v1/search?q={query}")).expect(200).body, file, "{query}");
    file
}

const DESCRIPTION: &str = "Waters zebrafern gardens, counts bees, paints fences, feeds owls, trims hedges, \
    rakes leaves, sows clover, plants tulips, prunes roses, digs ponds, builds sheds and mows lawns.";

#[test]
fn words_have_up_to_date_files() {
    let registry = Registry::start();
    let admin = registry.admin();
    let skill = |slug: &str| Skill::named(slug).description(DESCRIPTION);
    registry.publish(skill("green-thumb")).by(&admin).expect(201);
    let words = ["green", "thumb", "zebrafern", "bees", "tulips", "sheds", "lawns"];
    let one: Vec<_> = words.map(|word| answered(&registry, word)).into();
    registry.publish(skill("green-house")).by(&admin).expect(201);
    for (word, one) in words.iter().zip(&one) {
        // Existing files are correct, even before all are written.
        let now = file(&registry, word);
        assert!(now.is_none_or(|now| now != *one || *word == "thumb"), "{word}");
        answered(&registry, word);
    }
    let found = String::from_utf8(answered(&registry, "house")).unwrap();
    assert!(found.contains("\"total\":1,"), "{found}");
    // Stop words, words of one letter, slugs of several words and later pages have no files.
    for none in ["and", "x", "green-house"] {
        assert_eq!(file(&registry, none), None, "{none}");
    }
    assert!(!registry.public().join("api/v1/search/_q/green/20/2.json").exists());

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
    std::fs::remove_dir_all(registry.public().join("api/v1/search/_q/zebrafern")).unwrap();
    registry.restart();
    assert_eq!(answered(&registry, "zebrafern"), before);
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
