use registry::journal::PublicRow;
use registry::public::{DecodedRow, Id};
use registry::time::Timestamp;
use serde_json::{Value, json};

use super::super::line::ByteRange;
use super::*;

/// `team/hello` with 1.0.0 (100 bytes, in January, tagged `old`) and 2.0.0 (200
/// bytes, in February).
fn catalog() -> PublicCatalog {
    let mut catalog = PublicCatalog::default();
    let golden = include_str!("../../../../registry/golden/public-published-v1.json");
    for (revision, at, version, size, tags) in [
        (41, "2026-01-01T00:00:00Z", "1.0.0", 100, json!(["old"])),
        (42, "2026-02-01T00:00:00Z", "2.0.0", 200, json!([])),
    ] {
        let mut row: Value = serde_json::from_str(golden).unwrap();
        row["revision"] = json!(revision);
        row["at"] = json!(at);
        row["versionId"] = json!(revision.to_string());
        row["version"] = json!(version);
        row["packageSize"] = json!(size);
        row["tags"] = tags;
        // Read in the order in which it was written, the header first.
        let header = format!(r#"{{"revision":{revision},"at":"{at}","kind":"published","v":1,"#);
        let fields = row.as_object_mut().unwrap();
        for name in ["revision", "at", "kind", "v"] {
            fields.remove(name);
        }
        let json = header + row.to_string().trim_start_matches('{');
        let row = PublicRow::new(revision, json);
        catalog.apply(&row, DecodedRow::decode(&row).unwrap());
    }
    catalog
}

fn get(target: &str) -> LoggedRequest {
    LoggedRequest {
        client: "192.0.2.1".parse().ok(),
        at: "2026-03-31T23:59:59Z".parse().unwrap(),
        method: "GET".into(),
        target: target.into(),
        status: 200,
        sent: Some(200),
        part: None,
    }
}

/// The version that was downloaded.
fn version(logged: &LoggedRequest) -> Option<u64> {
    classify(logged, &catalog()).ok().map(|download| download.version.0)
}

const FIRST: &str = "/api/v1/skills/team/hello/versions/1.0.0/download";
const SECOND: &str = "/api/v1/skills/team/hello/versions/2.0.0/download";

#[test]
fn every_address_of_a_package_is_one() {
    for target in [
        SECOND,
        "/api/v1/skills/team/hello/versions/2.0.0/download.zip",
        "/api/v1/skills/team/hello/versions/2.0.0/download.zip?x=y",
        "/api/v1/skills/team/hello/download",
        "/api/v1/skills/team/hello/download.zip",
        "/api/v1/download/team--hello/2.0.0",
        "/api/v1/download/team--hello/2.0.0.zip",
        "/api/v1/download/team--hello/latest",
        "/clawhub/api/v1/download?slug=team--hello&version=2.0.0",
        "/clawhub/api/v1/download?slug=team--hello&ownerHandle=ann&version=2.0.0",
        "/%61pi/v1/skills/team/hello/versions/2%2E0.0/download?a=b",
        "https://skills.example.org/api/v1/skills/team/hello/download",
        "HTTP://skills.example.org:80/api/v1/skills/team/hello/download.zip",
    ] {
        assert_eq!(version(&get(target)), Some(42), "{target}");
    }
    assert_eq!(version(&get(FIRST)), Some(41));
    assert_eq!(version(&get("/api/v1/download/team--hello/old")), Some(41));
    let expected = Download {
        skill: Id(40),
        version: Id(42),
        day: Day::from("2026-03-31T00:00:00Z".parse::<Timestamp>().unwrap()),
        client: "192.0.2.1".parse().unwrap(),
    };
    assert_eq!(classify(&get(SECOND), &catalog()), Ok(expected));
}

#[test]
fn the_latest_version_is_that_of_the_time() {
    for target in ["/api/v1/skills/team/hello/download", "/api/v1/download/team--hello/latest"] {
        for (at, expected) in [
            ("2026-01-15T00:00:00Z", 41),
            ("2026-02-01T00:00:00Z", 42),
            ("2025-01-01T00:00:00Z", 42), // by a clock that is wrong
        ] {
            let logged = LoggedRequest { at: at.parse().unwrap(), ..get(target) };
            assert_eq!(version(&logged), Some(expected), "{target} {at}");
        }
    }
}

#[test]
fn partial_downloads_do_not_count() {
    let catalog = catalog();
    let part = |start, length| Some(ByteRange { start, length });
    for (status, sent, part, is_complete) in [
        (200, Some(200), None, true),
        (200, Some(900), None, true),
        (200, None, None, true),
        (200, Some(199), None, false),
        (200, Some(0), None, false),
        (206, Some(200), None, true),
        (206, Some(100), None, false),
        (206, None, None, false),
        (206, Some(100), part(Some(0), Some(100)), true),
        (206, Some(99), part(Some(0), Some(100)), false),
        (206, Some(100), part(Some(0), None), false),
        (206, Some(200), part(Some(0), Some(u64::MAX)), true),
        (206, None, part(Some(0), None), true),
        (206, Some(100), part(Some(1), Some(100)), false),
        (206, Some(100), part(None, None), false),
    ] {
        let logged = LoggedRequest { status, sent, part, ..get(SECOND) };
        let verdict = classify(&logged, &catalog);
        assert_eq!(verdict.is_ok(), is_complete, "{logged:?}");
        assert_eq!(verdict == Err(Skipped::Incomplete), !is_complete, "{logged:?}");
    }
}

#[test]
fn requests_that_download_no_package_do_not_count() {
    let catalog = catalog();
    for (method, status, target) in [
        ("HEAD", 200, SECOND),
        ("POST", 200, SECOND),
        ("get", 200, SECOND),
        ("GET", 304, SECOND),
        ("GET", 404, SECOND),
        ("GET", 200, "/api/v1/skills/team/hello"),
        ("GET", 200, "/api/v1/skills/team/hello/versions/2.0.0/download.json"),
        ("GET", 200, "/api/v1/skills/team/hello/versions/2.0.0/download/"),
        ("GET", 200, "/api/v1/skills//team/hello/versions/2.0.0/download"),
        ("GET", 200, "/api/v1/skills/team/hello/versions/2.0.0/%2e%2e/download"),
        ("GET", 200, "/api/v1/skills/team/hello/versions/2.0.0/downlo%"),
        ("GET", 200, "/api/v1/skills?page=x"),
        ("GET", 200, "/"),
        ("GET", 200, ""),
        ("GET", 200, "*"),
        ("GET", 200, "https://skills.example.org"),
        ("GET", 200, "://"),
    ] {
        let logged = LoggedRequest { method: method.into(), status, ..get(target) };
        assert_eq!(classify(&logged, &catalog), Err(Skipped::Other), "{logged:?}");
    }
    for target in [
        "/api/v1/skills/team/other/download",
        "/api/v1/skills/team/hello/versions/3.0.0/download",
        "/api/v1/download/team--hello/no-such-tag",
    ] {
        assert_eq!(classify(&get(target), &catalog), Err(Skipped::Unknown), "{target}");
    }
    assert_eq!(
        classify(&LoggedRequest { client: None, ..get(SECOND) }, &catalog),
        Err(Skipped::WithoutAddress)
    );
}
