//! Output: closed pipes, and text of others.

use std::fs::File;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use crate::harness::record_fields::{skill_record, yanked_record};
use crate::harness::{FakeHost, Home, Registry, Reply, Shared, Skill, folder_address};

static REGISTRY: Shared<Registry> = Shared::new();

fn registry() -> Registry {
    let registry = Registry::start();
    registry.publish(Skill::named("hello").description("Greets.")).by(&registry.admin()).expect(201);
    registry
}

/// A home with `hello` installed, and commands that print something there.
fn at_home(registry: &Registry) -> (Home, Vec<Vec<String>>) {
    let home = Home::new();
    let at = folder_address(&registry.public());
    home.run(&["install", "hello", "--registry", &at]).ok();
    let asking =
        [&["search", "greets"][..], &["info", "hello"], &["resolve", "hello"], &["install", "hello"]];
    let mut commands: Vec<Vec<String>> = vec![vec!["list".to_owned()]];
    commands.extend(
        asking
            .iter()
            .map(|words| [words, &["--registry", &at][..]].concat().into_iter().map(Into::into).collect()),
    );
    let with_json = commands.iter().map(|words| [&words[..], &["--json".to_owned()]].concat());
    commands = with_json.chain(commands.clone()).collect();
    (home, commands)
}

fn run(home: &Home, words: &[String], out: impl Into<Stdio>, err: impl Into<Stdio>) -> Output {
    home.program().args(words).stdin(Stdio::null()).stdout(out).stderr(err).output().unwrap()
}

/// A device that is always full.
fn full() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

#[test]
fn closed_pipe_ends_quietly() {
    let registry = REGISTRY.get(registry);
    let (home, commands) = at_home(&registry);
    for words in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = run(&home, &words, writer, Stdio::piped());
        let is_error = output.stderr.starts_with(b"skillmirror:");
        assert!(output.status.success() && !is_error, "{words:?}: {output:?}");
    }
}

#[test]
fn unwritable_output_is_a_failure() {
    let registry = REGISTRY.get(registry);
    let (home, commands) = at_home(&registry);
    for words in commands {
        let output = run(&home, &words, full(), Stdio::piped());
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}: {printed}");
        assert!(printed.contains("cannot write to standard output: No space left"), "{words:?}: {printed}");
        if words.last().unwrap() == "--json" {
            let printed: Value = serde_json::from_str(&printed).unwrap();
            assert_eq!(printed["error"]["code"], "output");
        }
    }
}

#[test]
fn failure_with_closed_stderr_keeps_its_exit_code() {
    let registry = REGISTRY.get(registry);
    let (home, commands) = at_home(&registry);
    for mut words in commands {
        match words.iter_mut().find(|word| *word == "hello") {
            Some(skill) => "nope".clone_into(skill),
            None => continue,
        }
        let output = run(&home, &words, Stdio::piped(), full());
        assert_eq!(output.status.code(), Some(1), "{words:?}: {output:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(&home, &words, Stdio::piped(), writer).status.code(), Some(1), "{words:?}");
    }
}

#[test]
fn line_breaks_of_others_forge_no_lines() {
    const FORGED: &str = "a\nversion    9.9.9\r\nauthor     Root (root)\u{2028}page       http://evil.example\u{85}x\u{b}y\n\nversions\n  9.9.9";
    let (skill, version) = (skill_record("hello", FORGED), yanked_record(FORGED));
    let list = json!({"items": [skill], "total": 1, "page": 1, "size": 50});
    let host = FakeHost::answering(move |asked| match asked.path.as_str() {
        "/api/v1/skills/global/hello.json" => Reply::json(&skill),
        "/api/v1/skills/global/hello/versions.json" => Reply::json(&json!({"items": [version], "total": 1})),
        "/api/v1/skills.json" => Reply::json(&list),
        "/api/v1/skills/global/odd/resolve.json" => {
            let problem =
                json!({"code": "odd", "detail": FORGED, "errors": [{"path": FORGED, "message": FORGED}]});
            Reply::json(&problem).with_status(400)
        }
        path if path.ends_with("/resolve.json") => Reply::json(&json!({"version": FORGED})),
        _ => Reply::status(404),
    });
    for words in [
        &["info", "hello"][..],
        &["search", ""],
        &["resolve", "odd"],
        &["resolve", "other"],
        &["install", "hello@1.0.0"],
    ] {
        let printed = Home::new().run(&[words, &["--registry", &host.base]].concat()).printed();
        let starts = ["version    9", "author     Root", "page       http://evil", "  9.9.9"];
        let lines: Vec<_> =
            printed.split(|c: char| c.is_control() || ('\u{2028}'..='\u{2029}').contains(&c)).collect();
        assert!(
            !lines.iter().any(|line| starts.iter().any(|start| line.starts_with(start))),
            "{words:?}: {printed:?}"
        );
    }
}

#[test]
fn control_characters_of_others_are_escaped() {
    const ODD: &str = "a\u{1b}[2Jb\u{202e}c\u{2066}d\u{200b}e\u{7f}\u{9b}f";
    let (skill, version) = (skill_record("hello", ODD), yanked_record(ODD));
    let list = json!({"items": [skill], "total": 1, "page": 1, "size": 50});
    let host = FakeHost::answering(move |asked| match asked.path.as_str() {
        "/api/v1/skills/global/hello.json" => Reply::json(&skill),
        "/api/v1/skills/global/hello/versions.json" => Reply::json(&json!({"items": [version], "total": 1})),
        "/api/v1/skills.json" => Reply::json(&list),
        "/api/v1/skills/global/odd/resolve.json" => {
            Reply::json(&json!({"code": "odd", "detail": ODD, "errors": [{"message": ODD}]})).with_status(400)
        }
        path if path.ends_with("/resolve.json") => Reply::json(&json!({"version": ODD})),
        _ => Reply::status(404),
    });
    let home = Home::new();
    let document = home.json(&["info", "hello", "--registry", &host.base]);
    assert!(document.to_string().contains('\u{202e}'), "the values are unchanged: {document}");
    for words in [&["info", "hello"][..], &["search", ""], &["resolve", "odd"], &["install", "odd", "hello"]]
    {
        for more in [&[][..], &["--json"]] {
            let output = home.run(&[words, &["--registry", &host.base], more].concat());
            let printed = output.printed();
            let is_odd =
                |c: char| matches!(c, '\u{1b}' | '\u{202e}' | '\u{2066}' | '\u{200b}' | '\u{7f}' | '\u{9b}');
            assert!(!printed.contains(is_odd), "{words:?}: {printed:?}");
        }
    }
}
