use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt;
use object_store::memory::InMemory;
use object_store::{ObjectStore, ObjectStoreExt};
use registry::journal::contract::BlobsUnderTest;
use registry::journal::{Blobs, JournalError, Removal};
use registry::names::Digest;

use super::*;
use crate::keys::KeyStyle;

/// A store, as several processes of one registry see it.
struct Memory(Arc<InMemory>);

impl Memory {
    fn of_registry(&self, origin: Option<Digest>) -> BucketBlobs {
        let target = Target::in_memory(&self.0, "s3://skills/packages", KeyStyle::Files);
        BucketBlobs::of(target, Box::new(move || Ok(origin))).unwrap()
    }

    fn keys(&self) -> Vec<String> {
        let all = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap()
            .block_on(async { self.0.list(None).try_collect::<Vec<_>>().await.unwrap() });
        all.into_iter().map(|object| object.location.to_string()).collect()
    }

    fn objects_of(&self, digest: Digest) -> usize {
        let prefix = format!("packages/blobs/{digest}/");
        self.keys().iter().filter(|key| key.starts_with(&prefix)).count()
    }
}

impl BlobsUnderTest for Memory {
    fn new() -> Self {
        Self(Arc::new(InMemory::new()))
    }

    fn open(&self) -> Box<dyn Blobs> {
        Box::new(self.of_registry(Some(Digest::of(b"row 1"))))
    }
}

registry::blobs_contract!(Memory);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[test]
fn renewal_leaves_one_object() {
    let store = Memory::new();
    let blobs = store.open();
    let digest = blobs.put_blob(b"abc").unwrap();
    blobs.put_blob(b"abc").unwrap();
    assert_eq!(store.objects_of(digest), 2, "each put has a name of its own");
    assert!(blobs.renew_blob(digest, 3).unwrap());
    assert_eq!(store.objects_of(digest), 1);
    let Removal::Done(removed) = blobs.remove_blobs(Duration::ZERO, &[digest]).unwrap() else { panic!() };
    assert_eq!((removed.len(), store.objects_of(digest)), (1, 0));
}

#[test]
fn removal_spares_what_is_put_after_it_looked() {
    let store = Memory::new();
    let blobs = store.open();
    let digest = blobs.put_blob(b"abc").unwrap();
    // What a removal would name, and what comes between its look and its end.
    let found = store.keys();
    blobs.renew_blob(digest, 3).unwrap();
    blobs.put_blob(b"abc").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for key in found {
        runtime.block_on(store.0.delete(&key.into())).ok();
    }
    assert!(blobs.open_blob(digest).unwrap().is_some());
    assert_eq!(blobs.remove_blobs(DAY, &[digest]).unwrap(), Removal::Done(Vec::new()));
}

#[test]
fn removal_leaves_no_other_objects() {
    let store = Memory::new();
    let blobs = store.open();
    let digest = blobs.put_blob(b"abc").unwrap();
    blobs.probe_storage(1 << 40).unwrap();
    blobs.remove_blobs(Duration::ZERO, &[digest]).unwrap();
    assert_eq!(store.keys(), ["packages/packages-of"]);
}

#[test]
fn bucket_of_another_registry_is_refused() {
    let store = Memory::new();
    let new = store.of_registry(None);
    assert_eq!(new.ownership().unwrap(), Ownership::Unclaimed);
    let digest = store.open().put_blob(b"abc").unwrap();
    let other = store.of_registry(Some(Digest::of(b"another row 1")));
    assert_eq!(other.ownership().unwrap(), Ownership::Foreign);
    assert_eq!(new.ownership().unwrap(), Ownership::Foreign, "without a journal it cannot be its own");
    for refused in [
        other.put_blob(b"x").map(drop),
        other.renew_blob(digest, 3).map(drop),
        other.remove_blobs(Duration::ZERO, &[digest]).map(drop),
    ] {
        let why = refused.unwrap_err();
        assert!(matches!(why, JournalError::Storage(_)));
        assert!(with_causes(&why).contains("another registry"), "{why:?}");
    }
    assert_eq!(store.objects_of(digest), 1);
}

#[test]
fn objects_of_others_are_not_packages() {
    let store = Memory::new();
    let digest = store.open().put_blob(b"abc").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for stray in ["note", &digest.to_string(), &format!("{digest}/note"), &format!("{digest}/a/b")] {
        let place = format!("packages/blobs/{stray}").into();
        runtime.block_on(store.0.put(&place, "stray".into())).unwrap();
    }
    let mut seen = Vec::new();
    store.open().visit_blobs(&mut |blob| seen.push((blob.digest, blob.size))).unwrap();
    assert_eq!(seen, [(digest, 3)]);
}
