use proptest::prelude::*;

use super::*;

fn logged(line: &str) -> LoggedRequest {
    match read(line.as_bytes()) {
        Ok(logged) => logged,
        other => panic!("{line}: {other:?}"),
    }
}

fn expected() -> LoggedRequest {
    LoggedRequest {
        client: "192.0.2.1".parse().ok(),
        at: "2026-01-31T12:00:00Z".parse().unwrap(),
        method: "GET".into(),
        target: "/a/b?c=d".into(),
        status: 200,
        sent: Some(1234),
        part: None,
    }
}

#[test]
fn read_parses_apache_and_nginx() {
    let common = r#"192.0.2.1 - - [31/Jan/2026:12:00:00 +0000] "GET /a/b?c=d HTTP/1.1" 200 1234"#;
    let behind = [
        "",
        r#" "-" "curl/8""#,
        r#" "http://x/\"quoted\"" "an agent with \" and \x22" 0.002 "-""#,
        r#" "-" "unfinished"#,
        "\r",
    ];
    for more in behind {
        assert_eq!(logged(&format!("{common}{more}")), expected(), "{more}");
    }
    let names = [
        "skills.example.org:443 192.0.2.1 - -",
        "skills.example.org 192.0.2.1 - ann",
        "192.0.2.1 - x [31/Jan/1999:12:00:00 +0000]",
        "192.0.2.1 - a person with spaces",
        "10.0.0.1 192.0.2.1 - -",
    ];
    for before in names {
        assert_eq!(logged(&common.replace("192.0.2.1 - -", before)), expected(), "{before}");
    }
    let named = logged(&common.replace("192.0.2.1", "client.example.org"));
    assert_eq!(named.client, None);
    assert_eq!(logged(&common.replace("1234", "-")).sent, Some(0));
    assert_eq!(logged(&common.replace(" 1234", "")).sent, None);
}

#[test]
fn range_is_read_only_from_its_own_field() {
    let line = |fields: &str| {
        let common = r#"192.0.2.1 - - [31/Jan/2026:12:00:00 +0000] "GET / HTTP/1.1" 206 100"#;
        logged(&format!("{common} {fields}")).part
    };
    let part = Some(ByteRange { start: Some(0), length: Some(100) });
    assert_eq!(line(r#""-" "curl/8" range="bytes=0-99""#), part);
    assert_eq!(line(r#""-" "curl/8" http_range=bytes=0-99"#), part);
    assert_eq!(line(r#""-" "curl/8" content_range="bytes 0-99/1000" range="bytes=5-""#), part);
    for chosen_by_clients in [
        r#""-" "range=bytes=0-99""#,
        r#""bytes=0-99" "bytes=0-99""#,
        r#""-" "x\" range=\"bytes=0-99""#,
        r#""-" "curl/8" cookie="bytes=0-99""#,
        r#""-" "curl/8" range="-""#,
    ] {
        assert_eq!(line(chosen_by_clients), None, "{chosen_by_clients}");
    }
}

#[test]
fn read_parses_json_of_known_programs() {
    for line in [
        r#"{"time_iso8601":"2026-01-31T12:00:00+00:00","remote_addr":"192.0.2.1","request_method":"GET","request_uri":"/a/b?c=d","uri":"/a/b.zip","status":200,"body_bytes_sent":1234,"bytes_sent":2000,"http_range":""}"#,
        r#"{"msec":"1769860800.123","remote_addr":"192.0.2.1","request":"GET /a/b?c=d HTTP/2.0","status":"200","body_bytes_sent":"1234"}"#,
        r#"{"level":"info","ts":1769860800.25,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"10.0.0.1","client_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"x","uri":"/a/b?c=d","headers":{"Accept":["*/*"]}},"bytes_read":0,"duration":0.01,"size":1234,"status":200}"#,
        r#"{"ClientIP":"192.0.2.1","ClientRequestMethod":"GET","ClientRequestURI":"/a/b?c=d","ClientRequestPath":"/a/b","EdgeResponseStatus":200,"EdgeResponseBytes":1500,"EdgeResponseBodyBytes":1234,"EdgeStartTimestamp":1769860800000000000}"#,
        r#"{"date":"2026-01-31","time":"12:00:00","c-ip":"192.0.2.1","cs-method":"GET","cs-uri-stem":"/a/b?c=d","sc-status":"200","sc-bytes":"1234"}"#,
        r#"{"ClientAddr":"192.0.2.1:4711","RequestMethod":"GET","RequestPath":"/a/b?c=d","DownstreamStatus":200,"DownstreamContentSize":1234,"StartUTC":"2026-01-31T12:00:00.1Z","time":"2026-01-31T12:00:01Z"}"#,
        r#"{"@timestamp":"2026-01-31T12:00:00.000Z","client_ip":"192.0.2.1","request.method":"GET","url":"/a/b?c=d","status_code":200,"bytes":1234}"#,
    ] {
        assert_eq!(logged(line), expected(), "{line}");
    }
}

#[test]
fn range_is_read_from_json() {
    let line = |field: &str| {
        let common = r#""ts":0,"method":"GET","uri":"/","status":206"#;
        logged(&format!("{{{common},{field}}}")).part
    };
    let part = Some(ByteRange { start: Some(0), length: Some(100) });
    assert_eq!(line(r#""http_range":"bytes=0-99""#), part);
    assert_eq!(line(r#""request":{"headers":{"Range":["bytes=0-99"]}}"#), part);
    assert_eq!(line(r#""resp_headers":{"Content-Range":["bytes 0-99/7"]},"range":"bytes=4-""#), part);
    assert_eq!(line(r#""range":"-""#), None);
}

#[test]
fn read_of_other_lines_is_not_a_request() {
    let deep = "{\"a\":".repeat(1000);
    for line in [
        "",
        "# a comment",
        "GET / HTTP/1.1",
        r#"192.0.2.1 - - [31/Jan/2026:12:00:00 +0000] "GET / HTTP/1.1"#,
        r#"192.0.2.1 - - [31/Jan/2026:12:00:00 +0000] "GET / HTTP/1.1""#,
        r#"192.0.2.1 - - [31/Jan/2026:12:00:00 +0000] "GET / HTTP/1.1" two 7"#,
        r#"192.0.2.1 - - [31/Jan/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 many"#,
        r#"192.0.2.1 - - [yesterday] "GET / HTTP/1.1" 200 7"#,
        r#"192.0.2.1 - - 31/Jan/2026:12:00:00 +0000 "GET / HTTP/1.1" 200 7"#,
        r#""""#,
        "{",
        "{}}",
        r#"{"method":"GET","uri":"/"}"#,
        r#"{"method":"GET","uri":"/","ts":0,"status":99}"#,
        r#"{"method":"GET","ts":0,"status":200}"#,
        r#"{"method":"GET","uri":"/","ts":0,"status":200,"bytes":-1}"#,
        &deep,
    ] {
        assert_eq!(read(line.as_bytes()), Err(Skipped::Unreadable), "{line}");
    }
    assert_eq!(read(br#"{"level":"info","msg":"started"}"#), Err(Skipped::Other));
    // Invalid requests are logged too.
    let nonsense = r#"192.0.2.1 - - [31/Jan/2026:12:00:00 +0000] "\x16\x03\x01" 400 157 "-" "-""#;
    assert_eq!(logged(nonsense).target, "");
    assert_eq!(logged(&nonsense.replace(r"\x16\x03\x01", "-")).method, "-");
    assert_eq!(read(b"\xff\xfe\x00\xff"), Err(Skipped::Unreadable));
}

/// One sample of each format, which the tests damage.
const SAMPLES: [&str; 2] = [
    r#"host 192.0.2.1 - ann [31/Jan/2026:12:00:00 +0000] "GET /a HTTP/1.1" 206 100 "-" "x\"" range="bytes=0-99""#,
    r#"{"ts":1769860800.5,"request":{"method":"GET","uri":"/a","client_ip":"[::1]:7","headers":{"Range":["bytes=0-9"]}},"status":206,"size":9}"#,
];

proptest! {
    #[test]
    fn read_of_any_bytes_does_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
    }

    #[test]
    fn read_of_damaged_lines_does_not_panic(
        sample in 0..SAMPLES.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<char>()), 0..4),
        end in any::<prop::sample::Index>(),
    ) {
        let mut line: Vec<char> = SAMPLES[sample].chars().collect();
        for (at, character) in changes {
            let at = at.index(line.len());
            line[at] = character;
        }
        line.truncate(end.index(2 * line.len()));
        let _ = read(line.into_iter().collect::<String>().as_bytes());
    }
}

#[test]
fn read_parses_the_samples() {
    for sample in SAMPLES {
        let logged = logged(sample);
        assert_eq!((logged.status, logged.part.map(|part| part.start)), (206, Some(Some(0))), "{sample}");
    }
}

#[test]
fn address_ignores_ports_and_brackets() {
    let four: IpAddr = "192.0.2.1".parse().unwrap();
    let six: IpAddr = "2001:db8::1".parse().unwrap();
    for (text, expected) in [
        ("192.0.2.1", Some(four)),
        ("192.0.2.1:4711", Some(four)),
        ("2001:db8::1", Some(six)),
        ("[2001:db8::1]", Some(six)),
        ("[2001:db8::1]:4711", Some(six)),
        ("host.example.org", None),
        ("192.0.2.1, 192.0.2.2", None),
        ("-", None),
        ("", None),
    ] {
        assert_eq!(address(text), expected, "{text}");
    }
}
