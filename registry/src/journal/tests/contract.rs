//! Tests that every [`Journal`] has to pass.

use std::io::{Read, Seek, SeekFrom};
use std::time::{Duration, SystemTime};

use crate::journal::{Journal, JournalError, MemoryJournal, PublicRow, Removal, Row, SqliteJournal};
use crate::names::Digest;
use crate::time::Timestamp;

/// A store under test. Each `open` gives the view of another process.
trait Backend {
    fn new() -> Self;
    fn open(&self) -> Box<dyn Journal>;
}

struct Memory(MemoryJournal);

impl Backend for Memory {
    fn new() -> Self {
        Self(MemoryJournal::new())
    }

    fn open(&self) -> Box<dyn Journal> {
        Box::new(self.0.clone())
    }
}

struct Sqlite(tempfile::TempDir);

impl Backend for Sqlite {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn open(&self) -> Box<dyn Journal> {
        Box::new(SqliteJournal::open(self.0.path()).unwrap())
    }
}

macro_rules! backend_tests {
    ($($test:ident),+ $(,)?) => {
        mod memory {
            $(#[test] fn $test() { super::$test(&<super::Memory as super::Backend>::new()) })+
        }
        mod sqlite {
            $(#[test] fn $test() { super::$test(&<super::Sqlite as super::Backend>::new()) })+
        }
    };
}

backend_tests!(
    new_journal_is_empty,
    since_returns_appended_rows,
    append_of_another_revision_conflicts,
    append_with_an_earlier_time_is_refused,
    append_by_two_writers_keeps_every_row_once,
    public_since_skips_private_rows,
    epoch_stays_and_is_unique,
    put_blob_can_be_opened,
    blob_reader_can_seek,
    remove_blobs_removes_only_those_given,
    remove_blobs_spares_blobs_that_may_be_named,
);

fn row(revision: u64, public: Option<&str>) -> Row {
    let at = Timestamp::from_unix(1_769_860_800).unwrap();
    let public = public.map(|json| PublicRow::new(revision, json.into()));
    Row { revision, at, private: format!(r#"{{"n":{revision}}}"#), public }
}

fn new_journal_is_empty(backend: &impl Backend) {
    let journal = backend.open();
    assert_eq!(journal.head().unwrap(), 0);
    assert!(journal.since(0, 10).unwrap().is_empty());
    assert!(journal.since(7, 10).unwrap().is_empty());
    assert!(journal.public_since(0, 10).unwrap().is_empty());
    for revision in [0, 1, u64::MAX] {
        assert_eq!(journal.public_row(revision).unwrap(), None);
    }
}

fn since_returns_appended_rows(backend: &impl Backend) {
    let journal = backend.open();
    let at = |seconds| Timestamp::from_unix(seconds).unwrap();
    // Odd spacing, odd characters, a long text, times before 1970.
    let long = format!(r#"{{"long":"{}"}}"#, "é".repeat(150 * 1024));
    let rows = [
        Row { revision: 1, at: at(-5), private: "{ \"a\" :1 }\n".into(), public: None },
        Row { revision: 2, at: at(-5), private: long.clone(), public: Some(PublicRow::new(2, long)) },
        Row {
            revision: 3,
            at: at(9),
            private: "\u{0}\u{feff}👩‍👩‍👧 e\u{301}".into(),
            public: Some(PublicRow::new(3, String::new())),
        },
    ];
    for row in &rows {
        journal.append(row).unwrap();
    }
    for journal in [journal, backend.open()] {
        assert_eq!(journal.head().unwrap(), 3);
        assert_eq!(journal.since(0, usize::MAX).unwrap(), rows);
        assert_eq!(journal.since(1, 1).unwrap(), rows[1..2]);
        assert!(journal.since(1, 0).unwrap().is_empty());
        for past in [3, 4, u64::MAX] {
            assert!(journal.since(past, 10).unwrap().is_empty());
        }
        assert_eq!(journal.public_row(3).unwrap().unwrap().json, "");
        assert_eq!(journal.public_row(2).unwrap(), rows[1].public);
    }
}

fn append_of_another_revision_conflicts(backend: &impl Backend) {
    let journal = backend.open();
    let refused = |revision, expected| {
        let error = backend.open().append(&row(revision, None)).unwrap_err();
        assert!(matches!(error, JournalError::Conflict { head } if head == expected), "{error}");
    };
    refused(0, 0);
    refused(2, 0);
    journal.append(&row(1, None)).unwrap();
    for revision in [0, 1, 3, u64::MAX] {
        refused(revision, 1);
    }
    assert_eq!(journal.since(0, 10).unwrap(), [row(1, None)]);
    journal.append(&row(2, None)).unwrap();
}

fn append_with_an_earlier_time_is_refused(backend: &impl Backend) {
    let journal = backend.open();
    journal.append(&row(1, None)).unwrap();
    let early = Row { at: Timestamp::from_unix(row(1, None).at.as_unix() - 1).unwrap(), ..row(2, None) };
    assert!(matches!(journal.append(&early), Err(JournalError::Storage(_))));
    assert_eq!(journal.head().unwrap(), 1);
    // A conflict is reported first: a late writer does not know the last time.
    let late = Row { revision: 1, ..early };
    assert!(matches!(journal.append(&late), Err(JournalError::Conflict { head: 1 })));
}

fn append_by_two_writers_keeps_every_row_once(backend: &impl Backend) {
    const THREADS: usize = 8;
    const EACH: usize = 6;
    let writers = [backend.open(), backend.open()];
    std::thread::scope(|scope| {
        for (process, writer) in writers.iter().enumerate() {
            for thread in 0..THREADS {
                scope.spawn(move || {
                    for turn in 0..EACH {
                        append_with_retry(writer.as_ref(), format!("{process}/{thread}/{turn}"));
                    }
                });
            }
        }
    });
    let rows = backend.open().since(0, usize::MAX).unwrap();
    assert!(rows.iter().map(|row| row.revision).eq(1..=(2 * THREADS * EACH) as u64));
    let mut written: Vec<_> = rows.into_iter().map(|row| row.private).collect();
    written.sort();
    written.dedup();
    assert_eq!(written.len(), 2 * THREADS * EACH);
}

fn append_with_retry(journal: &dyn Journal, private: String) {
    let mut row = Row { private, ..row(journal.head().unwrap() + 1, None) };
    loop {
        match journal.append(&row) {
            Ok(()) => return,
            Err(JournalError::Conflict { head }) => row.revision = head + 1,
            Err(other) => panic!("{other}"),
        }
    }
}

fn public_since_skips_private_rows(backend: &impl Backend) {
    let journal = backend.open();
    for revision in 1..=9 {
        let public = (revision % 3 == 0).then(|| format!(r#"{{ "p":{revision}}}"#));
        journal.append(&row(revision, public.as_deref())).unwrap();
    }
    let shown = |after, limit| -> Vec<u64> {
        journal.public_since(after, limit).unwrap().iter().map(|row| row.revision).collect()
    };
    assert_eq!(shown(0, 10), [3, 6, 9]);
    assert_eq!(shown(0, 2), [3, 6]);
    assert_eq!(shown(3, 10), [6, 9]);
    assert_eq!(shown(4, 1), [6]);
    assert!(shown(9, 10).is_empty());
    assert!(shown(u64::MAX, 10).is_empty());
    assert!(shown(0, 0).is_empty());
    assert_eq!(journal.public_since(5, 1).unwrap()[0].json, r#"{ "p":6}"#);
    assert_eq!(journal.public_row(6).unwrap(), journal.public_since(5, 1).unwrap().pop());
    for revision in [0, 5, 10] {
        assert_eq!(journal.public_row(revision).unwrap(), None);
    }
}

fn epoch_stays_and_is_unique<B: Backend>(backend: &B) {
    let epoch = backend.open().epoch().unwrap();
    assert!(epoch.len() == 32 && epoch.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')), "{epoch}");
    assert_eq!(backend.open().epoch().unwrap(), epoch);
    assert_ne!(B::new().open().epoch().unwrap(), epoch);
}

fn put_blob_can_be_opened(backend: &impl Backend) {
    let journal = backend.open();
    let blobs: [&[u8]; 3] = [b"", b"abc", &[7; 300_000]];
    for bytes in blobs {
        assert!(journal.open_blob(Digest::of(bytes)).unwrap().is_none());
        for _ in 0..2 {
            assert_eq!(journal.put_blob(bytes).unwrap(), Digest::of(bytes));
        }
        let mut blob = backend.open().open_blob(Digest::of(bytes)).unwrap().unwrap();
        let mut read = Vec::new();
        blob.read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
        assert_eq!(blob.size().unwrap(), bytes.len() as u64);
    }
    assert!(journal.open_blob(Digest::of(b"never put")).unwrap().is_none());
    assert_eq!(journal.head().unwrap(), 0);
}

fn blob_reader_can_seek(backend: &impl Backend) {
    let journal = backend.open();
    let digest = journal.put_blob(b"0123456789").unwrap();
    let mut blob = journal.open_blob(digest).unwrap().unwrap();
    blob.seek(SeekFrom::Start(7)).unwrap();
    let mut end = String::new();
    blob.read_to_string(&mut end).unwrap();
    assert_eq!(end, "789");
    if let Some(file) = blob.as_file() {
        assert_eq!(file.metadata().unwrap().len(), blob.size().unwrap());
    }
}

fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(3600)
}

fn stored(journal: &dyn Journal) -> Vec<(Digest, u64)> {
    let mut seen = Vec::new();
    journal.visit_blobs(&mut |blob| seen.push((blob.digest, blob.size))).unwrap();
    seen.sort_unstable();
    seen
}

fn removed(removal: &Removal) -> Vec<u64> {
    match removal {
        Removal::Done(blobs) => blobs.iter().map(|blob| blob.size).collect(),
        Removal::Held => panic!("held"),
    }
}

fn remove_blobs_removes_only_those_given(backend: &impl Backend) {
    let journal = backend.open();
    assert!(stored(&*journal).is_empty());
    let [a, b, never] = [&b"a"[..], b"bb", b"never put"].map(Digest::of);
    for bytes in [&b"a"[..], b"bb"] {
        journal.put_blob(bytes).unwrap();
    }
    let mut both = vec![(a, 1), (b, 2)];
    both.sort_unstable();
    assert_eq!(stored(&*journal), both);
    for (digest, size, is_there) in [(a, 1, true), (a, 2, false), (never, 9, false)] {
        assert_eq!(journal.renew_blob(digest, size).unwrap(), is_there);
    }
    let other = backend.open();
    assert_eq!(removed(&other.remove_blobs(0, later(), &[b, never]).unwrap()), [2]);
    assert_eq!(stored(&*journal), [(a, 1)]);
    assert!(journal.open_blob(b).unwrap().is_none());
    assert!(!journal.renew_blob(b, 2).unwrap());
    journal.put_blob(b"bb").unwrap();
    assert_eq!(stored(&*other), both);
}

fn remove_blobs_spares_blobs_that_may_be_named(backend: &impl Backend) {
    let (journal, other) = (backend.open(), backend.open());
    let before = SystemTime::now() - Duration::from_secs(3600);
    let digest = journal.put_blob(b"abc").unwrap();
    assert!(removed(&journal.remove_blobs(0, before, &[digest]).unwrap()).is_empty(), "too young");
    other.append(&row(1, None)).unwrap();
    let late = journal.remove_blobs(0, later(), &[digest]);
    assert!(matches!(late, Err(JournalError::Conflict { head: 1 })), "{late:?}");
    let holds = [other.hold_blobs().unwrap(), backend.open().hold_blobs().unwrap()];
    for hold in holds {
        assert_eq!(journal.remove_blobs(1, later(), &[digest]).unwrap(), Removal::Held);
        drop(hold);
    }
    assert_eq!(removed(&journal.remove_blobs(1, later(), &[digest]).unwrap()), [3]);
    journal.append(&row(2, None)).unwrap();
}
