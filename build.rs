//! Says what a build was made from, for `skillmirror --version`.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SKILLMIRROR_COMMIT");
    let commit = env::var("SKILLMIRROR_COMMIT").ok().filter(|commit| !commit.is_empty());
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let features = match (has("OPERATOR"), has("ENGINES")) {
        (true, true) => "operator, engines",
        (true, false) => "operator",
        (false, _) => "client",
    };
    let parts: Vec<String> =
        commit.or_else(commit_of_clone).into_iter().chain([features.to_owned()]).collect();
    println!("cargo::rustc-env=BUILT_FROM={}", parts.join("; "));
}

/// The commit and its day, for release builds: debug builds would be linked again after each commit.
fn commit_of_clone() -> Option<String> {
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    // An archive of the source may be unpacked inside of another repository.
    if !is_release || !Path::new(".git").exists() {
        return None;
    }
    // Its log of commits grows with each of them.
    println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    git(&["log", "-1", "--abbrev=8", "--format=%h %cs"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
