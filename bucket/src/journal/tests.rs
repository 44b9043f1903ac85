use std::sync::Arc;

use futures_util::TryStreamExt;
use object_store::memory::InMemory;
use object_store::{ObjectStore, ObjectStoreExt};
use registry::journal::contract::JournalUnderTest;
use registry::time::Timestamp;
use registry::with_causes;

use super::*;
use crate::keys::KeyStyle;

mod segments;

/// A store, as several processes of one registry see it.
struct Memory(Arc<InMemory>);

impl Memory {
    fn target(&self) -> Target {
        Target::in_memory(&self.0, "s3://skills/journal", KeyStyle::Files)
    }

    fn journal(&self) -> BucketJournal {
        BucketJournal::open(self.target()).unwrap()
    }

    fn run<T>(&self, work: impl AsyncFnOnce(&InMemory) -> T) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work(&self.0))
    }

    fn keys(&self) -> Vec<String> {
        let all = self.run(async |store| store.list(None).try_collect::<Vec<_>>().await.unwrap());
        let mut keys: Vec<_> = all.into_iter().map(|object| object.location.to_string()).collect();
        keys.sort();
        keys
    }

    fn text(&self, key: &str) -> String {
        let bytes = self.run(async |store| store.get(&key.into()).await.unwrap().bytes().await.unwrap());
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    fn overwrite(&self, key: &str, text: &str) {
        self.run(async |store| store.put(&key.into(), text.to_owned().into()).await.unwrap());
    }
}

impl JournalUnderTest for Memory {
    fn new() -> Self {
        Self(Arc::new(InMemory::new()))
    }

    fn open(&self) -> Box<dyn Journal> {
        Box::new(self.journal())
    }
}

registry::journal_contract!(Memory);

fn row(revision: Revision) -> Row {
    let at = Timestamp::from_unix(1_769_860_800).unwrap();
    let public =
        revision.is_multiple_of(2).then(|| PublicRow::new(revision, format!("{{\"p\":{revision}}}")));
    Row { revision, at, private: format!("{{\"n\":{revision}}}"), public }
}

fn with_rows(store: &Memory, rows: Revision) -> BucketJournal {
    let journal = store.journal();
    (1..=rows).for_each(|revision| journal.append(&row(revision)).unwrap());
    journal
}

/// The format is permanent: `docs/journal-bucket.md` shows the same objects. The links come from
/// `registry/src/journal/chain.rs`, which has its own vectors.
#[test]
fn objects_are_as_documented() {
    let store = Memory::new();
    let journal = with_rows(&store, 2);
    let epoch = journal.epoch().unwrap();
    let folder = format!("journal/journal/{epoch}");
    let expected = [
        "journal/journal.json".to_owned(),
        format!("{folder}/00000000000000000001"),
        format!("{folder}/00000000000000000002"),
    ];
    assert_eq!(store.keys(), expected);
    assert_eq!(store.text(&expected[0]), format!(r#"{{"format":1,"epoch":"{epoch}"}}"#));
    let link = |revision| journal.link_at(revision).unwrap().unwrap();
    assert_eq!(
        store.text(&expected[1]),
        format!(r#"{{"row":{{"revision":1,"at":1769860800,"private":"{{\"n\":1}}","link":"{}"}}}}"#, link(1))
    );
    assert_eq!(
        store.text(&expected[2]),
        format!(
            r#"{{"row":{{"revision":2,"at":1769860800,"private":"{{\"n\":2}}","public":"{{\"p\":2}}","link":"{}"}}}}"#,
            link(2)
        )
    );
}

#[test]
fn append_behind_a_stale_head_conflicts() {
    let store = Memory::new();
    let (one, other) = (with_rows(&store, 3), store.journal());
    assert_eq!(other.head().unwrap(), 3);
    one.append(&row(4)).unwrap();
    let mut late = row(4);
    late.private = "{}".into();
    assert!(matches!(other.append(&late), Err(JournalError::Conflict { head: 4 })));
    // The answer to its own row was lost.
    let mut again = store.journal();
    again.state.get_mut().head = other.state.lock().head;
    other.append(&row(5)).unwrap();
    again.state.get_mut().header = other.header().unwrap();
    again.store_row(&one.epoch().unwrap(), other_last(&again), &row(5)).unwrap();
    assert_eq!(store.journal().head().unwrap(), 5);
}

fn other_last(journal: &BucketJournal) -> Last {
    let link = journal.link_at(4).unwrap().unwrap();
    Last { revision: 4, at: Some(row(4).at), link }
}

#[test]
fn changed_lost_and_foreign_objects_are_named() {
    for (change, expected) in [
        (r#"{"row":{"revision":2,"at":1769860800,"private":"{}","link":""#, "does not match its digest"),
        ("{}", "is no entry"),
        (r#"{"freeze":"x"}"#, "row after row 1 is missing"),
    ] {
        let store = Memory::new();
        let journal = with_rows(&store, 3);
        let key = format!("journal/journal/{}/00000000000000000002", journal.epoch().unwrap());
        let link = journal.link_at(2).unwrap().unwrap();
        let text = if change.ends_with('"') { format!("{change}{link}\"}}}}") } else { change.to_owned() };
        store.overwrite(&key, &text);
        let reader = store.journal();
        let read = reader.since(0, 1).and_then(|_| reader.since(1, 9)).unwrap_err();
        assert!(matches!(read, JournalError::Damaged(_)), "{read:?}");
        assert!(with_causes(&read).contains(expected), "{}", with_causes(&read));
    }
    let store = Memory::new();
    with_rows(&store, 1);
    store.overwrite("journal/journal.json", r#"{"format":2,"epoch":"0"}"#);
    let why = with_causes(&store.journal().head().unwrap_err());
    assert!(why.contains("newer release"), "{why}");
}

#[test]
fn freeze_that_others_ended_is_an_error() {
    let store = Memory::new();
    let (journal, other) = (with_rows(&store, 1), store.journal());
    let epoch = journal.epoch().unwrap();
    let frozen = journal.freeze(1, &mut || {
        // Another process has waited for the life of the freeze, and appended a row.
        let entry = Entry::Row(StoredRow::new(&row(2), chain::link(other.link_at(1)?.unwrap(), &row(2))));
        store.overwrite(
            &format!("journal/{}", entry_key(&epoch, 2, 1)),
            &serde_json::to_string(&entry).unwrap(),
        );
        Ok(())
    });
    assert!(with_causes(&frozen.unwrap_err()).contains("try again"));
    assert_eq!(journal.since(1, 9).unwrap(), [row(2)]);
}

#[test]
fn append_into_a_copy_that_began_meanwhile_is_refused() {
    let store = Memory::new();
    let (server, copier) = (store.journal(), store.journal());
    assert!(!server.is_unfinished_copy().unwrap());
    copier.copy_rows(&"0".repeat(32), 0, &[]).unwrap();
    let why = server.append(&row(1)).unwrap_err();
    assert!(with_causes(&why).contains("unfinished copy"), "{why:?}");
    copier.copy_rows(&"0".repeat(32), 0, &[row(1)]).unwrap();
    copier.finish_copy().unwrap();
    assert!(matches!(server.append(&row(1)), Err(JournalError::Conflict { head: 1 })));
    server.append(&row(2)).unwrap();
}

#[test]
fn last_rows_are_read_without_a_request() {
    let store = Memory::new();
    let (journal, other) = (with_rows(&store, 3), store.journal());
    assert_eq!(other.head().unwrap(), 3);
    let fourth = row(4);
    journal.append(&fourth).unwrap();
    assert_eq!(other.since(3, 9).unwrap(), std::slice::from_ref(&fourth));
    // What is in memory needs no object.
    for key in store.keys() {
        store.run(async |store| store.delete(&key.as_str().into()).await.unwrap());
    }
    assert_eq!(journal.since(0, 4).unwrap(), [row(1), row(2), row(3), fourth.clone()]);
    assert_eq!(other.since(3, 1).unwrap(), [fourth]);
    assert_eq!(other.public_row(4).unwrap(), row(4).public);
    assert!(other.since(1, 1).is_err(), "the others are not in memory");
}

#[test]
fn own_entry_is_known_when_its_answer_was_lost() {
    let store = Memory::new();
    let (journal, other) = (with_rows(&store, 1), store.journal());
    let epoch = journal.epoch().unwrap();
    let entry = |name: &str| Entry::Freeze(name.to_owned());
    for _ in 0..2 {
        assert!(journal.mark(&epoch, 2, 0, &entry("own")).unwrap());
    }
    assert!(!other.mark(&epoch, 2, 0, &entry("another")).unwrap());
}

#[test]
fn freezes_without_a_row_leave_the_next_number_free() {
    let store = Memory::new();
    let journal = with_rows(&store, 1);
    for _ in 0..12 {
        journal.freeze(1, &mut || Ok(())).unwrap();
    }
    let other = store.journal();
    // It reads only the last of 24 entries, which tells the index of the row.
    let last = |name: &str| format!("journal/journal/{}/{name}", journal.epoch().unwrap());
    for index in 1..22 {
        store.overwrite(&last(&format!("00000000000000000002-{index:04}")), "not read");
    }
    assert_eq!(other.head().unwrap(), 1);
    other.append(&row(2)).unwrap();
    assert!(store.keys().contains(&last("00000000000000000002-0024")));
    assert_eq!(journal.since(1, 9).unwrap(), [row(2)]);
    assert_eq!(store.journal().public_row(2).unwrap(), row(2).public);
}
