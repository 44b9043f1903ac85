//! What was acknowledged survives `kill -9` at any moment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use serde_json::json;

use super::harness::{Registry, Skill, User, tree};

const ROUNDS: usize = 50;
const WRITERS: usize = 3;

/// Something that the server said it has kept.
#[derive(Debug)]
enum Kept {
    Version { slug: String, version: String, sha256: String, contents: Vec<u8> },
    Token(String),
}

/// Publishes and makes tokens until the server is gone, and tells of each
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
        let skill = Skill::named(&slug).text(&format!("{round} {writer} {n}"));
        let contents = skill.skill_md();
        let answer = registry.publish(skill).version(&version).tags("newest").try_by(admin);
        let Ok(answer) = answer else { break };
        let sha256 = answer.expect_json(201)["sha256"].as_str().unwrap().to_owned();
        if kept.send(Kept::Version { slug, version, sha256, contents }).is_err() {
            break;
        }
        let body = json!({ "name": format!("{round}-{writer}-{n}") }).to_string().into_bytes();
        let client = registry.as_user(admin).with("content-type", "application/json");
        let Ok(answer) = client.try_request("POST", "/api/v1/tokens", Some(body)) else { break };
        let token = answer.expect_json(201)["token"].as_str().unwrap().to_owned();
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
            assert_eq!(super::harness::sha256(&package.body), *sha256, "{slug} {version}");
            assert_eq!(tree::unpacked(&package.body)["SKILL.md"].0, *contents, "{slug} {version}");
        }
        Kept::Token(token) => {
            let user = User { handle: "admin".into(), token: token.clone() };
            registry.as_user(&user).get("/api/v1/whoami").expect(200);
        }
    }
}

#[test]
fn acknowledged_writes_survive_and_nothing_is_there_in_part() {
    let mut registry = Registry::start();
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
        registry.start_again();
        kept.iter().for_each(|kept| assert_kept(&registry, kept));
    }
    registry.stop();
    registry.command(["verify"]).ok();
    let temporary = registry.folder().join("public.state/tmp");
    assert_eq!(std::fs::read_dir(temporary).unwrap().count(), 0);
}
