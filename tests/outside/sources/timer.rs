//! A running server checks its sources by itself.

use super::{Following, Work};
use crate::harness::{FakeHost, Reply, Skill, eventually};

#[test]
fn server_checks_sources_when_they_are_due_and_one_that_is_away_does_not_matter() {
    let work = Work::new();
    work.put("hello", &Skill::named("hello").version("1.0.0"));
    work.commit();
    let world = Following::with("[metrics]\nlisten = 0\n");
    let away = FakeHost::answering(|_| Reply::status(503));
    world.follow("git", &work.address(), &["--publish"]);
    world.set("every = 1\n");
    let index = format!("{}/.well-known/skills/index.json", away.base);
    let add = ["source", "add", "away", &index, "--kind", "index", "--into", "@tools", "--private-network"];
    world.registry.command(add).ok();
    world.registry.process().hang_up();
    let is_there = || world.registry.get("/api/v1/skills/tools/hello/versions/1.0.0").status == 200;
    eventually("the server has taken the skill", || is_there().then_some(()));
    work.put("hello", &Skill::named("hello").version("1.1.0"));
    work.commit();
    let page = || world.registry.get("/tools/hello/1.1.0/").status == 200;
    eventually("the server has taken the next version", || page().then_some(()));
    let printed = world.registry.printed();
    let metrics = printed.lines().find_map(|line| line.strip_prefix("metrics are at ")).unwrap();
    let (host, path) = metrics.split_at(metrics.len() - "/metrics".len());
    let metrics = crate::harness::Client::of(host).get(path).text();
    for line in [
        "skillmirror_source_failing{source=\"away\"} 1",
        "skillmirror_source_failing{source=\"office\"} 0",
        "skillmirror_source_refused{source=\"office\"} 0",
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    let log = std::fs::read_to_string(world.registry.folder().join("serve.log")).unwrap();
    assert!(log.contains("took a skill") && log.contains("status 503"), "{log}");
    // The next check of the one that fails comes later.
    let shown = world.registry.command(["source", "list"]).ok().stdout;
    assert!(shown.contains("answered with status 503"), "{shown}");
}
