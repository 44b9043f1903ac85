//! The supported log formats. The unit tests of the reader have the details.

use serde_json::Value;

use super::{PACKAGE, count, line, total, with_skills, write};
use crate::harness::{Registry, Skill};

#[test]
fn every_log_format_counts_the_same() {
    let registry = with_skills();
    let combined = line(1, PACKAGE);
    let common = combined.split(" \"-\"").next().unwrap().to_owned() + "\n";
    let forms = [
        ("combined", combined.clone()),
        ("common", common.clone()),
        ("with its host before it", format!("skills.example.org:443 {combined}")),
        ("with fields behind it", combined.replace("\"curl/8\"", "\"curl/8\" 0.001 \"-\" upstream=\"x\"")),
        ("with line ends of another system", combined.replace('\n', "\r\n")),
        (
            "nginx's JSON",
            json(
                r#""time_iso8601":"2026-01-31T12:00:00+00:00","remote_addr":"10.0.0.1","request_method":"GET","request_uri":"PATH","status":200,"body_bytes_sent":99999"#,
            ),
        ),
        (
            "Caddy's JSON",
            json(
                r#""ts":1769860800.1,"request":{"client_ip":"10.0.0.1","method":"GET","uri":"PATH"},"size":99999,"status":200"#,
            ),
        ),
        (
            "Cloudflare's JSON",
            json(
                r#""ClientIP":"10.0.0.1","ClientRequestMethod":"GET","ClientRequestURI":"PATH","EdgeResponseStatus":200,"EdgeResponseBytes":99999,"EdgeStartTimestamp":"2026-01-31T12:00:00Z""#,
            ),
        ),
    ];
    for (number, (form, text)) in forms.into_iter().enumerate() {
        // Another client each time, and the same one once more in each file.
        let text = text.replace("10.0.0.1", &format!("10.0.{number}.7"));
        let file = write(&registry, &format!("{number}.log"), &(text.clone() + &text));
        let counted = count(&registry, &[&file]);
        let numbers: Vec<&Value> = ["lines", "counted", "repeated"].map(|name| &counted[name]).into();
        assert_eq!(numbers, [2, 1, 1], "{form}: {counted}");
        assert_eq!(total(&registry, "hello"), number as u64 + 1, "{form}");
    }
}

fn json(fields: &str) -> String {
    format!("{{{fields}}}\n").replace("PATH", PACKAGE)
}

#[test]
fn day_of_a_download_is_utc() {
    let registry = with_skills();
    let text = line(1, PACKAGE).replace("31/Jan/2026:12:00:00 +0000", "31/Jan/2026:20:00:00 -0700");
    let file = write(&registry, "access.log", &text);
    count(&registry, &[&file]);
    let days = registry.command(["downloads", "hello", "--json"]).ok().stdout;
    assert!(days.contains("2026-02-01"), "{days}");
}

#[test]
fn malformed_lines_are_skipped() {
    let registry = with_skills();
    let mut bytes = Vec::new();
    let mut push = |piece: &[u8]| {
        bytes.extend_from_slice(piece);
        bytes.push(b'\n');
    };
    push(&crate::harness::noise(5000, 7).into_iter().filter(|byte| *byte != b'\n').collect::<Vec<_>>());
    push(&vec![b'"'; 3 << 20]);
    push("[".repeat(100_000).as_bytes());
    push("{\"a\":".repeat(100_000).as_bytes());
    push(&[0; 1000]);
    push("10.0.0.1 - - [31/Jan/2026:12:00:00 +0000] \"GET ".as_bytes());
    // Made by clients, in what they may choose, to be taken for other lines.
    let [user, agent] = [
        format!(
            "10.0.0.1 - x] \\\"GET {PACKAGE} HTTP/1.1\\\" 200 99999 [31/Jan/2026:12:00:00 +0000] \"GET / HTTP/1.1\" 401 0 \"-\" \"-\""
        ),
        format!(
            "10.0.0.1 - - [31/Jan/2026:12:00:00 +0000] \"GET / HTTP/1.1\" 404 0 \"-\" \"\\\" GET {PACKAGE} 200 99999 \\\"\""
        ),
    ];
    push(user.as_bytes());
    push(agent.as_bytes());
    push(line(2, PACKAGE).trim_end().as_bytes());
    let file = registry.write("access.log", &bytes);
    let counted = count(&registry, &[&file]);
    assert_eq!((&counted["lines"], &counted["counted"]), (&9.into(), &1.into()), "{counted}");
    assert_eq!(counted["files"][0]["firstUnreadable"], 1);
}

/// Access logs have the user agent in many forms.
#[test]
fn line_of_a_client_that_does_not_download_does_not_count() {
    let registry = with_skills();
    let agent = "skillmirror/0.1.0 (not-a-download)";
    let combined = line(1, PACKAGE).replace("curl/8", agent);
    let fields = |agent: Value| {
        serde_json::json!({
            "time_iso8601": "2026-01-31T12:00:00Z", "remote_addr": "10.0.0.1", "request_method": "GET",
            "request_uri": PACKAGE, "status": 200, "body_bytes_sent": 100_000, "headers": agent,
        })
    };
    let nested = fields(serde_json::json!({"User-Agent": [agent]}));
    let encoded = fields(serde_json::json!("skillmirror/0.1.0%20(not-a-download)"));
    let all = format!("{}\n", fields(serde_json::json!("skillmirror%2F0.1.0%20%28not-a-download%29")));
    for (name, text) in [
        ("combined", combined),
        ("nested", format!("{nested}\n")),
        ("encoded", format!("{encoded}\n")),
        ("all", all),
    ] {
        let log = write(&registry, name, &text);
        assert_eq!(count(&registry, &[&log])["counted"], 0, "{name}");
    }
    assert_eq!(total(&registry, "hello"), 0);
    let used = write(&registry, "used", &line(1, PACKAGE));
    assert_eq!(count(&registry, &[&used])["counted"], 1);
}

#[test]
fn skill_with_the_name_of_the_mark_is_counted() {
    let mut registry = Registry::start();
    registry.publish(Skill::named("not-a-download")).version("1.0.0").by(&registry.admin()).expect(201);
    registry.stop();
    let package = "/api/v1/skills/global/not-a-download/versions/1.0.0/download";
    let log = write(&registry, "log", &line(1, package));
    assert_eq!(count(&registry, &[&log])["counted"], 1);
}
