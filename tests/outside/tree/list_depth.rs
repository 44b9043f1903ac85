//! `mirror.list_depth` changes from one start to the next.

use crate::harness::{Registry, Skill};

#[test]
fn list_depth_may_change_between_starts() {
    let mut registry = Registry::configured("[mirror]\nlist_depth = 10\n");
    registry.restart();
    for number in 0..61 {
        registry.publish(Skill::named(&format!("many-{number}"))).by(&registry.admin()).expect(201);
    }
    let pages = |registry: &Registry| {
        let of = |sort: &str| format!("api/v1/skills/_list/_all/{sort}-");
        let count = |sort: &str| {
            let is_page = |file: &&String| file.starts_with(&of(sort)) && file.ends_with(".json");
            registry.tree().iter().filter(is_page).count()
        };
        ["updated", "name", "stars"].map(count)
    };
    let starts = [(10, [4, 1, 1]), (1, [1; 3]), (3, [3, 1, 1]), (10, [4, 1, 1]), (0, [4; 3])];
    for (start, (depth, expected)) in starts.into_iter().enumerate() {
        registry.stop();
        registry.write("config.toml", format!("[mirror]\nlist_depth = {depth}\n").as_bytes());
        registry.restart();
        registry.command(["verify"]).ok();
        assert_eq!(pages(&registry), expected, "with list_depth = {depth}");
        registry
            .publish(Skill::named("many-0").text(&format!("Start {start}.\n")))
            .by(&registry.admin())
            .expect(201);
        registry.command(["verify"]).ok();
    }
}
