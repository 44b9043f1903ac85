//! Acknowledged writes survive SIGKILL at any moment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use serde_json::json;

use crate::harness::{Registry, Skill, User, eventually, noise, tree};

const ROUNDS: usize = 50;
const WRITERS: usize = 3;
/// Large enough for a kill to hit in the middle of writing it.
const LARGE: usize = 400_000;
/// The writers make more tokens than one person may have.
const CONFIG: &str = "[limits]\ntokens_per_person = 1000000\n";

/// An acknowledged write.
#[derive(Debug)]
enum Kept {
    Version { slug: String, version: String, sha256: String, contents: Vec<u8> },
    Tag { slug: String, tag: String, version: String },
    Token(String),
}

/// Publishes, sets tags and makes tokens until the server is gone, and tells of each
/// acknowledgement.
fn write(
    registry: &Registry,
    admin: &User,
    round: usize,
    writer: usize,
    kept: &mpsc::Sender<Kept>,
    gone: &AtomicBool,
) {
    for n in 0.. {
        let slug = format!("skill-{writer}-{}", n % 4);
        let version = format!("{round}.{n}.0");
        let seed = (round * 1000 + writer * 100 + n) as u64;
        let size = if n % 3 == 0 { LARGE } else { 10 };
        let skill =
            Skill::named(&slug).text(&format!("{round} {writer} {n}")).file("data", noise(size, seed));
        let contents = skill.skill_md();
        let response = registry.publish(skill).version(&version).tags("newest").try_by(admin);
        let Ok(response) = response else { break };
        let sha256 = response.expect_json(201)["sha256"].as_str().unwrap().to_owned();
        let published = Kept::Version { slug: slug.clone(), version: version.clone(), sha256, contents };
        if kept.send(published).is_err() {
            break;
        }
        let client = registry.as_user(admin).with("content-type", "application/json");
        let tag = format!("of-{round}-{n}");
        let path = format!("/api/v1/skills/global/{slug}/tags/{tag}");
        let body = json!({ "version": version }).to_string().into_bytes();
        let Ok(response) = client.try_request("PUT", &path, Some(body)) else { break };
        response.expect(201);
        if kept.send(Kept::Tag { slug, tag, version }).is_err() {
            break;
        }
        let body = json!({ "name": format!("{round}-{writer}-{n}") }).to_string().into_bytes();
        let Ok(response) = client.try_request("POST", "/api/v1/tokens", Some(body)) else { break };
        let token = response.expect_json(201)["token"].as_str().unwrap().to_owned();
        if kept.send(Kept::Token(token)).is_err() {
            break;
        }
    }
    gone.store(true, Ordering::Relaxed);
}

fn assert_kept(registry: &Registry, kept: &Kept) {
    match kept {
        Kept::Version { slug, version, sha256, contents } => {
            let package = registry.get(&format!("/api/v1/download/{slug}/{version}")).expect(200);
            assert_eq!(crate::harness::sha256(&package.body), *sha256, "{slug} {version}");
            assert_eq!(tree::unpacked(&package.body)["SKILL.md"].0, *contents, "{slug} {version}");
            // The tag went along, and only a later version may have it by now.
            let tagged = registry.read(&format!("/api/v1/skills/global/{slug}/resolve?tag=newest"));
            let tagged = tagged["version"].as_str().unwrap();
            assert!(numbers(tagged) >= numbers(version), "{slug}: {tagged} and not {version} is the newest");
        }
        Kept::Tag { slug, tag, version } => {
            let tagged = registry.read(&format!("/api/v1/skills/global/{slug}/resolve?tag={tag}"));
            assert_eq!(tagged["version"], *version, "{slug} {tag}");
        }
        Kept::Token(token) => {
            let user = User { handle: "admin".into(), token: token.clone() };
            registry.as_user(&user).get("/api/v1/whoami").expect(200);
        }
    }
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|number| number.parse().unwrap()).collect()
}

/// Nothing that a killed process has begun is anywhere.
fn assert_nothing_is_left_over(registry: &Registry) {
    let known = ["admin-token", "journal.sqlite", "local.sqlite", "lock"];
    for file in tree::files(&registry.data()) {
        let is_database = file.strip_suffix("-wal").or(file.strip_suffix("-shm"));
        let is_blob = file.starts_with("blobs/") && !file.starts_with("blobs/tmp/");
        assert!(
            is_blob || known.contains(&is_database.unwrap_or(&file)),
            "{file} is left in the data folder"
        );
    }
    assert_eq!(std::fs::read_dir(registry.data().join("blobs/tmp")).unwrap().count(), 0);
    // Answers to queries are still being made again, one file at a time.
    eventually("the state folder has nothing else", || {
        (tree::files(&registry.folder().join("public.state")) == ["changes", "cursor.json", "lock"])
            .then_some(())
    });
}

#[test]
fn acknowledged_writes_survive_a_kill_completely() {
    let mut registry = Registry::with_config(CONFIG);
    let admin = registry.admin();
    for round in 1..=ROUNDS {
        let (sender, receiver) = mpsc::channel();
        let gone = AtomicBool::new(false);
        // Every round ends after another number of acknowledgements, while the
        // other writers are somewhere in the middle of theirs.
        let enough = 1 + round * 7 % 13;
        let mut kept = Vec::new();
        let process = registry.process();
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (registry, admin, sender, gone) = (&registry, &admin, sender.clone(), &gone);
                scope.spawn(move || write(registry, admin, round, writer, &sender, gone));
            }
            drop(sender);
            kept.extend(receiver.iter().take(enough));
            process.kill();
            kept.extend(receiver.iter());
        });
        assert!(gone.load(Ordering::Relaxed) && kept.len() >= enough);
        registry.kill();
        registry.restart();
        assert_nothing_is_left_over(&registry);
        if round % 10 == 0 {
            registry.command(["verify"]).ok();
        }
        kept.iter().for_each(|kept| assert_kept(&registry, kept));
    }
    registry.stop();
    registry.command(["verify"]).ok();
    registry.command(["journal", "check"]).ok();
    assert_nothing_is_left_over(&registry);
}
