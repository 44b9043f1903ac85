//! Search in an index that changes or is damaged.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::harness::{FakeHost, Home, ReceivedRequest, Registry, Reply, Skill};

const PIECES: &str = "/api/v1/search/_index/";
const MANIFEST: &str = "/api/v1/search/_index/manifest.bin";

fn tree() -> BTreeMap<String, Vec<u8>> {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello").description("Greets.")).by(&registry.admin()).expect(201);
    registry.stop();
    registry.tree_bytes()
}

/// A host of a tree, whose pieces of the index are what `piece` makes of them.
fn host(piece: impl Fn(Vec<u8>) -> Reply + Send + Sync + 'static) -> FakeHost {
    let tree = tree();
    FakeHost::answering(move |asked: &ReceivedRequest| {
        match tree.get(asked.path.trim_start_matches('/')).cloned() {
            None => Reply::status(404),
            Some(bytes) if asked.path.starts_with(PIECES) && asked.path != MANIFEST => piece(bytes),
            Some(bytes) => Reply::bytes(bytes),
        }
    })
}

fn manifests(host: &FakeHost) -> usize {
    host.paths().iter().filter(|path| *path == MANIFEST).count()
}

#[test]
fn changed_index_is_read_again() {
    let count = AtomicUsize::new(0);
    let host = host(move |bytes| match count.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::status(404),
        _ => Reply::bytes(bytes),
    });
    let found = Home::new().json(&["search", "greets", "--registry", &host.base]);
    assert_eq!((&found["total"], manifests(&host)), (&1.into(), 2));
}

#[test]
fn index_without_its_pieces_is_damaged() {
    let host = host(|_| Reply::status(404));
    let why = Home::new().refusal("index_damaged", &["search", "greets", "--registry", &host.base]);
    assert!(why.contains("refers to missing pieces") && manifests(&host) == 2, "{why}");
}

#[test]
fn changed_piece_is_refused() {
    let host = host(|mut bytes| {
        *bytes.last_mut().unwrap() ^= 1;
        Reply::bytes(bytes)
    });
    let why = Home::new().refusal("index_damaged", &["search", "greets", "--registry", &host.base]);
    assert!(why.contains("does not match its name"), "{why}");
}
