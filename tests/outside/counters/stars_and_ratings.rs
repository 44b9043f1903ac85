//! Counts of stars and ratings: current in responses to writes, published in ticks.

use serde_json::{Value, json};

use crate::harness::{Client, Registry, User, Watch, assert_fields, eventually, sha256, skill_path, tree};

/// The settings of a registry that publishes counters that often.
fn every(seconds: u32) -> String {
    format!("[mirror]\ncounter_interval = {seconds}\n")
}

const NEVER: u32 = 86_400;

/// Three skills of the admin's, and two others who have opinions.
fn with_skills(toml: &str) -> (Registry, [User; 2]) {
    let registry = Registry::with_config(toml);
    for slug in ["one", "two", "three"] {
        registry.versions(&format!("global/{slug}"), &["1.0.0"], &registry.admin());
    }
    let people = ["ann", "bob"].map(|handle| registry.user(handle));
    (registry, people)
}

fn opinions(registry: &Registry, [ann, bob]: &[User; 2]) {
    registry.star("global/one", ann).expect(200);
    registry.star("global/two", ann).expect(200);
    registry.star("global/two", bob).expect(200);
    registry.rate("global/one", 5, ann).expect(200);
    registry.rate("global/one", 4, bob).expect(200);
    registry.rate("global/three", 3, bob).expect(200);
}

/// Waits until a skill's document shows that many stars.
#[track_caller]
fn until_stars(registry: &Registry, skill: &str, stars: u64) -> Value {
    eventually(&format!("{skill} has {stars} stars"), || {
        let record = registry.read(&skill_path(skill));
        (record["starCount"] == stars).then_some(record)
    })
}

/// The counters of a skill in its shard of the tree.
fn of_shard(registry: &Registry, skill: &str) -> Value {
    let id = registry.read(&skill_path(skill))["id"].as_str().unwrap().to_owned();
    let shard = registry.tree_json(&format!("api/v1/mirror/counters/{}.json", &sha256(id.as_bytes())[..2]));
    assert_fields(&shard, "generation counters");
    shard["counters"][&id].clone()
}

/// Waits until the head, which is written last, tells of the shards there are.
#[track_caller]
fn settled(registry: &Registry) {
    eventually("the head tells of all counters", || {
        let shard = |shard| registry.tree_file(&format!("api/v1/mirror/counters/{shard:02x}.json"));
        let digests: String = (0..=255).map(|number: u8| sha256(&shard(number))).collect();
        let head = registry.tree_json("api/v1/mirror/head.json");
        (head["counters"]["sha256"] == sha256(digests.as_bytes())).then_some(())
    });
}

/// Waits until the tree has the [`opinions`], whole: the shards are written
/// after the documents, and the head after the shards.
#[track_caller]
fn all_published(registry: &Registry) {
    until_stars(registry, "global/two", 2);
    eventually("the last is published", || {
        let last =
            ["global/one", "global/three"].map(|skill| of_shard(registry, skill)["ratingCount"].clone());
        (last == [json!(2), json!(1)]).then_some(())
    });
    settled(registry);
}

fn slugs(registry: &Registry, sort: &str) -> Vec<String> {
    let list = registry.read(&format!("/api/v1/skills?sort={sort}"));
    list["items"].as_array().unwrap().iter().map(|item| item["slug"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn counters_are_published_by_the_next_tick() {
    let (mut registry, people) = with_skills(&every(NEVER));
    let head = || registry.tree_json("api/v1/mirror/head.json");
    let (before, updated) = (head(), registry.read(&skill_path("global/two"))["updatedAt"].clone());
    opinions(&registry, &people);
    assert_eq!(registry.star("global/two", &people[0]).unchanged()["starCount"], 2, "answers are live");
    assert_eq!(registry.read(&skill_path("global/two"))["starCount"], 0);
    assert_eq!((head(), of_shard(&registry, "global/two")), (before.clone(), Value::Null));
    assert_eq!(before["counters"]["generation"], 0);
    registry.stop();

    registry.write("config.toml", every(0).as_bytes());
    registry.restart();
    let two = until_stars(&registry, "global/two", 2);
    assert_eq!(two["updatedAt"], updated, "counting is no update");
    all_published(&registry);
    let one = registry.read(&skill_path("global/one"));
    let numbers =
        ["downloadCount", "starCount", "ratingAverage", "ratingCount"].map(|field| one[field].clone());
    assert_eq!(numbers, [json!(0), json!(1), json!(4.5), json!(2)]);
    assert_eq!(
        of_shard(&registry, "global/one"),
        json!({"downloadCount": 0, "starCount": 1, "ratingAverage": 4.5, "ratingCount": 2})
    );
    assert_eq!(slugs(&registry, "stars"), ["two", "one", "three"]);
    assert_eq!(slugs(&registry, "rating"), ["one", "three", "two"]);
    assert_eq!(slugs(&registry, "updated"), ["three", "two", "one"], "that order is as it was");
    for path in ["skills", "skills/_list/_all/stars-1", "skills/global/one"] {
        let file = registry.tree_file(&format!("api/v1/{path}.json"));
        assert_eq!(registry.get(&format!("/api/v1/{path}.json")).expect(200).body, file, "{path}");
    }
    let after = registry.tree_json("api/v1/mirror/head.json");
    assert!(after["counters"]["generation"].as_u64() > Some(0), "{after}");
    for field in ["revision", "at", "pages", "sha256", "epoch"] {
        assert_eq!(after[field], before[field], "counters are no rows: {field}");
    }
    registry.command(["verify"]).ok();
}

#[test]
fn counters_survive_a_restart_and_are_published_once() {
    // A new tree does not say otherwise where it is served.
    let (mut registry, people) = with_skills(&format!("listen = \"127.0.0.1:0\"\n{}", every(0)));
    opinions(&registry, &people);
    all_published(&registry);
    registry.stop();
    let before = registry.tree_bytes();
    registry.restart();
    assert_eq!(registry.read(&skill_path("global/two"))["starCount"], 2);
    // A published counter shows that ticks continue.
    registry.star("global/three", &people[0]).expect(200);
    until_stars(&registry, "global/three", 1);
    settled(&registry);
    let after = registry.tree_bytes();
    for (path, bytes) in &before {
        // The manifest of the search index has the counters, and results of queries show them.
        let shows = ["three", "_list", "/mirror/", "search/_index/manifest", "search/_q/"];
        let is_touched = shows.iter().any(|part| path.contains(part));
        let lists = [
            "api/v1/skills.json",
            "clawhub/api/v1/skills.json",
            "api/v1/search.json",
            "index.html",
            "global/index.html",
            "skills/",
        ];
        let is_list = lists.iter().any(|list| path.starts_with(list));
        assert!(is_touched || is_list || after[path] == *bytes, "{path} was written again");
    }
    // A whole new tree has the same numbers; the server has ended its last tick.
    registry.stop();
    let kept = registry.tree_bytes();
    std::fs::remove_dir_all(registry.public()).unwrap();
    registry.command(["generate"]).ok();
    tree::assert_equal(&registry.tree_bytes(), &kept);
    registry.command(["verify"]).ok();
}

#[test]
fn many_counters_are_published_in_batches() {
    let (registry, [ann, bob]) = with_skills("[mirror]\ncounter_interval = 0\ncounter_batch = 1\n");
    let generation = || registry.tree_json("api/v1/mirror/head.json")["counters"]["generation"].as_u64();
    for slug in ["one", "two", "three"] {
        registry.star(&format!("global/{slug}"), &ann).expect(200);
        registry.star(&format!("global/{slug}"), &bob).expect(200);
    }
    for slug in ["one", "two", "three"] {
        until_stars(&registry, &format!("global/{slug}"), 2);
    }
    eventually("the head has them too", || (generation() >= Some(3)).then_some(()));
    registry.command(["verify"]).ok();
}

#[test]
fn removed_skill_keeps_its_counters() {
    let (registry, [ann, bob]) = with_skills(&every(0));
    let admin = registry.admin();
    registry.star("global/one", &ann).expect(200);
    until_stars(&registry, "global/one", 1);
    registry.remove("global/one", &admin).expect(204);
    assert_eq!(slugs(&registry, "stars"), ["three", "two"]);
    registry.star("global/two", &bob).expect(200);
    until_stars(&registry, "global/two", 1);
    registry.restore("global/one", &admin).expect(200);
    assert_eq!(registry.read(&skill_path("global/one"))["starCount"], 1);
    assert_eq!(slugs(&registry, "stars"), ["one", "two", "three"], "the later update is first");
    registry.command(["verify"]).ok();
}

#[test]
fn followers_have_the_same_counters() {
    let (registry, people) = with_skills(&every(0));
    let mirror = registry.folder().join("mirror");
    let watching =
        Watch::start(registry.folder(), ["--feed", "public", "--public", mirror.to_str().unwrap()]);
    let watching = watching.ready();
    opinions(&registry, &people);
    registry.publish(crate::harness::Skill::named("later")).by(&registry.admin()).expect(201);
    let is_same = || {
        let head = registry.tree_file("api/v1/mirror/head.json");
        (std::fs::read(mirror.join("api/v1/mirror/head.json")).ok()? == head).then_some(())
    };
    all_published(&registry);
    eventually("the mirror has them", is_same);
    tree::assert_equal(&tree::contents(&mirror), &registry.tree_bytes());
    assert_eq!(watching.terminate(), 0);
}

#[test]
fn two_servers_share_their_counters() {
    let (registry, [ann, bob]) = with_skills(&every(0));
    let beside = registry.start_second(&["--no-mirror"]);
    registry.star("global/one", &ann).expect(200);
    let star = beside.client().as_user(&bob).request("POST", "/api/v1/skills/global/one/star", None);
    assert_eq!(star.expect_json(200)["starCount"], 2, "each knows what the other was told");
    until_stars(&registry, "global/one", 2);
    eventually("the other shows the published number", || {
        let shown = beside.client().get(&skill_path("global/one")).expect_json(200);
        (shown["starCount"] == 2).then_some(())
    });
    let list = |client: Client| client.get("/api/v1/skills?sort=stars").expect(200).body;
    eventually("both have the same list", || {
        (list(beside.client()) == list(registry.anonymous())).then_some(())
    });
    registry.command(["verify"]).ok();
}
