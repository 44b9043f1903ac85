//! Tests that every [`Blobs`] has to pass.

use std::io::{Read, Seek, SeekFrom};
use std::time::Duration;

use crate::journal::{Blobs, Removal};
use crate::names::Digest;

/// A store under test. Each `open` gives the view of another process.
pub trait BlobsUnderTest {
    /// An empty store.
    fn new() -> Self;
    /// Opens it.
    fn open(&self) -> Box<dyn Blobs>;
}

/// Makes the tests of a type that implements [`BlobsUnderTest`].
#[macro_export]
macro_rules! blobs_contract {
    ($blobs:ty) => {
        $crate::contract_tests!(
            $blobs,
            $crate::journal::contract::BlobsUnderTest,
            $crate::journal::contract::blobs,
            put_blob_can_be_opened,
            blob_reader_can_seek_and_copy,
            remove_blobs_removes_only_those_given,
            remove_blobs_spares_young_blobs,
        );
    };
}

/// Makes the tests of a type that implements [`BlobsUnderTest`] and has locks.
#[macro_export]
macro_rules! blobs_with_locks_contract {
    ($blobs:ty) => {
        $crate::blobs_contract!($blobs);

        #[test]
        fn held_blobs_are_not_removed() {
            $crate::journal::contract::blobs::held_blobs_are_not_removed(
                &<$blobs as $crate::journal::contract::BlobsUnderTest>::new(),
            );
        }
    };
}

pub fn put_blob_can_be_opened(backend: &impl BlobsUnderTest) {
    let blobs = backend.open();
    let contents: [&[u8]; 3] = [b"", b"abc", &[7; 300_000]];
    for bytes in contents {
        assert!(blobs.open_blob(Digest::of(bytes)).unwrap().is_none());
        for _ in 0..2 {
            assert_eq!(blobs.put_blob(bytes).unwrap(), Digest::of(bytes));
        }
        let mut blob = backend.open().open_blob(Digest::of(bytes)).unwrap().unwrap();
        let mut read = Vec::new();
        blob.read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
        assert_eq!(blob.size().unwrap(), bytes.len() as u64);
    }
    assert!(blobs.open_blob(Digest::of(b"never put")).unwrap().is_none());
}

pub fn blob_reader_can_seek_and_copy(backend: &impl BlobsUnderTest) {
    let blobs = backend.open();
    let digest = blobs.put_blob(b"0123456789").unwrap();
    let mut blob = blobs.open_blob(digest).unwrap().unwrap();
    blob.seek(SeekFrom::Start(7)).unwrap();
    let mut end = String::new();
    blob.read_to_string(&mut end).unwrap();
    assert_eq!(end, "789");
    for bytes in [b"0123456789".to_vec(), vec![7; 300_000]] {
        let digest = blobs.put_blob(&bytes).unwrap();
        let mut blob = blobs.open_blob(digest).unwrap().unwrap();
        blob.seek(SeekFrom::Start(3)).unwrap();
        let mut copy = tempfile::tempfile().unwrap();
        blob.copy_to(&mut copy).unwrap();
        copy.rewind().unwrap();
        assert_eq!(Digest::of_reader(&mut copy).unwrap().0, digest, "the whole blob is copied");
    }
}

const NOW: Duration = Duration::ZERO;
const HOUR: Duration = Duration::from_secs(60 * 60);

fn stored(blobs: &dyn Blobs) -> Vec<(Digest, u64)> {
    let mut seen = Vec::new();
    blobs.visit_blobs(&mut |blob| seen.push((blob.digest, blob.size))).unwrap();
    seen.sort_unstable();
    seen
}

fn removed(removal: &Removal) -> Vec<u64> {
    match removal {
        Removal::Done(blobs) => blobs.iter().map(|blob| blob.size).collect(),
        Removal::Held => panic!("held"),
    }
}

pub fn remove_blobs_removes_only_those_given(backend: &impl BlobsUnderTest) {
    let blobs = backend.open();
    assert!(stored(&*blobs).is_empty());
    let [a, b, never] = [&b"a"[..], b"bb", b"never put"].map(Digest::of);
    for bytes in [&b"a"[..], b"bb"] {
        blobs.put_blob(bytes).unwrap();
    }
    let mut both = vec![(a, 1), (b, 2)];
    both.sort_unstable();
    assert_eq!(stored(&*blobs), both);
    for (digest, size, is_there) in [(a, 1, true), (a, 2, false), (never, 9, false)] {
        assert_eq!(blobs.renew_blob(digest, size).unwrap(), is_there);
    }
    let other = backend.open();
    assert_eq!(removed(&other.remove_blobs(NOW, &[b, never]).unwrap()), [2]);
    assert_eq!(stored(&*blobs), [(a, 1)]);
    assert!(blobs.open_blob(b).unwrap().is_none());
    assert!(!blobs.renew_blob(b, 2).unwrap());
    blobs.put_blob(b"bb").unwrap();
    assert_eq!(stored(&*other), both);
}

pub fn remove_blobs_spares_young_blobs(backend: &impl BlobsUnderTest) {
    let blobs = backend.open();
    let digest = blobs.put_blob(b"abc").unwrap();
    assert!(removed(&blobs.remove_blobs(HOUR, &[digest]).unwrap()).is_empty());
    assert_eq!(removed(&blobs.remove_blobs(NOW, &[digest]).unwrap()), [3]);
}

pub fn held_blobs_are_not_removed(backend: &impl BlobsUnderTest) {
    let (blobs, other) = (backend.open(), backend.open());
    let digest = blobs.put_blob(b"abc").unwrap();
    let holds = [other.hold_blobs().unwrap(), backend.open().hold_blobs().unwrap()];
    for hold in holds {
        assert_eq!(blobs.remove_blobs(NOW, &[digest]).unwrap(), Removal::Held);
        drop(hold);
    }
    assert_eq!(removed(&blobs.remove_blobs(NOW, &[digest]).unwrap()), [3]);
}
