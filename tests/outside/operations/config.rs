//! The configuration and exit codes.

use serde_json::json;

use crate::harness::{CommandOutput, Registry, run};

fn refused(toml: &str) -> CommandOutput {
    let registry = Registry::configured(toml);
    let output = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.code, 1, "{toml}: {output:?}");
    assert!(output.stderr.contains("config.toml"), "it names the file: {output:?}");
    output
}

#[test]
fn unknown_key_is_named() {
    assert!(refused("listn = \"127.0.0.1:0\"\n").stderr.contains("listn"));
    let nested = refused("[mirror]\nwait_timeut = 5\n");
    assert!(nested.stderr.contains("wait_timeut") && nested.stderr.contains("mirror"), "{nested:?}");
    let table = refused("[mirorr]\nwait_timeout = 5\n");
    assert!(table.stderr.contains("mirorr"), "{table:?}");
}

#[test]
fn invalid_value_is_named_with_its_key() {
    for (toml, key) in [
        ("[mirror]\nwait_timeout = \"soon\"\n", "mirror.wait_timeout"),
        ("[mirror]\ncounter_interval = -1\n", "mirror.counter_interval"),
        ("[namespaces]\ncreation = \"sometimes\"\n", "namespaces.creation"),
        ("public_url = \"not a url\"\n", "public_url"),
        ("listen = 80800\n", "listen"),
    ] {
        let output = refused(toml);
        assert!(output.stderr.contains(key), "{key} is not named: {output:?}");
    }
}

#[test]
fn listen_of_another_kind_says_what_to_write() {
    for value in ["80800", "-1", "true", "[1]"] {
        let output = refused(&format!("listen = {value}\n"));
        for part in ["listen", "an address like \"127.0.0.1:8080\", or a port from 0 to 65535"] {
            assert!(output.stderr.contains(part), "{value}: {output:?}");
        }
    }
}

#[test]
fn invalid_toml_is_named_with_its_line() {
    let output = refused("data = \"x\"\nlisten = = 5\n");
    assert!(output.stderr.contains("line 2"), "{output:?}");
}

#[test]
fn missing_config_file_is_refused() {
    let registry = Registry::not_started();
    let output = registry.command(["serve", "--config", "nowhere.toml"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("nowhere.toml"), "{output:?}");
}

#[test]
fn every_subcommand_checks_the_config() {
    let registry = Registry::configured("listn = 5\n");
    for command in [&["user", "list"][..], &["generate"], &["verify"]] {
        let output = registry.command(command);
        assert_eq!(output.code, 1, "{command:?}: {output:?}");
        assert!(output.stderr.contains("listn"), "{command:?}: {output:?}");
    }
}

#[test]
fn config_in_the_working_folder_is_the_default() {
    let registry = Registry::not_started();
    registry.write("config.toml", b"listn = 5\n");
    let output = registry.command(["serve"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("listn") && output.stderr.contains("config.toml"), "{output:?}");
}

#[test]
fn documented_config_is_valid() {
    let documented = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("config.toml");
    let toml = std::fs::read_to_string(documented).expect("config.toml documents every setting");
    let registry = Registry::with_config(&toml);
    registry.get("/healthz").expect(200);
}

#[test]
fn usage_error_exits_2_and_help_exits_0() {
    let registry = Registry::not_started();
    for arguments in [&["fly"][..], &["serve", "--wings"], &["user", "add"], &["token", "issue", "ann"], &[]]
    {
        let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
        let output = run(registry.folder(), &arguments);
        assert_eq!(output.code, 2, "{arguments:?}: {output:?}");
        assert!(output.stderr.contains("Usage"), "{arguments:?}: {output:?}");
    }
    for arguments in [&["--help"][..], &["--version"], &["serve", "--help"], &["import", "--help"]] {
        let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
        let output = run(registry.folder(), &arguments);
        assert_eq!(output.code, 0, "{arguments:?}: {output:?}");
        assert!(output.stdout.contains("skillmirror"), "{arguments:?}: {output:?}");
    }
    assert!(!registry.data().exists(), "nothing was made");
}

#[test]
fn refused_command_gives_its_reason_on_stderr() {
    let mut registry = Registry::start();
    registry.stop();
    let output = registry.command(["user", "disable", "nobody"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("nobody") && !output.stderr.contains("panicked"), "{output:?}");
}

#[test]
fn write_limit_is_configurable() {
    let registry = Registry::with_config("[limits]\nwrites_per_minute = 3\n");
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    for slug in ["one", "two", "three"] {
        registry.team(slug, &ann);
    }
    let late = registry.as_user(&ann).post_json("/api/v1/namespaces", &json!({"slug": "four"}));
    late.problem(429, "rate_limited");
    let wait: u64 = late.require_header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    registry.as_user(&ann).get("/api/v1/whoami").expect(200);
    registry.team("bobs", &bob);
}
