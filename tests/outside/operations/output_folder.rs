//! The output folder is pruned, so it must not contain the journal.

use std::ffi::OsString;
use std::os::unix::fs::symlink;

use crate::harness::{CommandOutput, Registry, Skill, run};

/// Runs the program in the registry's folder with only the given arguments.
fn bare(registry: &Registry, arguments: &[&str]) -> CommandOutput {
    run(registry.folder(), &arguments.iter().map(OsString::from).collect::<Vec<_>>())
}

fn stopped() -> Registry {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    registry
}

#[track_caller]
fn assert_refused(output: &CommandOutput, option: &str) {
    assert_eq!(output.code, 1, "{output:?}");
    for named in [option, "--data", "`data`"] {
        assert!(output.stderr.contains(named), "{named} is not named: {output:?}");
    }
}

#[test]
fn data_folder_as_output_folder_is_refused() {
    let registry = stopped();
    symlink("data", registry.folder().join("link")).unwrap();
    let journal = || std::fs::read(registry.data().join("journal.sqlite")).unwrap();
    let before = journal();
    for public in ["data", "./data/", "data/site", ".", "..", "/", "link", "link/site", "public/../data"] {
        for command in [&["generate"][..], &["verify"], &["user", "list"], &["serve", "--listen", "[::1]:0"]]
        {
            let output = bare(&registry, &[command, &["--public", public]].concat());
            assert_refused(&output, "--public");
        }
        // Another folder to write to is no way around it.
        assert_refused(&bare(&registry, &["generate", "--out", public]), "--out");
    }
    assert!(journal() == before, "the journal is as it was");
    registry.command(["verify"]).ok();
}

#[test]
fn data_folder_as_output_folder_in_the_config_is_refused() {
    let registry = Registry::not_started();
    registry.write("config.toml", b"data = \"site/data\"\npublic = \"site\"\n");
    assert_refused(&bare(&registry, &["user", "add", "ann"]), "--public");
    assert!(!registry.folder().join("site").exists(), "nothing was made");
    // The options are what counts.
    registry.write("hello.zip", &Skill::named("hello").zip());
    bare(&registry, &["import", "--init", "hello.zip", "--public", "elsewhere"]).ok();
    bare(&registry, &["verify", "--public", "elsewhere"]).ok();
}

#[test]
fn state_folder_in_the_data_folder_is_refused() {
    let registry = stopped();
    std::fs::rename(registry.data(), registry.folder().join("site.state")).unwrap();
    let output = bare(&registry, &["generate", "--data", "site.state", "--public", "site"]);
    assert_refused(&output, "--public");
    assert!(output.stderr.contains("site.state"), "{output:?}");
}

#[test]
fn link_to_a_missing_data_folder_is_refused() {
    let registry = Registry::not_started();
    symlink("data", registry.folder().join("public")).unwrap();
    assert_refused(&bare(&registry, &["user", "add", "ann"]), "--public");
}

#[test]
fn output_folder_without_a_name_has_its_state_folder_beside_it() {
    let registry = stopped();
    let site = registry.folder().join("site");
    std::fs::create_dir(&site).unwrap();
    let arguments = ["generate", "--data", "../data", "--public", "."].map(OsString::from);
    run(&site, &arguments).ok();
    assert!(registry.folder().join("site.state/lock").exists());
    bare(&registry, &["verify", "--public", "site"]).ok();
}
