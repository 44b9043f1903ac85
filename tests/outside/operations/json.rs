//! `--json` of the commands that run a registry.

use serde_json::{Value, json};

use crate::harness::{CommandOutput, Home, Registry, Skill};
use crate::outside::help::commands;

/// Commands, in an order in which each succeeds, and a part of what each prints.
const RESULTS: [(&str, &str); 43] = [
    ("user add bob --name Bob", r#"{"handle":"bob","displayName":"Bob","role":"user","disabled":false}"#),
    ("user set-password bob", r#"{"handle":"bob"}"#),
    ("user disable bob", r#"{"handle":"bob","disabled":true}"#),
    ("user enable bob", r#"{"handle":"bob","disabled":false}"#),
    ("user list", r#"{"items":[{"handle":"admin","role":"admin"},{"handle":"bob"}]}"#),
    ("token issue bob --name ci", r#"{"user":"bob","name":"ci","scopes":["read"],"lastUsedAt":null}"#),
    ("token list bob", r#"{"items":[{"user":"bob","name":"ci"}]}"#),
    ("token revoke TOKEN", r#"{"items":[{"user":"bob","name":"ci"}]}"#),
    ("import new", r#"{"imported":1,"existed":[],"refused":[]}"#),
    ("import new", r#"{"imported":0,"existed":[{"path":"new","skill":"new","version":"1.0.0"}]}"#),
    (
        "source add office https://example.org/a --kind git --into global",
        r#"{"name":"office","address":"https://example.org/a","into":"global"}"#,
    ),
    ("source list", r#"{"items":[{"name":"office","kind":"git","state":{"checkedAt":null}}]}"#),
    ("source show office", r#"{"name":"office","state":{"skills":{}}}"#),
    ("source remove office", r#"{"name":"office"}"#),
    ("source check", r#"{"items":[]}"#),
    ("key new --name skills.example.org", r#"{}"#),
    ("key list", r#"{"items":[{"name":"skills.example.org","state":"signs","retiredAt":null}]}"#),
    ("key show", r#"{"items":[{}]}"#),
    ("read-key new ci", r#"{"name":"ci"}"#),
    ("read-key list", r#"{"items":[{"name":"ci"}]}"#),
    ("read-key revoke ci", r#"{"name":"ci"}"#),
    ("generate", r#"{"folder":"PUBLIC"}"#),
    ("watch --once", r#"{"folder":"PUBLIC"}"#),
    ("verify", r#"{"differences":[],"bucket":null}"#),
    ("hosts nginx", r#"{"items":[{}]}"#),
    ("hosts cloudflare --out worker", r#"{"items":[{}]}"#),
    ("snapshot create --out s.tar.zst", r#"{"file":"s.tar.zst","base":null}"#),
    ("snapshot create --out t.tar.zst", r#"{}"#),
    ("snapshot delta s.tar.zst t.tar.zst --out d.tar.zst", r#"{"file":"d.tar.zst"}"#),
    ("snapshot verify s.tar.zst", r#"{"file":"s.tar.zst","isCompared":true,"isSigned":false}"#),
    ("snapshot apply s.tar.zst --to mirror", r#"{}"#),
    ("upgrade --check", r#"{"mirrorsFirst":false}"#),
    ("audit --user bob", r#"{"items":[{"acts":[{"action":"user_added","user":"bob"}]}]}"#),
    ("audit --since 2100-01-01", r#"{"items":[]}"#),
    ("scan new", r#"{"items":[{"scanner":"skillmirror","verdict":{"level":null},"why":null}]}"#),
    ("gc", r#"{"removed":[],"isComplete":true}"#),
    ("downloads", r#"{"items":[]}"#),
    ("count-downloads access.log", r#"{"lines":0,"counted":0}"#),
    ("journal check", r#"{"packages":2,"faults":[]}"#),
    ("journal backup b", r#"{"packages":2}"#),
    ("journal copy --from DATA --to copy", r#"{"isFinished":false}"#),
    ("journal redact @global/hello@1.0.0 --reason leaked --yes", r#"{"older":[]}"#),
    ("journal restore b", r#"{"backup":{"faults":[]},"isEndKnown":true,"local":"kept"}"#),
];

/// Commands that need more than the table has: a key to lose, and a registry to ask.
const OTHERS: [&str; 2] = ["key retire", "token create"];

/// Commands that run until SIGTERM.
const ENDLESS: [&str; 3] = ["serve", "watch", "snapshot serve s.tar.zst"];

/// Runs a command with `--json`. Its input is a password.
fn run(registry: &Registry, command: &str) -> CommandOutput {
    let words = command.split_whitespace().chain(["--json"]);
    registry.command_with_input(words, "a long password\n")
}

/// The only JSON value in a text.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}"))
}

/// Whether `all` has the fields of `part`, and lists have as many or more items.
fn has(all: &Value, part: &Value) -> bool {
    match (all, part) {
        (Value::Object(all), Value::Object(part)) => {
            part.iter().all(|(key, part)| all.get(key).is_some_and(|all| has(all, part)))
        }
        (Value::Array(all), Value::Array(part)) if !part.is_empty() => {
            all.len() >= part.len() && all.iter().zip(part).all(|(all, part)| has(all, part))
        }
        _ => all == part,
    }
}

fn stopped() -> Registry {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).version("1.0.0").by(&registry.admin()).expect(201);
    registry.write("new/SKILL.md", b"---\nname: new\ndescription: Greets.\nversion: 1.0.0\n---\n");
    registry.write("access.log", b"");
    registry.stop();
    registry
}

#[test]
fn every_operator_command_prints_one_json_document() {
    let registry = stopped();
    let (data, public) = (registry.data().display().to_string(), registry.public().display().to_string());
    let mut token = String::new();
    for (command, expected) in RESULTS {
        let command = command.replace("TOKEN", &token).replace("DATA", &data);
        let output = run(&registry, &command).ok();
        let printed = parsed(&output.stdout);
        assert!(has(&printed, &parsed(&expected.replace("PUBLIC", &public))), "{command}: {output:?}");
        if command.starts_with("token issue") {
            token = printed["id"].as_str().unwrap().to_owned();
            assert!(printed["token"].as_str().unwrap().starts_with("smt_"), "{printed}");
        }
    }
    let id = parsed(&run(&registry, "key list").ok().stdout)["items"][0]["id"].as_str().unwrap().to_owned();
    assert!(parsed(&run(&registry, &format!("key retire {id} --yes")).ok().stdout)["key"].is_string());
}

#[test]
fn table_has_every_operator_command() {
    let home = Home::new();
    let known = |name: &str| {
        RESULTS
            .iter()
            .map(|(command, _)| *command)
            .chain(OTHERS)
            .chain(ENDLESS)
            .any(|command| command.split(' ').take(2).collect::<Vec<_>>().join(" ").starts_with(name))
    };
    let operators = commands(&home).into_iter().filter(|(_, help)| help.contains("Registry options:"));
    let missing: Vec<_> = operators.map(|(name, _)| name).filter(|name| !known(name)).collect();
    assert!(missing.is_empty(), "add them to RESULTS: {missing:?}");
}

#[test]
fn failure_of_an_operator_command_is_json_on_stderr() {
    let registry = stopped();
    std::fs::write(registry.public().join("api/v1/mirror/head.json"), "x").unwrap();
    registry.write("bad/SKILL.md", b"no front matter");
    for (command, code, has_result) in [
        ("user disable nobody", "failed", false),
        ("journal restore nowhere", "failed", false),
        ("key retire x", "failed", false),
        ("journal redact 1 --reason x", "failed", false),
        ("verify", "differs", true),
        ("import bad", "refused", true),
    ] {
        let output = run(&registry, command);
        let error = parsed(&output.stderr)["error"].clone();
        assert_eq!((output.code, &error["code"]), (1, &json!(code)), "{command}: {output:?}");
        assert!(error["message"].as_str().unwrap().len() > 10, "{error}");
        assert!(if has_result { parsed(&output.stdout).is_object() } else { output.stdout.is_empty() });
    }
    for command in ENDLESS {
        let output = run(&registry, command);
        assert!(output.code == 2 && output.stderr.contains("runs until SIGTERM"), "{command}: {output:?}");
    }
    let output = Home::new().run(&["--json", "agents"]);
    assert!(output.code == 2 && output.stderr.contains("after the command"), "{output:?}");
}
