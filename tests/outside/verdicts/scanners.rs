//! Scanners of the settings: what they say becomes a verdict, and what is none stays none.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Registry, Skill, eventually};

const RECORD: &str = "/api/v1/skills/global/hello/versions/1.0.0";

/// A registry with one scanner, a shell script. It gets the folder as `$1`.
fn with_scanner(script: &str, more: &str) -> Registry {
    let mut registry = Registry::not_started();
    let path = registry.write("scanner.sh", script.as_bytes());
    let version = registry.write("version", b"1.0");
    let config = format!(
        "[scan.judge]\ncommand = [\"sh\", \"{}\", \"{{folder}}\"]\nversion = [\"cat\", \"{}\"]\n{more}\n",
        path.display(),
        version.display(),
    );
    registry.write("config.toml", config.as_bytes());
    registry.start_with(&["--config", registry.folder().join("config.toml").to_str().unwrap()]);
    registry
}

/// The verdict of the scanner, once it is public.
fn verdict(registry: &Registry) -> Value {
    eventually("there is a verdict", || of_judge(&registry.read(RECORD)))
}

fn of_judge(record: &Value) -> Option<Value> {
    record["verdicts"].as_array()?.iter().find(|verdict| verdict["scanner"] == "judge").cloned()
}

fn findings(record: &Value) -> Vec<Value> {
    let found = record["findings"].as_array().unwrap().iter().filter(|found| found["scanner"] == "judge");
    found.map(|found| json!([found["code"], found["level"], found["path"], found["line"]])).collect()
}

fn sarif(results: &str) -> String {
    format!(
        r#"{{"version":"2.1.0","runs":[{{"tool":{{"driver":{{"name":"x","rules":[{{"id":"R2","defaultConfiguration":{{"level":"error"}}}}]}}}},"results":[{results}]}}]}}"#
    )
}

fn result(rule: &str, level: &str, uri: &str, line: u64) -> String {
    format!(
        r#"{{"ruleId":"{rule}",{level}"message":{{"text":"Bad."}},"locations":[{{"physicalLocation":{{"artifactLocation":{{"uri":"{uri}"}},"region":{{"startLine":{line}}}}}}}]}}"#
    )
}

#[test]
fn sarif_becomes_a_public_verdict_and_paths_outside_are_left_out() {
    let results = [
        result("R1", r#""level":"note","#, "SKILL.md", 2),
        result("R2", "", "file://FOLDER/a%20b.md", 3),
        result("R1", r#""level":"warning","#, "../../../etc/passwd", 1),
        result("R1", r#""level":"none","#, "SKILL.md", 1),
        result("R2", r#""kind":"pass","#, "SKILL.md", 1),
    ];
    let script = format!("cat <<EOF | sed \"s,FOLDER,$1,\"\n{}\nEOF\n", sarif(&results.join(",")));
    let registry = with_scanner(&script, "sarif = true");
    let skill = Skill::named("hello").file("a b.md", "1\n2\n3\n");
    registry.publish(skill).by(&registry.admin()).expect(201);
    let said = verdict(&registry);
    assert_eq!(
        (&said["level"], &said["errors"], &said["warnings"], &said["notes"]),
        (&json!("error"), &json!(1), &json!(1), &json!(1))
    );
    assert_eq!(said["scannerVersion"], "1.0");
    let record = registry.read(RECORD);
    let expected = [
        json!(["R1", "warning", null, null]),
        json!(["R1", "note", "SKILL.md", 2]),
        json!(["R2", "error", "a b.md", 3]),
    ];
    assert_eq!(findings(&record), expected, "{record}");
    // It is a row of its own, which mirrors and the log carry.
    eventually("the feed has one row about it", || {
        let feed = registry.tree_json("api/v1/mirror/changes/1.json");
        let rows = feed["changes"].as_array().unwrap().iter();
        (rows.filter(|row| row["kind"] == "scanned").count() == 1).then_some(())
    });
    let page = registry.get("/global/hello/1.0.0/").expect(200).text();
    assert!(page.contains("judge 1.0") && page.contains("-L3\""), "{page}");
}

#[test]
fn scanner_learns_nothing_of_the_server_and_cannot_change_the_package() {
    // The findings say what went wrong.
    let script = r#"
[ -z "$SKILLMIRROR_SECRET$AWS_SECRET_ACCESS_KEY" ] || bad=environment
[ "$(stat -c %a "$1/SKILL.md")" = 400 ] || bad=mode
[ "$(stat -c %a "$(dirname "$1")")" = 700 ] || bad=folder
[ "$PWD" = "$HOME" ] || bad=home
echo '{"findings":[{"rule":"'${bad:-fine}'","level":"note","message":"Said.","path":"SKILL.md","line":1}]}'
"#;
    let registry = with_scanner(script, "");
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    verdict(&registry);
    assert_eq!(findings(&registry.read(RECORD)), [json!(["fine", "note", "SKILL.md", 1])]);
}

#[test]
fn answer_that_is_none_is_no_verdict() {
    for (script, more, why) in [
        ("sleep 60", "timeout = 1", "takes longer than 1 seconds"),
        ("yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | head -c 100000000", "sarif = true", "has printed more than"),
        ("echo It is fine, trust me.", "", "has not printed a line of findings"),
        ("echo '{\"version\":\"2.1.0\",\"runs\":[]}'", "sarif = true", "has not printed a run"),
        ("echo broken >&2; exit 3", "", "has failed (exit status: 3): broken"),
        (
            "echo '{\"findings\":[{\"rule\":\"x\",\"level\":\"fatal\",\"message\":\"\"}]}'",
            "",
            "unknown variant",
        ),
    ] {
        let registry = with_scanner(script, more);
        let ann = registry.user("ann");
        let receipt = registry.publish(Skill::named("hello")).by(&ann).expect_json(201);
        let path = format!("/api/v1/namespaces/global/reviews/{}", receipt["reviewId"].as_str().unwrap());
        let said = eventually("the run failed", || {
            let review = registry.as_user(&registry.admin()).get(&path).expect_json(200);
            review["unanswered"][0]["why"].as_str().map(str::to_owned)
        });
        assert!(said.contains(why), "{script}: {said}");
        // The review does not wait for it.
        registry.decide(&registry.admin(), "approve", ("global", &receipt["reviewId"])).expect(200);
        assert_eq!(of_judge(&registry.read(RECORD)), None, "{script}");
    }
}

#[test]
fn processes_of_a_scanner_do_not_stay() {
    let script = "for i in 1 2 3; do (while :; do sleep 600; done) & done\n\
                  echo '{\"findings\":[]}'";
    let registry = with_scanner(script, "");
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    assert_eq!(verdict(&registry)["level"], Value::Null);
    let left = || {
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        let command = |path: &Path| std::fs::read(path.join("cmdline")).unwrap_or_default();
        let folder = registry.folder().to_string_lossy().into_owned();
        let is_scanner = |text: &str| text.contains("scanner.sh") && text.contains(&folder);
        all.filter(|entry| is_scanner(&String::from_utf8_lossy(&command(&entry.path())))).count()
    };
    eventually("no process is left", || (left() == 0).then_some(()));
}

#[test]
fn verdict_about_a_submission_becomes_public_in_the_same_row() {
    let script = r#"echo '{"findings":[{"rule":"odd","level":"warning","message":"Odd.","path":"SKILL.md","line":2}]}'; exit 1"#;
    let registry = with_scanner(script, "");
    let ann = registry.user("ann");
    let receipt = registry.publish(Skill::named("hello")).by(&ann).expect_json(201);
    let path = format!("/api/v1/namespaces/global/reviews/{}", receipt["reviewId"].as_str().unwrap());
    eventually("the review has the verdict", || {
        let review = registry.as_user(&registry.admin()).get(&path).expect_json(200);
        let said = review["verdicts"].as_array().unwrap().iter().any(|verdict| verdict["scanner"] == "judge");
        assert!(!said || !findings(&review).is_empty(), "{review}");
        said.then_some(())
    });
    let approved = registry.decide(&registry.admin(), "approve", ("global", &receipt["reviewId"]));
    assert_eq!(of_judge(&registry.read(RECORD)).unwrap()["level"], "warning");
    assert_eq!(findings(&registry.read(RECORD)), [json!(["odd", "warning", "SKILL.md", 2])]);
    // Nothing judges it again: only publications and their verdicts follow.
    let published = ["one", "two", "three"].map(|name| {
        let published = registry.publish(Skill::named(name)).by(&registry.admin());
        let path = format!("/api/v1/skills/global/{name}/versions/1.0.0");
        eventually("it is judged", || of_judge(&registry.read(&path)));
        published.revision()
    });
    assert_eq!(published, [1, 3, 5].map(|after| approved.revision() + after));
}

#[test]
fn promotion_has_each_verdict_of_its_source_once() {
    let registry = with_scanner("echo '{\"findings\":[]}'", "");
    let (admin, ann, bob) = (registry.admin(), registry.user("ann"), registry.user("bob"));
    registry.reviewing_team("desk", &ann);
    registry.join("desk", &ann, &bob, "member");
    let waiting = registry.publish(Skill::named("hello")).to("desk").by(&bob).expect_json(201);
    let path = format!("/api/v1/namespaces/desk/reviews/{}", waiting["reviewId"].as_str().unwrap());
    eventually("the review has the verdict", || {
        of_judge(&registry.as_user(&ann).get(&path).expect_json(200))
    });
    registry.decide(&ann, "approve", ("desk", &waiting["reviewId"])).expect(200);
    let id = registry.read("/api/v1/skills/desk/hello")["id"].as_str().unwrap().to_owned();
    let promote = format!("/api/v1/namespaces/desk/skills/{id}/promote");
    let asked = registry.as_user(&ann).post_json(&promote, &json!({})).expect_json(201);
    registry.decide(&admin, "approve", ("global", &asked["id"])).expect(200);
    let record = registry.read(RECORD);
    let scanners: Vec<_> = record["verdicts"].as_array().unwrap().iter().map(|it| &it["scanner"]).collect();
    assert_eq!(scanners, ["skillmirror", "judge"], "{record}");
}

#[test]
fn other_version_of_a_scanner_judges_the_latest_version_again() {
    let script = r#"
version=$(cat "$(dirname "$0")/version"); echo "$version" >> "$(dirname "$0")/runs"
echo '{"findings":[{"rule":"'${version#?.}'","level":"note","message":"Said."}]}'
"#;
    let mut registry = with_scanner(script, "");
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    assert_eq!(verdict(&registry)["scannerVersion"], "1.0");
    let runs = registry.folder().join("runs");
    let mut is_judged = |version: &str| {
        registry.stop();
        registry.write("version", version.as_bytes());
        registry.start_with(&["--config", registry.folder().join("config.toml").to_str().unwrap()]);
        eventually("it is judged again", || {
            let runs = std::fs::read_to_string(&runs).unwrap();
            (runs.lines().last() == Some(version)).then_some(())
        });
    };
    // It finds the same: no row says so.
    is_judged("2.0");
    is_judged("2.1");
    eventually("the other verdict is public", || {
        (of_judge(&registry.read(RECORD))?["scannerVersion"] == "2.1").then_some(())
    });
    // The feed is written after the record.
    let scanned = eventually("the feed has the other verdict", || {
        let feed = registry.tree_json("api/v1/mirror/changes/1.json");
        let rows = feed["changes"].as_array().unwrap().iter();
        let scanned: Vec<_> = rows.filter(|row| row["kind"] == "scanned").cloned().collect();
        (scanned.last()?["scannerVersion"] == "2.1").then_some(scanned)
    });
    assert_eq!(scanned.len(), 2, "{scanned:?}");
    let said = registry
        .command(["scan", "hello", "--config", registry.folder().join("config.toml").to_str().unwrap()])
        .ok()
        .stdout;
    assert!(said.contains("skillmirror") && said.contains("judge"), "{said}");
}

#[test]
fn server_that_stops_ends_its_scanners() {
    let mut registry = with_scanner("touch \"$(dirname \"$0\")/started\"; sleep 600", "timeout = 600");
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let started = registry.folder().join("started");
    eventually("it has started", || started.exists().then_some(()));
    let begun = Instant::now();
    registry.stop();
    assert!(begun.elapsed() < Duration::from_secs(20));
}
