//! What a source changes after its first check.

use super::liars::{Lie, place};
use super::{Following, Work};
use crate::harness::{Skill, eventually};

#[test]
fn rejected_content_does_not_come_again_until_it_changes() {
    let (world, work) = (Following::start(), Work::new());
    work.put("hello", &Skill::named("hello").version("1.0.0"));
    work.commit();
    world.follow("git", &work.address(), &[]);
    // A dry run submits nothing, and remembers nothing.
    let dry = world.registry.command(["source", "check", "office", "--dry-run"]);
    let dry = dry.ok().stdout;
    assert!(dry.contains("submitted") && dry.contains("nothing was submitted (--dry-run)"), "{dry}");
    let review = world.submitted("hello");
    let seen = &world.check()["hello"];
    assert_eq!((&seen["outcome"], &seen["version"]), (&"waiting".into(), &"1.0.0".into()), "{seen}");
    world.decide("reject", &review);
    assert_eq!(world.check()["hello"]["outcome"], "rejected");
    // Nor from another source, or after the local data are lost: the history knows it.
    world.registry.command(["source", "remove", "office"]).ok();
    world.follow("git", &work.address(), &[]);
    assert_eq!(world.check()["hello"]["outcome"], "rejected");
    work.put("hello", &Skill::named("hello").version("1.0.0").text("Better.\n"));
    work.commit();
    let review = world.submitted("hello");
    world.decide("approve", &review);
    assert_eq!(world.check()["hello"]["outcome"], "unchanged");
}

#[test]
fn changed_content_under_an_old_version_is_refused_and_shown() {
    let (world, work) = (Following::start(), Work::new());
    work.put("hello", &Skill::named("hello").version("1.0.0"));
    work.put("other", &Skill::named("other"));
    work.commit();
    world.follow("git", &work.address(), &[]);
    world.decide("approve", &world.submitted("hello"));
    work.put("hello", &Skill::named("hello").version("1.0.0").text("Do something else.\n"));
    work.put("other", &Skill::named("other").text("Another text.\n"));
    work.commit();
    let skills = world.check();
    assert_eq!(skills["hello"]["outcome"], "changed", "{skills}");
    assert_eq!(skills["other"]["outcome"], "waiting", "{skills}");
    let shown = world.registry.command(["source", "show", "office"]).ok().stdout;
    assert!(shown.contains("another content under the version 1.0.0, which the registry has"), "{shown}");
    let listed = world.registry.command(["source", "list"]).ok().stdout;
    assert!(listed.contains("2 skills, 1 of them refused"), "{listed}");
    assert_eq!(world.registry.read("/api/v1/skills/tools/hello/versions").as_object().unwrap()["total"], 1);
}

#[test]
fn newer_submission_replaces_the_one_that_waits() {
    let (world, work) = (Following::start(), Work::new());
    work.put("hello", &Skill::named("hello").version("1.0.0").text("Mine.\n"));
    work.commit();
    world.follow("git", &work.address(), &[]);
    let first = world.submitted("hello");
    work.put("hello", &Skill::named("hello").version("1.1.0"));
    work.commit();
    // Not at once: a source that always changes would flood reviewers.
    let seen = &world.check()["hello"];
    assert_eq!(seen["outcome"], "waiting", "{seen}");
    world.set("every = 1\n");
    // Another source of the same account neither replaces it nor comes in between.
    let other = Lie::none().host("index");
    let (place, _) = place("index", &other.base);
    let add = ["source", "add", "other", &place, "--kind", "index", "--into", "@tools", "--as", "curator"];
    world.registry.command([&add[..], &["--private-network"]].concat()).ok();
    let checked = world.registry.command(["source", "check", "other"]).stdout;
    assert!(checked.contains("waits from another source"), "{checked}");
    let second = eventually("the newer one is submitted", || {
        let seen = world.check()["hello"].clone();
        (seen["outcome"] == "submitted").then(|| seen["review"].clone())
    });
    assert_eq!(world.review(&second)["status"], "pending");
    eventually("the first one is withdrawn", || {
        (world.review(&first)["status"] == "withdrawn").then_some(())
    });
    world.decide("approve", &second);
}

#[test]
fn removed_and_renamed_skills_are_told_and_stay() {
    let (world, work) = (Following::start(), Work::new());
    for name in ["hello", "bye", "old"] {
        work.put(name, &Skill::named(name).version("1.0.0"));
    }
    work.commit();
    world.follow("git", &work.address(), &["--publish"]);
    let skills = world.check();
    assert!(skills.as_object().unwrap().values().all(|seen| seen["outcome"] == "published"), "{skills}");
    work.run(&["rm", "--quiet", "-r", "bye"]);
    work.put("old", &Skill::named("new").version("1.0.0"));
    // Moved to another folder, it is the same skill.
    work.run(&["mv", "hello", "moved"]);
    work.commit();
    let skills = world.check();
    assert_eq!(skills["bye"]["outcome"], "removed", "{skills}");
    assert_eq!(skills["moved"]["outcome"], "unchanged", "{skills}");
    assert_eq!(skills.get("hello"), None, "{skills}");
    let renamed = skills["old"]["message"].as_str().unwrap();
    assert!(renamed.contains("called it `old` before"), "{skills}");
    for slug in ["hello", "bye", "old", "new"] {
        eventually("it stays", || {
            (world.registry.get(&format!("/tools/{slug}/")).status == 200).then_some(())
        });
    }
}
