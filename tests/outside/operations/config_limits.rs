//! Limits of numeric settings.

use crate::harness::Registry;

const SECONDS: [&str; 5] = [
    "mirror.wait_timeout",
    "limits.header_timeout",
    "limits.body_timeout",
    "limits.write_timeout",
    "limits.shutdown_timeout",
];

fn setting(key: &str, value: i64) -> String {
    let (section, name) = key.split_once('.').unwrap();
    format!("[{section}]\n{name} = {value}\n")
}

#[test]
fn duration_over_a_day_is_refused() {
    for key in SECONDS {
        for value in [86_401, i64::MAX] {
            let registry = Registry::configured(&setting(key, value));
            let output = registry.command(["user", "list"]);
            assert_eq!(output.code, 1, "{key} = {value}: {output:?}");
            assert!(output.stderr.contains(key) && output.stderr.contains("86400"), "{output:?}");
            assert!(!registry.data().exists(), "nothing was made: {output:?}");
        }
    }
}

#[test]
fn longest_durations_work() {
    let toml = "[mirror]\nwait_timeout = 86400\n[limits]\nheader_timeout = 86400\nbody_timeout = 86400\n\
                write_timeout = 86400\nshutdown_timeout = 86400\n";
    let mut registry = Registry::with_config(toml);
    registry.user("ann");
    registry.publish(crate::harness::Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.command(["verify"]).ok();
    registry.stop();
}

#[test]
fn too_many_connections_are_refused() {
    let registry = Registry::configured(&setting("limits.connections", i64::MAX));
    let output = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("limits.connections"), "{output:?}");
}

#[test]
fn header_size_outside_its_limits_is_refused() {
    for (value, bound) in [(0, "8192"), (8_191, "8192"), ((1 << 20) + 1, "1048576"), (i64::MAX, "1048576")] {
        let registry = Registry::configured(&setting("limits.header", value));
        let output = registry.command(["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(output.code, 1, "{value}: {output:?}");
        assert!(output.stderr.contains("limits.header") && output.stderr.contains(bound), "{output:?}");
        assert!(!registry.data().exists(), "nothing was made: {output:?}");
    }
    for value in [8_192, 1 << 20] {
        let mut registry = Registry::with_config(&setting("limits.header", value));
        registry.command(["verify"]).ok();
        registry.stop();
    }
}
