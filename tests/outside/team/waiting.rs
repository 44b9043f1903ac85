//! Submissions that wait, as those see them who may.

use crate::harness::{Home, Registry, Skill};

use super::{at_home, pending, publish};

#[test]
fn waiting_version_is_named_to_submitter_and_reviewer_only() {
    let registry = Registry::start();
    let ((ann, owner), (bob, member), (eve, _)) =
        (at_home(&registry, "ann"), at_home(&registry, "bob"), at_home(&registry, "eve"));
    registry.reviewing_team("acme", &owner);
    registry.join("acme", &owner, &member, "member");
    publish(&bob, &Skill::named("hello"), "acme", "1.0.0");
    let id = pending(&ann, "acme");
    let waits =
        format!("@acme/hello 1.0.0 is not public at {} yet: it waits for review {id}", registry.base());
    let show = format!("`skillmirror review show acme {id}`");
    for words in [["info", "@acme/hello"], ["resolve", "@acme/hello@1.0.0"], ["install", "@acme/hello"]] {
        let why = bob.refusal("not_found", &words);
        assert!(why.contains(&waits) && why.contains(&show) && why.contains("`skillmirror me`"), "{why}");
        let why = ann.refusal("not_found", &words);
        assert!(why.contains(&waits) && why.contains(&show) && !why.contains("skillmirror me`"), "{why}");
        for home in [&eve, &Home::new().with("CLI_REGISTRY", registry.base())] {
            let why = home.refusal("not_found", &words);
            assert!(why.contains("no skill @acme/hello at") && !why.contains("review"), "{why}");
        }
    }
    // Another version than the one that waits.
    let why = bob.refusal("not_found", &["info", "@acme/hello@2.0.0"]);
    assert!(!why.contains("review"), "{why}");

    // A new version of a public skill.
    ann.run(&["review", "approve", "acme", &id]).ok();
    publish(&bob, &Skill::named("hello").text("Say hello to all.\n"), "acme", "1.1.0");
    let why = bob.refusal("not_found", &["info", "@acme/hello@1.1.0"]);
    assert!(why.contains("@acme/hello 1.1.0 is not public"), "{why}");
    assert!(bob.run(&["info", "@acme/hello"]).ok().stdout.contains("1.0.0"));
}

#[test]
fn submission_is_withdrawn_by_its_submitter_only() {
    let registry = Registry::start();
    let ((ann, owner), (bob, member), (eve, other)) =
        (at_home(&registry, "ann"), at_home(&registry, "bob"), at_home(&registry, "eve"));
    registry.reviewing_team("acme", &owner);
    registry.join("acme", &owner, &member, "member");
    registry.join("acme", &owner, &other, "member");
    let printed = publish(&bob, &Skill::named("hello"), "acme", "1.0.0");
    let id = pending(&ann, "acme");
    let command = format!("skillmirror review withdraw acme {id}");
    assert!(printed.contains(&format!("`{command}` takes it back")), "{printed}");

    eve.refusal("forbidden", &["review", "withdraw", "acme", &id]);
    let why = ann.refusal("forbidden", &["review", "withdraw", "acme", &id]);
    assert!(why.contains("reject it instead"), "{why}");
    ann.refusal("not_found", &["review", "withdraw", "acme", "999999"]);
    // It is the submitter's also in a namespace where nothing else happens.
    ann.run(&["namespace", "set", "acme", "--status", "frozen", "--yes"]).ok();
    let printed = bob.run(&["review", "withdraw", "acme", &id]).ok().stdout;
    assert_eq!(printed, format!("withdrew review {id}: @acme/hello 1.0.0 stays unpublished\n"));
    let why = bob.refusal("conflict", &["review", "withdraw", "acme", &id]);
    assert!(why.contains("was withdrawn already"), "{why}");
    ann.refusal("conflict", &["review", "approve", "acme", &id]);
    ann.run(&["namespace", "set", "acme", "--status", "active"]).ok();
    assert!(bob.run(&["me"]).ok().stdout.contains("withdrawn"));
    assert_eq!(ann.json(&["review", "list", "acme"])["total"], 0);
    let acts = registry.command(["audit", "--user", "bob"]).ok().stdout;
    assert!(acts.contains(&format!("withdrew the review {id} of acme--hello 1.0.0")), "{acts}");

    // The same content can be submitted again.
    let printed = publish(&bob, &Skill::named("hello"), "acme", "1.0.0");
    assert!(printed.contains("it waits for review "), "{printed}");
    assert_ne!(pending(&ann, "acme"), id);
}

#[test]
fn promotion_is_withdrawn_by_the_person_who_asked_for_it() {
    let registry = Registry::start();
    let (ann, owner) = at_home(&registry, "ann");
    registry.team("acme", &owner);
    registry.versions("acme/hello", &["1.0.0"], &owner);
    let id = ann.json(&["promote", "@acme/hello"])["id"].as_str().unwrap().to_owned();
    ann.run(&["review", "withdraw", "global", &id]).ok();
    assert_ne!(ann.json(&["promote", "@acme/hello"])["id"], id, "it can be asked for again");
}
