//! The configuration, and how the command ends.

use serde_json::json;

use crate::harness::{Ran, Registry, run};

fn refused(toml: &str) -> Ran {
    let registry = Registry::configured(toml);
    let ran = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(ran.code, 1, "{toml}: {ran:?}");
    assert!(ran.err.contains("config.toml"), "it names the file: {ran:?}");
    ran
}

#[test]
fn an_unknown_key_is_named() {
    assert!(refused("listn = \"127.0.0.1:0\"\n").err.contains("listn"));
    let nested = refused("[mirror]\nwait_timeut = 5\n");
    assert!(nested.err.contains("wait_timeut") && nested.err.contains("mirror"), "{nested:?}");
    let table = refused("[mirorr]\nwait_timeout = 5\n");
    assert!(table.err.contains("mirorr"), "{table:?}");
}

#[test]
fn a_bad_value_is_named_with_its_key() {
    for (toml, key) in [
        ("[mirror]\nwait_timeout = \"soon\"\n", "mirror.wait_timeout"),
        ("[mirror]\ncounter_interval = -1\n", "mirror.counter_interval"),
        ("[namespaces]\ncreation = \"sometimes\"\n", "namespaces.creation"),
        ("public_url = \"not a url\"\n", "public_url"),
        ("listen = 8080\n", "listen"),
    ] {
        let ran = refused(toml);
        assert!(ran.err.contains(key), "{key} is not named: {ran:?}");
    }
}

#[test]
fn a_file_that_is_no_toml_is_said_with_its_line() {
    let ran = refused("data = \"x\"\nlisten = = 5\n");
    assert!(ran.err.contains("line 2"), "{ran:?}");
}

#[test]
fn a_named_file_has_to_be_there() {
    let registry = Registry::not_started();
    let ran = registry.command(["serve", "--config", "nowhere.toml"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("nowhere.toml"), "{ran:?}");
}

#[test]
fn every_subcommand_checks_it() {
    let registry = Registry::configured("listn = 5\n");
    for command in [&["user", "list"][..], &["generate"], &["verify"]] {
        let ran = registry.command(command);
        assert_eq!(ran.code, 1, "{command:?}: {ran:?}");
        assert!(ran.err.contains("listn"), "{command:?}: {ran:?}");
    }
}

#[test]
fn the_file_in_the_folder_is_the_default() {
    let registry = Registry::not_started();
    registry.write("config.toml", b"listn = 5\n");
    let ran = registry.command(["serve"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("listn") && ran.err.contains("config.toml"), "{ran:?}");
}

#[test]
fn the_documented_configuration_is_a_valid_one() {
    let documented = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("config.toml");
    let toml = std::fs::read_to_string(documented).expect("config.toml documents every setting");
    let registry = Registry::with_config(&toml);
    registry.get("/healthz").expect(200);
}

#[test]
fn a_usage_error_is_2_and_help_is_0() {
    let registry = Registry::not_started();
    for arguments in [&["fly"][..], &["serve", "--wings"], &["user", "add"], &["token", "issue", "ann"], &[]]
    {
        let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
        let ran = run(registry.folder(), &arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(ran.err.contains("Usage"), "{arguments:?}: {ran:?}");
    }
    for arguments in [&["--help"][..], &["--version"], &["serve", "--help"], &["import", "--help"]] {
        let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
        let ran = run(registry.folder(), &arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {ran:?}");
        assert!(ran.out.contains("skillmirror"), "{arguments:?}: {ran:?}");
    }
    assert!(!registry.data().exists(), "nothing was made");
}

#[test]
fn a_refused_command_says_why_on_standard_error() {
    let mut registry = Registry::start();
    registry.stop();
    let ran = registry.command(["user", "disable", "nobody"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("nobody") && !ran.err.contains("panicked"), "{ran:?}");
}

#[test]
fn a_credential_writes_so_often_and_no_more() {
    let registry = Registry::with_config("[limits]\nwrites_per_minute = 3\n");
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    for slug in ["one", "two", "three"] {
        registry.team(slug, &ann);
    }
    let late = registry.as_user(&ann).post_json("/api/v1/namespaces", &json!({"slug": "four"}));
    late.problem(429, "rate_limited");
    let wait: u64 = late.must_have("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    registry.as_user(&ann).get("/api/v1/whoami").expect(200);
    registry.team("bobs", &bob);
}
