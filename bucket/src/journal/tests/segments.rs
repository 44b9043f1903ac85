//! Runs of rows in one object.

use super::*;

/// The names of the segments.
fn segments(store: &Memory) -> Vec<String> {
    let keys = store.keys().into_iter().filter(|key| key.contains("/segments/"));
    keys.map(|key| key.rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn process_that_closes_a_run_packs_it() {
    let store = Memory::new();
    let journals = [with_rows(&store, 1), store.journal()];
    (2..=2001).for_each(|revision| {
        // Each knows the rows of the other.
        let journal = &journals[revision as usize % 2];
        journal.head().unwrap();
        journal.append(&row(revision)).unwrap();
    });
    let packed = ["00000000000000000001-00000000000000001000", "00000000000000001001-00000000000000002000"];
    assert_eq!(segments(&store), packed);
    let expected: Vec<_> = (1..=2001).map(row).collect();
    let reader = store.journal();
    let mut rows = reader.since(0, 1000).unwrap();
    rows.extend(reader.since(1000, 1000).unwrap());
    rows.extend(reader.since(2000, 1000).unwrap());
    assert_eq!(rows, expected);
}

#[test]
fn first_reader_of_a_closed_run_packs_it() {
    let store = Memory::new();
    let mut journal = store.journal();
    for revision in 1..=2005 {
        if revision % 700 == 0 {
            // Nobody is there for long.
            journal = store.journal();
        }
        journal.append(&row(revision)).unwrap();
    }
    assert!(segments(&store).is_empty());
    let all = |journal: &BucketJournal| {
        let mut rows: Vec<Row> = Vec::new();
        loop {
            // As a start reads.
            let read = journal.since(rows.last().map_or(0, |row| row.revision), 100).unwrap();
            if read.is_empty() {
                return rows;
            }
            rows.extend(read);
        }
    };
    let expected: Vec<_> = (1..=2005).map(row).collect();
    assert_eq!(all(&store.journal()), expected);
    let packed = ["00000000000000000001-00000000000000001000", "00000000000000001001-00000000000000002000"];
    assert_eq!(segments(&store), packed);
    // With segments everything is the same.
    for journal in [journal, store.journal()] {
        assert_eq!(all(&journal), expected);
        assert_eq!(journal.public_row(1002).unwrap(), row(1002).public);
        assert_eq!(journal.public_row(2004).unwrap(), row(2004).public);
        assert_eq!(journal.public_since(1999, 2).unwrap().len(), 2);
    }
    assert_eq!(store.journal().head().unwrap(), 2005);
    store.journal().append(&row(2006)).unwrap();
}

#[test]
fn overlapping_segments_of_interrupted_copies_are_read_once() {
    let store = Memory::new();
    let epoch = "0".repeat(32);
    let rows: Vec<_> = (1..=8).map(row).collect();
    let copy = |after: usize, end: usize| {
        // Another process, which does not see the segments of the others yet.
        let part = Memory::new();
        let journal = part.journal();
        if after > 0 {
            journal.copy_rows(&epoch, 0, &rows[..after]).unwrap();
        }
        journal.copy_rows(&epoch, after as u64, &rows[after..end]).unwrap();
        let key = format!("journal/segments/{epoch}/{:020}-{:020}", after + 1, end);
        store.overwrite(&key, &part.text(&key));
    };
    [(0, 3), (0, 4), (3, 6), (4, 8)].into_iter().for_each(|(after, end)| copy(after, end));
    store.overwrite("journal/journal.json", &format!(r#"{{"format":1,"epoch":"{epoch}","copied":true}}"#));
    let journal = store.journal();
    journal.finish_copy().unwrap();
    assert_eq!((journal.head().unwrap(), journal.since(0, 99).unwrap()), (8, rows.clone()));
    for after in 0..8 {
        assert_eq!(store.journal().since(after, 1).unwrap(), rows[after as usize..][..1]);
    }
}
