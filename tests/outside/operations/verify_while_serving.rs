//! `verify` while a server writes.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::harness::{CommandOutput, Registry, Skill};

/// Publications during each run of `verify`. It looks again at what has changed, and is done in a quiet moment.
const AT_WORK: usize = 30;

/// Runs `verify` several times during publications and returns the outputs.
fn verified_at_work(registry: &Registry) -> Vec<CommandOutput> {
    let admin = registry.admin();
    let publish = |number: usize| {
        let skill = Skill::named(&format!("busy-{}", number % 7)).text(&format!("Text {number}.\n"));
        registry.publish(skill).by(&admin).expect(201);
    };
    let meanwhile = AtomicUsize::new(0);
    let verify = |round: usize| {
        std::thread::scope(|scope| {
            let before = meanwhile.load(Ordering::SeqCst);
            scope.spawn(|| {
                for number in round * AT_WORK..(round + 1) * AT_WORK {
                    publish(number);
                    meanwhile.fetch_add(1, Ordering::SeqCst);
                }
            });
            let output = registry.command(["verify"]);
            (output, meanwhile.load(Ordering::SeqCst) - before)
        })
    };
    let (outputs, published): (Vec<_>, Vec<_>) = (0..8).map(verify).unzip();
    assert!(published.iter().sum::<usize>() > 1, "something was published meanwhile");
    outputs
}

#[test]
fn verify_during_writes_reports_no_difference() {
    let registry = Registry::start();
    for number in 0..20 {
        registry.publish(Skill::named(&format!("quiet-{number}"))).by(&registry.admin()).expect(201);
    }
    for output in verified_at_work(&registry) {
        output.ok();
    }
}

#[test]
fn verify_during_writes_finds_damage() {
    let registry = Registry::start();
    registry.publish(Skill::named("quiet")).by(&registry.admin()).expect(201);
    let damaged = "api/v1/skills/global/quiet.json";
    std::fs::write(registry.public().join(damaged), "{}").unwrap();
    let strange = "api/v1/skills/stranger.txt";
    std::fs::write(registry.public().join(strange), "").unwrap();
    let missing = "api/v1/skills/global/quiet/versions.json";
    std::fs::remove_file(registry.public().join(missing)).unwrap();
    for output in verified_at_work(&registry) {
        assert_eq!(output.code, 1, "{output:?}");
        let mut named: Vec<&str> = output.stdout.split_whitespace().collect();
        named.sort_unstable();
        assert_eq!(named, [damaged, missing, strange, "differs", "missing", "unexpected"], "{output:?}");
    }
}
