use std::convert::Infallible;

use hyper::{HeaderMap, Method};

use super::*;

const KEY: &str = "/api/v1/skills";

fn document(bytes: &[u8], gzip: Option<Bytes>) -> Prepared {
    let content = Content { bytes: Bytes::copy_from_slice(bytes), gzip, modified: None };
    Prepared::new(&Document::Skills, content, true)
}

fn prepared(text: &str) -> Arc<Prepared> {
    Arc::new(document(text.as_bytes(), None))
}

fn length(document: Option<Arc<Prepared>>) -> Option<String> {
    let answer = document?.answer(&Method::GET, &HeaderMap::new()).ok()?;
    Some(answer.headers()["content-length"].to_str().unwrap().to_owned())
}

fn read(cache: &DocumentCache, text: &str, meanwhile: impl FnOnce()) -> Option<String> {
    let read = || {
        meanwhile();
        Ok::<_, Infallible>(Some(prepared(text)))
    };
    length(cache.find_or(&Document::Skills, KEY, read).unwrap())
}

fn write(cache: &DocumentCache, text: &str) {
    let written = Written { bytes: text.as_bytes(), gzip: None, modified: std::time::UNIX_EPOCH };
    cache.replaced(&Document::Skills, written);
}

#[test]
fn read_document_is_found_until_replaced_or_removed() {
    let cache = DocumentCache::new(1 << 20, true);
    cache.open();
    assert_eq!(length(cache.find(KEY)), None);
    assert_eq!(read(&cache, "1", || {}).as_deref(), Some("1"));
    assert_eq!(length(cache.find(KEY)).as_deref(), Some("1"));
    write(&cache, "22");
    assert_eq!(length(cache.find(KEY)).as_deref(), Some("2"));
    // The other spelling has not been read.
    assert_eq!(length(cache.find("/api/v1/skills.json")), None);
    cache.removed(&Document::Skills);
    assert_eq!(length(cache.find(KEY)), None);
}

#[test]
fn document_that_changes_during_a_read_is_not_cached() {
    let cache = DocumentCache::new(1 << 20, true);
    cache.open();
    let changes: [fn(&DocumentCache); 3] =
        [|cache| write(cache, "22"), |cache| cache.removed(&Document::Skills), |cache| cache.invalidated()];
    for meanwhile in changes {
        assert_eq!(read(&cache, "1", || meanwhile(&cache)).as_deref(), Some("1"));
        assert_eq!(length(cache.find(KEY)), None);
    }
    // A second reader does not wait for the first.
    read(&cache, "1", || assert_eq!(read(&cache, "22", || {}).as_deref(), Some("2")));
    assert_eq!(length(cache.find(KEY)).as_deref(), Some("1"));
}

#[test]
fn closed_cache_finds_nothing() {
    let cache = DocumentCache::new(1 << 20, true);
    read(&cache, "1", || {});
    assert_eq!(length(cache.find(KEY)), None);
    cache.open();
    read(&cache, "1", || {});
    assert!(cache.find(KEY).is_some());
    cache.close();
    assert!(cache.find(KEY).is_none());
    // A read that began in an earlier generation is not cached in a later one.
    cache.open();
    read(&cache, "1", || {
        cache.close();
        cache.open();
    });
    assert!(cache.find(KEY).is_none());
    assert_eq!(read(&cache, "22", || {}).as_deref(), Some("2"));
    assert_eq!(length(cache.find(KEY)).as_deref(), Some("2"));
}

#[test]
fn weight_is_limited_and_zero_disables() {
    let cache = DocumentCache::new(1 << 20, true);
    cache.open();
    for page in 1..2000 {
        let key = &keys(&Document::Feed(page))[0];
        cache
            .find_or(&Document::Feed(page), key, || Ok::<_, Infallible>(Some(prepared(&"x".repeat(2000)))))
            .unwrap();
    }
    assert!(cache.entries.as_ref().unwrap().weight() <= 1 << 20);
    assert!(cache.entries.as_ref().unwrap().len() > 50);
    let off = DocumentCache::new(0, true);
    off.open();
    read(&off, "1", || {});
    assert!(off.find(KEY).is_none());
}

#[test]
fn vary_depends_on_siblings_before_and_after_a_write() {
    let varies = |cache: &DocumentCache| {
        let answer = cache.find(KEY).unwrap().answer(&Method::GET, &HeaderMap::new()).unwrap();
        answer.headers().contains_key("vary")
    };
    for (cache, expected) in
        [(DocumentCache::new(1 << 20, true), true), (DocumentCache::new(1 << 20, false), false)]
    {
        cache.open();
        read(&cache, "1", || {});
        write(&cache, "22");
        assert_eq!(varies(&cache), expected);
    }
}

#[test]
fn invalid_tag_does_not_select_an_unaccepted_variant() {
    let gzip = Some(Bytes::from_static(b"compressed"));
    let document = document(b"plain", gzip);
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
