//! Each kind of source, through a review to an installed skill whose page and offline proof say where it is from.

use std::fs;

use serde_json::json;

use super::{Following, Work};
use crate::harness::{Nginx, Project, Registry, Skill, StaticHost, sha256};

#[test]
fn git_repository_in_a_folder_is_followed_at_its_tags() {
    let (world, work) = (Following::start(), Work::new());
    work.put("skills/hello", &Skill::named("hello").executable("scripts/run.sh", "#!/bin/sh\n"));
    let first = work.commit();
    work.tag("v1.0.0");
    world.follow("git", &work.address(), &["--tags", "v*", "--folder", "skills"]);
    let review = world.submitted("skills/hello");
    assert_eq!(world.review(&review)["version"], "1.0.0");
    // The folders of the machine are not shown.
    world.installed(&review, "hello", &format!("file:work at {first}"));
    // The branch goes on, and only a tag counts.
    work.put("skills/hello", &Skill::named("hello").text("Another text.\n"));
    let second = work.commit();
    assert_eq!(world.check()["skills/hello"]["outcome"], "unchanged");
    work.tag("v1.2.0");
    work.tag("v1.3.0-rc.1");
    work.tag("nightly");
    let review = world.submitted("skills/hello");
    world.installed(&review, "hello", &format!("file:work at {second}"));
}

#[test]
fn git_repository_over_http_is_followed_at_a_branch() {
    let world = Following::start();
    let other = Registry::with_config("[mirror]\ngit = true\n");
    let bob = other.user("bob");
    other.team("office", &bob);
    other.publish(Skill::named("minutes").version("1.4.0")).to("office").by(&bob).expect(201);
    let address = format!("{}/office/minutes.git", other.base());
    world.follow("git", &address, &[]);
    let review = world.submitted(".");
    let listed = crate::harness::Git::new().line(".", &["ls-remote", &address, "HEAD"]);
    let commit = listed.split_whitespace().next().unwrap();
    world.installed(&review, "minutes", &format!("{} at {commit}", address.trim_end_matches(".git")));
}

#[test]
fn namespaces_of_another_registry_are_followed() {
    let world = Following::start();
    let other = Registry::start();
    let bob = other.user("bob");
    other.team("office", &bob);
    other.team("private-things", &bob);
    other.versions("office/minutes", &["1.0.0", "1.1.0"], &bob);
    other.versions("private-things/secret", &["1.0.0"], &bob);
    world.follow("registry", other.base(), &["--namespace", "office"]);
    let review = world.submitted("office/minutes");
    assert_eq!(world.check().as_object().unwrap().len(), 1);
    let document = other.read("/api/v1/skills/office/minutes/versions/1.1.0");
    let path = "api/v1/skills/office/minutes/versions/1.1.0/download.zip";
    let place = format!("{}/{path} at sha256:{}", other.base(), document["sha256"].as_str().unwrap());
    world.installed(&review, "minutes", &place);
    // It is not from a job, whatever its address is.
    let project = Project::new();
    let base = world.registry.base();
    project.run(&format!("trust add {base} --yes")).ok();
    let host = other.base().trim_start_matches("http://").split(':').next().unwrap();
    project.run(&format!("trust require-provenance {host}/*")).ok();
    let why = project.refused(base, "install @tools/minutes", "policy");
    assert!(why.contains("taken from http://"), "{why}");
    project.run(&format!("trust require-provenance {}/*", other.base())).ok();
    project.run_with(base, "install @tools/minutes").ok();
}

#[test]
fn index_of_skills_is_followed_from_nginx() {
    let world = Following::start();
    let folder = tempfile::tempdir().unwrap();
    let (site, scratch) = (folder.path().join("site"), folder.path().join("scratch"));
    let zip = Skill::named("poem").version("2.0.0").zip();
    let alone = Skill::named("letter").skill_md();
    let index = json!({
        "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
        "skills": [
            {"name": "poem", "type": "archive", "description": "Poems.", "url": "poem.zip",
             "digest": format!("sha256:{}", sha256(&zip))},
            {"name": "letter", "type": "skill-md", "description": "Letters.", "url": "/letter/SKILL.md",
             "digest": format!("sha256:{}", sha256(&alone))},
        ],
    });
    fs::create_dir_all(site.join(".well-known/agent-skills")).unwrap();
    fs::create_dir_all(site.join("letter")).unwrap();
    fs::create_dir_all(&scratch).unwrap();
    fs::write(site.join(".well-known/agent-skills/index.json"), index.to_string()).unwrap();
    fs::write(site.join(".well-known/agent-skills/poem.zip"), &zip).unwrap();
    fs::write(site.join("letter/SKILL.md"), &alone).unwrap();
    let nginx = Nginx::over(&site, &scratch, "", &[]);
    let base = format!("{}/.well-known/agent-skills", nginx.base);
    world.follow("index", &format!("{base}/index.json"), &[]);
    let skills = world.check();
    // Without a version, it has that of the day.
    let today = jiff::Timestamp::now().to_string()[..10].replace("-0", "-").replace('-', ".");
    assert_eq!(skills["letter"]["version"], json!(today), "{skills}");
    let review = json!(skills["poem"]["message"].as_str().unwrap().strip_prefix("review ").unwrap());
    world.installed(&review, "poem", &format!("{base}/poem.zip at sha256:{}", sha256(&zip)));
}

#[test]
fn older_index_of_skills_is_followed() {
    let world = Following::start();
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join(".well-known/skills");
    let skill = Skill::named("poem").file("verses/a b.txt", "Roses are red.\n");
    skill.write_to(&below.join("poem"));
    let index = json!({"skills": [{"name": "poem", "description": "Poems.", "files": ["verses/a b.txt", "SKILL.md"]}]});
    fs::write(below.join("index.json"), index.to_string()).unwrap();
    let host = StaticHost::over(folder.path());
    world.follow("index", &format!("{}/.well-known/skills/index.json", host.base), &[]);
    let review = world.submitted("poem");
    let place =
        format!("{}/.well-known/skills/poem/SKILL.md at sha256:{}", host.base, sha256(&skill.skill_md()));
    world.installed(&review, "poem", &place);
    assert_eq!(world.check()["poem"]["outcome"], "unchanged");
}

#[test]
fn marketplace_of_archives_is_followed() {
    let world = Following::start();
    let other = Registry::with_config("public_url = \"http://market.example.org\"\n");
    let bob = other.user("bob");
    other.team("office", &bob);
    other.publish(Skill::named("minutes")).to("office").version("3.0.0").by(&bob).expect(201);
    // A copy of what a registry writes, at the address of a host of files.
    let host = StaticHost::over(&other.public());
    let file = other.public().join("office/.claude-plugin/marketplace.json");
    let text = crate::harness::eventually("the marketplace is written", || fs::read_to_string(&file).ok());
    let text =
        text.replace("http://market.example.org", &host.base).replace("/download\"", "/download.zip\"");
    fs::write(other.public().join("market.json"), text).unwrap();
    world.follow("marketplace", &format!("{}/market.json", host.base), &[]);
    let review = world.submitted("minutes");
    let document = other.read("/api/v1/skills/office/minutes/versions/3.0.0");
    let path = "api/v1/skills/office/minutes/versions/3.0.0/download.zip";
    let place = format!("{}/{path} at sha256:{}", host.base, document["sha256"].as_str().unwrap());
    world.installed(&review, "minutes", &place);
}

#[test]
fn clawhub_registry_is_followed() {
    let world = Following::start();
    let other = Registry::start();
    let bob = other.user("bob");
    other.team("office", &bob);
    other.versions("office/minutes", &["1.0.0", "1.1.0"], &bob);
    let address = format!("{}/clawhub", other.base());
    world.follow("clawhub", &address, &["--skill", "office--minutes"]);
    let review = world.submitted("office--minutes");
    let document = other.read("/api/v1/skills/office/minutes/versions/1.1.0");
    let place =
        format!("{address}/api/v1/skills/office--minutes at sha256:{}", document["sha256"].as_str().unwrap());
    world.installed(&review, "minutes", &place);
    assert_eq!(world.check()["office--minutes"]["outcome"], "unchanged");
}
