//! What an operator sees of a running server: metrics, the access log, the log as JSON.

use serde_json::Value;

use crate::harness::{Client, Registry, Skill, Watch, eventually};

/// The address in the line about metrics.
fn metrics_address(printed: &str) -> String {
    let line = printed.lines().find_map(|line| line.strip_prefix("metrics are at "));
    line.unwrap_or_else(|| panic!("no address of metrics: {printed}")).trim_end_matches("/metrics").to_owned()
}

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0";

/// The lines of the metrics, without comments.
fn metrics(address: &str) -> Vec<String> {
    let response = Client::of(address).with("accept", OPEN_METRICS).get("/metrics").expect(200);
    assert!(
        response.require_header("content-type").starts_with("application/openmetrics-text"),
        "{response}"
    );
    assert!(response.text().ends_with("# EOF\n"), "{response}");
    response.text().lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// The value of a metric with these labels.
#[track_caller]
fn value(lines: &[String], metric: &str) -> f64 {
    let line = lines.iter().find_map(|line| line.strip_prefix(metric)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {metric} in {lines:#?}")).parse().expect("a number")
}

#[test]
fn metrics_show_requests_publications_and_the_tree() {
    let registry = Registry::with_config("[metrics]\nlisten = 0\n");
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    registry.anonymous().get("/api/v1/whoami").expect(401);
    let address = metrics_address(&registry.printed());
    // The lists follow the answer.
    let lines = eventually("the tree is up to date", || {
        let lines = metrics(&address);
        (value(&lines, "skillmirror_tree_lag{tier=\"all\"}") == 0.0).then_some(lines)
    });
    let publications = "skillmirror_requests_total{route=\"/api/v1/publish\",method=\"POST\",status=\"201\"}";
    assert_eq!(value(&lines, publications), 1.0);
    let refused = "skillmirror_requests_total{route=\"/api/v1/whoami\",method=\"GET\",status=\"401\"}";
    assert_eq!(value(&lines, refused), 1.0);
    assert_eq!(value(&lines, "skillmirror_request_duration_seconds_count{route=\"/api/v1/publish\"}"), 1.0);
    assert_eq!(value(&lines, "skillmirror_skills"), 1.0);
    assert_eq!(value(&lines, "skillmirror_writable"), 1.0);
    assert_eq!(value(&lines, "skillmirror_tree_failing"), 0.0);
    let revision = value(&lines, "skillmirror_revision");
    for tier in ["own", "all"] {
        assert_eq!(value(&lines, &format!("skillmirror_tree_revision{{tier=\"{tier}\"}}")), revision);
    }
    for metric in ["skillmirror_journal_bytes", "skillmirror_disk_free_bytes{folder=\"public\"}"] {
        assert!(value(&lines, metric) > 0.0, "{metric}");
    }
    // They are on their own listener only.
    registry.get("/metrics").expect(404);
    Client::of(&address).get("/api/v1/skills").expect(404);
}

#[test]
fn metrics_have_the_format_that_is_asked_for() {
    let registry = Registry::with_config("[metrics]\nlisten = 0\n");
    registry.get("/api/v1/skills").expect(200);
    let client = Client::of(&metrics_address(&registry.printed()));
    let text = "text/plain; version=0.0.4; charset=utf-8";
    let open = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let plain = client.get("/metrics").expect(200);
    assert_eq!(plain.require_header("content-type"), text, "a reader that does not say what it wants");
    for (accept, expected) in [
        ("text/plain;version=0.0.4", text),
        ("text/plain", text),
        ("*/*", text),
        ("application/json", text),
        ("application/openmetrics-text;q=0, text/plain;q=0.1", text),
        ("application/openmetrics-text;version=1.0.0;q=0.4,text/plain;version=0.0.4;q=0.5", text),
        (OPEN_METRICS, open),
        ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.1", open),
    ] {
        let client = client.with("accept", accept);
        let response = client.get("/metrics").expect(200);
        assert_eq!(response.require_header("content-type"), expected, "{accept}");
        assert_eq!(response.require_header("vary"), "Accept");
        let printed = response.text();
        let (described, other) = match expected == open {
            true => ("# TYPE skillmirror_requests counter\n", "# TYPE skillmirror_requests_total"),
            false => ("# TYPE skillmirror_requests_total counter\n", "# TYPE skillmirror_requests counter"),
        };
        assert!(printed.contains(described) && !printed.contains(other), "{accept}: {printed}");
        assert_eq!(printed.ends_with("# EOF\n"), expected == open, "{accept}");
        assert!(printed.contains("\nskillmirror_requests_total{route=\"/api/v1/skills\""), "{printed}");
        let head = client.head("/metrics").expect(200);
        assert_eq!((head.require_header("content-type"), head.body.len()), (expected, 0));
    }
}

#[test]
fn strange_requests_add_few_metrics() {
    let registry = Registry::with_config("[metrics]\nlisten = 0\n");
    let address = metrics_address(&registry.printed());
    for n in 0..50 {
        let _ = registry.get(&format!("/api/v1/skills/none/number-{n}"));
        let _ = registry.get(&format!("/none/{n}"));
        let _ = registry.anonymous().request("PATCH", "/api/v1/skills", None);
    }
    let lines = metrics(&address);
    let requests: Vec<_> =
        lines.iter().filter(|line| line.starts_with("skillmirror_requests_total")).collect();
    assert!(requests.len() <= 4, "{requests:#?}");
}

#[test]
fn mirror_tells_when_it_last_followed_its_source() {
    let registry = Registry::start();
    let mirror = Registry::configured("[metrics]\nlisten = 0\n[mirror]\nfeed_interval = 1\n");
    let public = mirror.public();
    let watch =
        Watch::start(mirror.folder(), ["--feed", registry.base(), "--public", public.to_str().unwrap()]);
    let watch = watch.ready();
    let address = metrics_address(&watch.printed());
    let lines = metrics(&address);
    assert_eq!(value(&lines, "skillmirror_mirror_revision"), 1.0);
    assert!(value(&lines, "skillmirror_mirror_followed_timestamp_seconds") > 1.6e9);
    assert_eq!(value(&lines, "skillmirror_mirror_failing"), 0.0);
    drop(registry);
    eventually("the mirror misses its source", || {
        (value(&metrics(&address), "skillmirror_mirror_failing") == 1.0).then_some(())
    });
}

/// The lines of an access log, once there are as many.
fn lines_of(registry: &Registry, file: &str, count: usize) -> Vec<Value> {
    eventually(&format!("{file} has {count} lines"), || {
        let text = std::fs::read_to_string(registry.folder().join(file)).unwrap_or_default();
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        (lines.len() >= count).then(|| lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect())
    })
}

#[test]
fn access_log_has_a_line_for_each_request_and_no_secret() {
    let mut registry = Registry::with_config("[log]\naccess = \"access.log\"\n");
    let admin = registry.admin();
    let client = registry.as_user(&admin).with("user-agent", "a \"strange\" agent");
    let answered = client.get("/api/v1/whoami?x=1%0A").expect(200);
    registry.get("/api/v1/skills").expect(200);
    registry.get("/api/v1/skills").expect(200);
    let lines = lines_of(&registry, "access.log", 3);
    let first = &lines[0];
    assert_eq!(first["id"], answered.require_header("x-request-id"));
    assert_eq!(first["client"], "127.0.0.1");
    assert_eq!((&first["method"], &first["target"]), (&"GET".into(), &"/api/v1/whoami?x=1%0A".into()));
    assert_eq!((&first["route"], &first["status"]), (&"/api/v1/whoami".into(), &200.into()));
    assert_eq!(first["bytes"], answered.body.len());
    assert_eq!(first["agent"], "a \"strange\" agent");
    assert!(first["seconds"].as_f64() > Some(0.0), "{first}");
    let text = std::fs::read_to_string(registry.folder().join("access.log")).unwrap();
    assert!(!text.contains(&admin.token), "credentials are not logged");
    // Renamed by a program that rotates logs.
    std::fs::rename(registry.folder().join("access.log"), registry.folder().join("access.log.1")).unwrap();
    registry.process().reopen_logs();
    eventually("the log is opened again", || {
        registry.get("/api/v1/namespaces").expect(200);
        registry.folder().join("access.log").exists().then_some(())
    });
    registry.stop();
    let all = |file| lines_of(&registry, file, 1).len();
    assert!(all("access.log") >= 1 && all("access.log.1") >= 3, "no line is lost");
}

#[test]
fn secrets_in_addresses_are_blanked_in_the_access_log() {
    let mut registry = Registry::with_config("[log]\naccess = \"access.log\"\n");
    let token = registry.admin().token;
    let sent = [
        format!("/api/v1/skills?token={token}"),
        format!("/api/v1/skills?page=1&Access_Token={token}&size=1"),
        format!("/api/v1/skills?%61pi%5Fkey={token}"),
        format!("/api/v1/skills?key={token}&size=x"),
        format!("/api/v1/search?q={token}"),
        format!("/api/v1/whoami?access_token={token}"),
        format!("/api/v1/skills/global/none?TOKEN={token}"),
        format!("/nothing/{token}"),
        format!("/?next=http%3A%2F%2Fann%3A{token}%40host%2F"),
        format!("/?next=https://ann:{token}@host/"),
    ];
    for target in &sent {
        let client = registry.anonymous().with("referer", &format!("http://host/?token={token}"));
        let refused = client.get(target);
        assert!(refused.status == 200 || !refused.text().contains("?token"), "{refused}");
    }
    registry.anonymous().with("user-agent", &format!("curl ({token})")).get("/readyz").expect(200);
    registry.stop();
    let lines = lines_of(&registry, "access.log", sent.len() + 1);
    let text = std::fs::read_to_string(registry.folder().join("access.log")).unwrap();
    assert!(!text.contains(&token) && !text.contains(&token[8..]), "{text}");
    let targets: Vec<_> = lines.iter().map(|line| line["target"].as_str().unwrap()).collect();
    assert_eq!(targets[0], "/api/v1/skills?token=***");
    assert_eq!(targets[1], "/api/v1/skills?page=1&Access_Token=***&size=1");
    assert_eq!(targets[4], "/api/v1/search?q=***");
    let log = std::fs::read_to_string(registry.folder().join("serve.log")).unwrap();
    assert!(!log.contains(&token), "{log}");
}

#[test]
fn log_can_be_json() {
    let mut registry = Registry::with_config("[log]\nformat = \"json\"\n");
    registry.stop();
    let log = std::fs::read_to_string(registry.folder().join("serve.log")).unwrap();
    let entries: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let is_last_word = |entry: &Value| entry["message"] == "finishing running requests";
    assert!(entries.iter().any(is_last_word), "{log}");
}
