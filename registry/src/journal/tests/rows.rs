//! Tests that every [`Journal`] has to pass.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::journal::{Journal, JournalError, PublicRow, Row};
use crate::names::Digest;
use crate::time::Timestamp;

/// A journal under test. Each `open` gives the view of another process.
pub trait JournalUnderTest {
    /// An empty journal.
    fn new() -> Self;
    /// Opens it.
    fn open(&self) -> Box<dyn Journal>;
}

/// Makes the tests of a type that implements [`JournalUnderTest`].
#[macro_export]
macro_rules! journal_contract {
    ($journal:ty) => {
        $crate::contract_tests!(
            $journal,
            $crate::journal::contract::JournalUnderTest,
            $crate::journal::contract::rows,
            new_journal_is_empty,
            since_returns_appended_rows,
            append_of_another_revision_conflicts,
            append_with_an_earlier_time_is_refused,
            append_by_two_writers_keeps_every_row_once,
            public_since_skips_private_rows,
            epoch_stays_and_is_unique,
            freeze_keeps_rows_from_being_appended,
            link_at_depends_on_all_rows_up_to_there,
            copied_rows_are_those_of_the_source,
            copy_into_another_history_is_refused,
            copy_of_rows_out_of_order_stores_none,
        );
    };
}

fn row(revision: u64, public: Option<&str>) -> Row {
    let at = Timestamp::from_unix(1_769_860_800).unwrap();
    let public = public.map(|json| PublicRow::new(revision, json.into()));
    Row { revision, at, private: format!(r#"{{"n":{revision}}}"#), public }
}

pub fn new_journal_is_empty(backend: &impl JournalUnderTest) {
    let journal = backend.open();
    assert_eq!(journal.head().unwrap(), 0);
    assert!(journal.since(0, 10).unwrap().is_empty());
    assert!(journal.since(7, 10).unwrap().is_empty());
    assert!(journal.public_since(0, 10).unwrap().is_empty());
    for revision in [0, 1, u64::MAX] {
        assert_eq!(journal.public_row(revision).unwrap(), None);
    }
}

pub fn since_returns_appended_rows(backend: &impl JournalUnderTest) {
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

pub fn append_of_another_revision_conflicts(backend: &impl JournalUnderTest) {
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

pub fn append_with_an_earlier_time_is_refused(backend: &impl JournalUnderTest) {
    let journal = backend.open();
    journal.append(&row(1, None)).unwrap();
    let early = Row { at: Timestamp::from_unix(row(1, None).at.as_unix() - 1).unwrap(), ..row(2, None) };
    assert!(matches!(journal.append(&early), Err(JournalError::Storage(_))));
    assert_eq!(journal.head().unwrap(), 1);
    // A conflict is reported first: a late writer does not know the last time.
    let late = Row { revision: 1, ..early };
    assert!(matches!(journal.append(&late), Err(JournalError::Conflict { head: 1 })));
}

pub fn append_by_two_writers_keeps_every_row_once(backend: &impl JournalUnderTest) {
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

pub fn public_since_skips_private_rows(backend: &impl JournalUnderTest) {
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

pub fn epoch_stays_and_is_unique<B: JournalUnderTest>(backend: &B) {
    let epoch = backend.open().epoch().unwrap();
    assert!(epoch.len() == 32 && epoch.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')), "{epoch}");
    assert_eq!(backend.open().epoch().unwrap(), epoch);
    assert_ne!(B::new().open().epoch().unwrap(), epoch);
}

pub fn freeze_keeps_rows_from_being_appended(backend: &impl JournalUnderTest) {
    let (journal, other) = (backend.open(), backend.open());
    journal.append(&row(1, None)).unwrap();
    let late = journal.freeze(0, &mut || panic!("another row was last"));
    assert!(matches!(late, Err(JournalError::Conflict { head: 1 })), "{late:?}");
    let (is_begun, is_appended) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|threads| {
        journal
            .freeze(1, &mut || {
                threads.spawn(|| {
                    is_begun.store(true, Ordering::SeqCst);
                    other.append(&row(2, None)).unwrap();
                    is_appended.store(true, Ordering::SeqCst);
                });
                while !is_begun.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
                assert!(!is_appended.load(Ordering::SeqCst), "it waits for the end of the work");
                Ok(())
            })
            .unwrap();
    });
    assert_eq!(journal.head().unwrap(), 2);
    let failing = journal.freeze(2, &mut || Err(JournalError::Storage("of the work".into())));
    assert!(crate::with_causes(&failing.unwrap_err()).contains("of the work"));
    journal.append(&row(3, None)).unwrap();
}

pub fn link_at_depends_on_all_rows_up_to_there<B: JournalUnderTest>(backend: &B) {
    let elsewhere = B::new();
    let (one, other) = (backend.open(), elsewhere.open());
    assert_eq!(one.link_at(1).unwrap(), None);
    for revision in 1..=3 {
        one.append(&row(revision, Some("{}"))).unwrap();
        other.append(&row(revision, (revision != 2).then_some("{}"))).unwrap();
    }
    let links = |journal: &dyn Journal| [1, 2, 3].map(|revision| journal.link_at(revision).unwrap().unwrap());
    let (links, others) = (links(&*one), links(&*other));
    assert_eq!((links[0] == others[0], links[1] == others[1], links[2] == others[2]), (true, false, false));
    assert_eq!([0, 4, u64::MAX].map(|revision| one.link_at(revision).unwrap()), [None::<Digest>; 3]);
}

pub fn copied_rows_are_those_of_the_source<B: JournalUnderTest>(backend: &B) {
    let elsewhere = B::new();
    let (journal, source) = (backend.open(), elsewhere.open());
    for revision in 1..=5 {
        source.append(&row(revision, (revision > 2).then_some("{}"))).unwrap();
    }
    // A restore has skipped numbers.
    let mut rows = source.since(0, 9).unwrap();
    rows.push(row(900, Some(r#"{"n":900}"#)));
    let epoch = source.epoch().unwrap();
    journal.copy_rows(&epoch, 0, &rows[..2]).unwrap();
    assert!(backend.open().is_unfinished_copy().unwrap());
    // It goes on in another process.
    let journal = backend.open();
    let again = journal.copy_rows(&epoch, 0, &rows[..2]);
    assert!(matches!(again, Err(JournalError::Conflict { head: 2 })), "{again:?}");
    journal.copy_rows(&epoch, 2, &rows[2..]).unwrap();
    journal.copy_rows(&epoch, 900, &[]).unwrap();
    journal.finish_copy().unwrap();
    let copy = backend.open();
    assert!(!copy.is_unfinished_copy().unwrap());
    assert_eq!((copy.epoch().unwrap(), copy.head().unwrap()), (epoch, 900));
    assert_eq!(copy.since(0, 9).unwrap(), rows);
    assert_eq!(copy.since(400, 9).unwrap(), rows[5..], "reads may begin in the gap");
    assert_eq!(copy.link_at(5).unwrap(), source.link_at(5).unwrap());
    copy.append(&row(901, None)).unwrap();
}

pub fn copy_into_another_history_is_refused<B: JournalUnderTest>(backend: &B) {
    let journal = backend.open();
    let refused = |epoch: &str, after| {
        let why = journal.copy_rows(epoch, after, &[row(after + 1, None)]).unwrap_err();
        assert!(crate::with_causes(&why).contains("empty journal"), "{why}");
    };
    let (one, other) = ("0".repeat(32), "1".repeat(32));
    journal.copy_rows(&one, 0, &[row(1, None)]).unwrap();
    refused(&other, 1);
    journal.finish_copy().unwrap();
    refused(&one, 1);
    assert_eq!(journal.head().unwrap(), 1);
}

pub fn copy_of_rows_out_of_order_stores_none(backend: &impl JournalUnderTest) {
    let journal = backend.open();
    let epoch = "0".repeat(32);
    let early = Row { at: Timestamp::from_unix(9).unwrap(), ..row(3, None) };
    for last in [row(2, None), row(1, None), early] {
        journal.copy_rows(&epoch, 0, &[row(1, None), row(2, None), last]).unwrap_err();
        assert_eq!(backend.open().head().unwrap(), 0);
    }
    journal.copy_rows(&epoch, 0, &[row(1, None)]).unwrap();
}
