use std::time::{Duration, UNIX_EPOCH};

use futures_util::StreamExt;
use http_body_util::BodyExt;

use super::*;

const TEXT: &str = "0123456789";

fn document(body: Payload) -> Representation {
    Representation {
        body,
        format: Format::Json,
        etag: Digest::of(TEXT.as_bytes()),
        last_modified: Some(UNIX_EPOCH + Duration::from_millis(1_600_000_000_500)),
        cache: CacheClass::Fresh,
        filename: None,
        repr_digest: None,
        coding: Coding::Fixed,
    }
}

fn tag() -> String {
    format!("\"{}\"", Digest::of(TEXT.as_bytes()))
}

/// Status, `Content-Range`, `Content-Length` and body of the answer to `headers`.
async fn ask(method: Method, headers: &[(HeaderName, &str)]) -> (u16, String, String, String) {
    let mut file = tempfile::tempfile().unwrap();
    std::io::Write::write_all(&mut file, format!("{TEXT}appended later").as_bytes()).unwrap();
    let mut request = HeaderMap::new();
    for (name, value) in headers {
        request.append(name, value.parse().unwrap());
    }
    let mut answers = Vec::new();
    for body in [Payload::Bytes(Bytes::from(TEXT)), Payload::File { file, size: 10 }] {
        let response = document(body).into_response(&method, &request).unwrap_or_else(|problem| {
            problem.into_response(&crate::response_headers::request_id::RequestId::random())
        });
        let text =
            |name| response.headers().get(name).map_or("", |v: &HeaderValue| v.to_str().unwrap()).to_owned();
        let seen = (response.status().as_u16(), text(header::CONTENT_RANGE), text(header::CONTENT_LENGTH));
        assert_eq!(text(header::ACCESS_CONTROL_ALLOW_ORIGIN), "*");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let body = if seen.0 == 416 { String::new() } else { String::from_utf8(body.to_vec()).unwrap() };
        answers.push((seen.0, seen.1, seen.2, body));
    }
    assert_eq!(answers[0], answers[1], "the response is the same from memory and from a file");
    answers.remove(0)
}

fn answer(status: u16, range: &str, length: &str, body: &str) -> (u16, String, String, String) {
    (status, range.into(), length.into(), body.into())
}

#[tokio::test]
async fn get_and_head_without_a_range() {
    assert_eq!(ask(Method::GET, &[]).await, answer(200, "", "10", TEXT));
    assert_eq!(ask(Method::HEAD, &[]).await, answer(200, "", "10", ""));
    assert_eq!(ask(Method::HEAD, &[(header::RANGE, "bytes=0-1")]).await, answer(200, "", "10", ""));
}

#[tokio::test]
async fn range_gets_206_or_416() {
    let get = |range| async move { ask(Method::GET, &[(header::RANGE, range)]).await };
    assert_eq!(get("bytes=2-4").await, answer(206, "bytes 2-4/10", "3", "234"));
    assert_eq!(get("bytes=-1").await, answer(206, "bytes 9-9/10", "1", "9"));
    assert_eq!(get("bytes=1-1,3-3").await, answer(200, "", "10", TEXT));
    assert_eq!(get("bytes=10-").await, answer(416, "bytes */10", "", ""));
    let twice = [(header::RANGE, "bytes=0-0"), (header::RANGE, "bytes=1-1")];
    assert_eq!(ask(Method::GET, &twice).await.0, 200);
}

#[tokio::test]
async fn if_range_compares_strongly() {
    let get = |validator: String| async move {
        ask(Method::GET, &[(header::RANGE, "bytes=0-0"), (header::IF_RANGE, &validator)]).await.0
    };
    assert_eq!(get(tag()).await, 206);
    assert_eq!(get(format!("W/{}", tag())).await, 200);
    assert_eq!(get("\"other\"".into()).await, 200);
    assert_eq!(get("Sun, 13 Sep 2020 12:26:40 GMT".into()).await, 206);
    assert_eq!(get("Sun, 13 Sep 2020 12:26:39 GMT".into()).await, 200);
    assert_eq!(get("nonsense".into()).await, 200);
}

#[tokio::test]
async fn matching_condition_gets_304() {
    let get = |name: HeaderName, value: String| async move { ask(Method::GET, &[(name, &value)]).await.0 };
    assert_eq!(get(header::IF_NONE_MATCH, tag()).await, 304);
    assert_eq!(get(header::IF_NONE_MATCH, format!("\"a\", W/{}", tag())).await, 304);
    assert_eq!(get(header::IF_NONE_MATCH, "*".into()).await, 304);
    assert_eq!(get(header::IF_NONE_MATCH, "\"a\"".into()).await, 200);
    assert_eq!(get(header::IF_NONE_MATCH, "nonsense".into()).await, 200);
    assert_eq!(get(header::IF_MODIFIED_SINCE, "Sun, 13 Sep 2020 12:26:40 GMT".into()).await, 304);
    assert_eq!(get(header::IF_MODIFIED_SINCE, "Sun, 13 Sep 2020 12:26:39 GMT".into()).await, 200);
    let both =
        [(header::IF_NONE_MATCH, "\"a\""), (header::IF_MODIFIED_SINCE, "Sun, 13 Sep 2099 12:26:40 GMT")];
    assert_eq!(ask(Method::GET, &both).await.0, 200);
    let lines = [(header::IF_NONE_MATCH, "\"a\""), (header::IF_NONE_MATCH, &*tag())];
    assert_eq!(ask(Method::GET, &lines).await.0, 304);
}

#[test]
fn status_304_has_the_headers_of_200() {
    let answer = |request: &HeaderMap| {
        let mut package = document(Payload::Bytes(Bytes::from(TEXT)));
        package.filename = Some("pdf-1.0.0\".zip".into());
        package.repr_digest = Some(Digest::of(TEXT.as_bytes()));
        package.cache = CacheClass::Immutable;
        package.into_response(&Method::GET, request).unwrap()
    };
    let full = answer(&HeaderMap::new());
    let unchanged = answer(&HeaderMap::from_iter([(header::IF_NONE_MATCH, tag().parse().unwrap())]));
    assert_eq!((full.status(), unchanged.status()), (StatusCode::OK, StatusCode::NOT_MODIFIED));
    let mut expected = full.headers().clone();
    expected.remove(header::CONTENT_LENGTH);
    assert_eq!(*unchanged.headers(), expected);
    assert_eq!(expected[header::CONTENT_DISPOSITION], "attachment; filename=\"pdf-1.0.0_.zip\"");
    assert_eq!(expected["repr-digest"], format!("sha-256=:{}:", Digest::of(TEXT.as_bytes()).to_base64()));
    assert_eq!(expected[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
}

#[tokio::test]
async fn file_is_sent_in_chunks() {
    let file = tempfile::tempfile().unwrap();
    file.set_len(1 << 20).unwrap();
    let body = stream::file(file, 10, 1 << 20).unwrap().into_body();
    let pieces: Vec<_> = body.into_data_stream().collect().await;
    let sizes: Vec<usize> = pieces.into_iter().map(|p| p.unwrap().len()).collect();
    assert!(sizes.iter().all(|&size| size <= 64 << 10));
    assert_eq!(sizes.iter().sum::<usize>(), (1 << 20) - 10);
}
