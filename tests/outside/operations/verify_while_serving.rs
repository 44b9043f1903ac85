//! `verify` while a server writes.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::harness::{CommandOutput, Registry, Skill};

/// Runs `verify` several times during continuous publishes and returns the outputs.
fn verified_at_work(registry: &Registry) -> Vec<CommandOutput> {
    let admin = registry.admin();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let publisher = scope.spawn(|| {
            let mut number = 0;
            while !done.load(Ordering::SeqCst) {
                let skill = Skill::named(&format!("busy-{}", number % 7)).text(&format!("Text {number}.\n"));
                registry.publish(skill).by(&admin).expect(201);
                number += 1;
            }
            number
        });
        let output = (0..8).map(|_| registry.command(["verify"])).collect();
        done.store(true, Ordering::SeqCst);
        assert!(publisher.join().unwrap() > 1, "it was at work");
        output
    })
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
