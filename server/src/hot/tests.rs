use std::convert::Infallible;

use hyper::{HeaderMap, Method};

use super::*;

const KEY: &str = "/api/v1/skills";

fn prepared(text: &str) -> Arc<Prepared> {
    Arc::new(reads::prepare(&Document::Skills, Bytes::copy_from_slice(text.as_bytes()), None, None))
}

fn length(document: Option<Arc<Prepared>>) -> Option<String> {
    let answer = document?.answer(&Method::GET, &HeaderMap::new()).ok()?;
    Some(answer.headers()["content-length"].to_str().unwrap().to_owned())
}

fn read(hot: &Hot, text: &str, meanwhile: impl FnOnce()) -> Option<String> {
    let read = || {
        meanwhile();
        Ok::<_, Infallible>(Some(prepared(text)))
    };
    length(hot.find_or(KEY, read).unwrap())
}

fn write(hot: &Hot, text: &str) {
    let written = Written { bytes: text.as_bytes(), gzip: None, modified: std::time::UNIX_EPOCH };
    hot.replaced(&Document::Skills, written);
}

#[test]
fn what_was_read_is_there_until_it_is_replaced_or_removed() {
    let hot = Hot::new(1 << 20);
    hot.open();
    assert_eq!(length(hot.find(KEY)), None);
    assert_eq!(read(&hot, "1", || {}).as_deref(), Some("1"));
    assert_eq!(length(hot.find(KEY)).as_deref(), Some("1"));
    write(&hot, "22");
    assert_eq!(length(hot.find(KEY)).as_deref(), Some("2"));
    // Nobody has asked for the other spelling.
    assert_eq!(length(hot.find("/api/v1/skills.json")), None);
    hot.removed(&Document::Skills);
    assert_eq!(length(hot.find(KEY)), None);
}

#[test]
fn what_changes_while_it_is_read_does_not_stay() {
    let hot = Hot::new(1 << 20);
    hot.open();
    let changes: [fn(&Hot); 3] =
        [|hot| write(hot, "22"), |hot| hot.removed(&Document::Skills), |hot| hot.forgotten()];
    for meanwhile in changes {
        assert_eq!(read(&hot, "1", || meanwhile(&hot)).as_deref(), Some("1"));
        assert_eq!(length(hot.find(KEY)), None);
    }
    // A second reader does not wait for the first.
    read(&hot, "1", || assert_eq!(read(&hot, "22", || {}).as_deref(), Some("2")));
    assert_eq!(length(hot.find(KEY)).as_deref(), Some("1"));
}

#[test]
fn nothing_is_found_while_another_process_writes() {
    let hot = Hot::new(1 << 20);
    read(&hot, "1", || {});
    assert_eq!(length(hot.find(KEY)), None);
    hot.open();
    read(&hot, "1", || {});
    assert!(hot.find(KEY).is_some());
    hot.close();
    assert!(hot.find(KEY).is_none());
    // What was begun under an earlier lock is of no use under a later one.
    hot.open();
    read(&hot, "1", || {
        hot.close();
        hot.open();
    });
    assert!(hot.find(KEY).is_none());
    assert_eq!(read(&hot, "22", || {}).as_deref(), Some("2"));
    assert_eq!(length(hot.find(KEY)).as_deref(), Some("2"));
}

#[test]
fn it_is_bounded_and_may_be_nothing() {
    let hot = Hot::new(1 << 20);
    hot.open();
    for page in 1..2000 {
        let key = &keys(&Document::Feed(page))[0];
        hot.find_or(key, || Ok::<_, Infallible>(Some(prepared(&"x".repeat(2000))))).unwrap();
    }
    assert!(hot.cache.as_ref().unwrap().weight() <= 1 << 20);
    assert!(hot.cache.as_ref().unwrap().len() > 50);
    let off = Hot::new(0);
    off.open();
    read(&off, "1", || {});
    assert!(off.find(KEY).is_none());
}

#[test]
fn a_document_varies_before_and_after_a_write_or_never() {
    let varies = |hot: &Hot| {
        let answer = hot.find(KEY).unwrap().answer(&Method::GET, &HeaderMap::new()).unwrap();
        answer.headers().contains_key("vary")
    };
    for (hot, expected) in [(Hot::new(1 << 20), true), (Hot::new(1 << 20).without_siblings(), false)] {
        hot.open();
        read(&hot, "1", || {});
        write(&hot, "22");
        assert_eq!(varies(&hot), expected);
    }
}

#[test]
fn a_tag_that_is_none_brings_nobody_a_form_he_cannot_take() {
    let gzip = Some(Bytes::from_static(b"compressed"));
    let document = reads::prepare(&Document::Skills, Bytes::from_static(b"plain"), gzip, None);
    let ask = |headers: &[(&'static str, &str)]| {
        let headers = headers.iter().map(|(name, value)| ((*name).parse().unwrap(), value.parse().unwrap()));
        document.answer(&Method::GET, &headers.collect()).unwrap()
    };
    let tag = ask(&[("accept-encoding", "gzip")]).headers()["etag"].to_str().unwrap().to_owned();
    assert_eq!(ask(&[("if-none-match", &tag)]).status(), 304);
    for odd in [format!("W/W/{tag}"), format!("\"a,{tag}")] {
        let answer = ask(&[("if-none-match", &odd)]);
        assert_eq!(
            (answer.status().as_u16(), answer.headers().get("content-encoding")),
            (200, None),
            "{odd}"
        );
    }
}
