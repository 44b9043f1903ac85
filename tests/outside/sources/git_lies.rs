//! Repositories that lie.

use super::liars::refusal;
use super::{Following, Work};
use crate::harness::{FakeHost, Reply, Skill, noise};

#[test]
fn lies_of_a_git_repository_are_refused() {
    let world = Following::with("[limits]\nfile = 100000\nfiles = 50\n");
    let work = Work::new();
    work.put("good", &Skill::named("good").version("1.0.0"));
    work.put("large", &Skill::named("large").file("a", noise(200_000, 1)));
    work.put("secret", &Skill::named("secret").file(".env", "TOKEN=abc"));
    let many = (0..60).fold(Skill::named("many"), |skill, n| skill.file(&format!("{n}.txt"), "x"));
    work.put("many", &many);
    work.put("broken", &Skill::of_text(b"no front matter"));
    work.put("same", &Skill::named("good").version("2.0.0").text("Another one.\n"));
    work.put("linked", &Skill::named("linked"));
    std::os::unix::fs::symlink("/etc/passwd", format!("{}/linked/passwd", work.address())).unwrap();
    work.put("module", &Skill::named("module"));
    let commit = work.commit();
    work.run(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},module/inner")]);
    work.run(&["commit", "--quiet", "--message", "A submodule"]);
    world.follow("git", &work.address(), &[]);
    let skills = world.check();
    assert_eq!(skills["good"]["outcome"], "submitted", "{skills}");
    for (folder, says) in [
        ("large", "larger than"),
        ("secret", ".env"),
        ("many", "files"),
        ("broken", "front matter"),
        ("same", "another skill of the source has the name `good`"),
        ("linked", "passwd is a symbolic link"),
        ("module", "inner is a submodule"),
    ] {
        let why = skills[folder]["message"].as_str().unwrap_or_default();
        assert!(skills[folder]["outcome"] == "refused" && why.contains(says), "{folder}: {skills}");
    }
    world.registry.command(["source", "remove", "office"]).ok();
    // A tree that leads out of its folder: git refuses to fetch it.
    let evil = Work::new();
    evil.put("a", &Skill::named("a"));
    evil.commit();
    evil.leads_up("a");
    let mut checks = vec![(evil.address(), "git says")];
    let page = FakeHost::answering(|_| Reply::page());
    checks.push((format!("{}/a.git", page.base), "cannot be fetched: git says"));
    let elsewhere = page.base.clone();
    let redirecting = FakeHost::answering(move |_| Reply::redirect(302, &format!("{elsewhere}/b.git")));
    checks.push((format!("{}/a.git", redirecting.base), "cannot be fetched: git says"));
    let empty = Work::new();
    empty.put("a", &Skill::without_entry().file("README", "x"));
    empty.commit();
    checks.push((empty.address(), "no SKILL.md"));
    let large = Work::new();
    large.put("a", &Skill::named("a").file("b", noise(3 << 20, 2)));
    large.commit();
    checks.push((large.address(), "bytes (max_bytes)"));
    let crowd = Work::new();
    for n in 0..501 {
        crowd.put(&format!("s{n}"), &Skill::named(&format!("s{n}")));
    }
    crowd.commit();
    checks.push((crowd.address(), "at most 500 are taken"));
    for (address, says) in checks {
        world.follow("git", &address, &[]);
        world.set("max_time = 30\nmax_bytes = 1000000\n");
        let why = refusal(&world.checked());
        assert!(why.contains(says), "{address}: {why}");
        world.registry.command(["source", "remove", "office"]).ok();
    }
}
