//! Scripts that complete command lines.

use std::process::Command;

use crate::harness::Home;

#[test]
fn every_shell_has_completions() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = home.run(&["completions", shell]).ok().stdout;
        for word in ["install", "count-downloads", "set-password", "agent"] {
            assert!(script.contains(word), "{shell} {word}");
        }
    }
    assert_eq!(home.run(&["completions", "cmd"]).code, 2);
}

#[test]
fn bash_completes_commands_and_options() {
    let home = Home::new();
    let script = home.run(&["completions", "bash"]).ok().stdout;
    std::fs::write(home.folder().join("completions"), script).unwrap();
    let complete = |words: &[&str]| {
        let [.., before, last] = words else { panic!("two words") };
        let count = words.len() - 1;
        let words = words.join(" ");
        let line = format!(
            "source completions; COMP_WORDS=({words}); COMP_CWORD={count}; \
             _skillmirror skillmirror '{last}' '{before}'; echo \"${{COMPREPLY[@]}}\""
        );
        let output = Command::new("bash").args(["--norc", "-c", &line]).current_dir(home.folder()).output();
        let output = output.unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(complete(&["skillmirror", "inst"]), "install\n");
    assert_eq!(complete(&["skillmirror", "user", "set"]), "set-password\n");
    assert_eq!(complete(&["skillmirror", "install", "--glo"]), "--global\n");
    assert_eq!(complete(&["skillmirror", "check", "--format", "sa"]), "sarif\n");
}
