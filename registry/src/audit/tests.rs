use std::sync::Arc;

use super::*;
use crate::journal::{Journal, MemoryJournal, PublicRow};
use crate::private::{Audit, PlatformRole};
use crate::public::{self, HistoryRestored};

fn row(revision: Revision, public: Option<PublicChange>) -> Row {
    let handle = format!("user-{revision}").parse().unwrap();
    let added = PrivateChange::UserAdded { handle, display_name: "Ann".into(), role: PlatformRole::User };
    let private = private::encode(&Audit::default(), &[added]).unwrap();
    let at = Timestamp::from_unix(0).unwrap();
    let public = public.map(|change| public::encode(revision, at, &change.into()).unwrap());
    Row { revision, at, private, public: public.map(|json| PublicRow::new(revision, json)) }
}

fn rows(numbers: impl IntoIterator<Item = Revision>) -> Vec<Row> {
    numbers.into_iter().map(|revision| row(revision, None)).collect()
}

fn registry(rows: &[Row]) -> Registry {
    let journal = MemoryJournal::new();
    journal.copy_rows("copied", 0, rows).unwrap();
    journal.finish_copy().unwrap();
    Registry::open(Arc::new(journal)).unwrap()
}

fn revisions(page: &AuditPage) -> Vec<Revision> {
    page.items.iter().map(|entry| entry.revision).collect()
}

fn only(handle: &str) -> AuditFilter {
    AuditFilter { user: Some(handle.parse().unwrap()), ..AuditFilter::default() }
}

#[test]
fn pages_together_have_every_row_once() {
    let registry = registry(&rows(1..=105));
    for size in [1, 7, 20, 100, 105, 200] {
        let (mut all, mut before) = (Vec::new(), None);
        loop {
            let page = registry.audit_page(&AuditFilter::default(), before, size).unwrap();
            assert!(page.items.len() <= size);
            all.extend(revisions(&page));
            before = page.next;
            if before.is_none() {
                break;
            }
        }
        assert_eq!(all, (1..=105).rev().collect::<Vec<_>>(), "{size}");
    }
    for before in [0, 1] {
        let page = registry.audit_page(&AuditFilter::default(), Some(before), 9).unwrap();
        assert!(page.items.is_empty() && page.next.is_none());
    }
    let page = registry.audit_page(&AuditFilter::default(), Some(Revision::MAX), 1).unwrap();
    assert_eq!((revisions(&page), page.next), (vec![105], Some(105)));
}

#[test]
fn page_reads_a_bounded_number_of_rows() {
    let registry = registry(&rows(1..=5_000));
    let first = registry.audit_page(&only("user-4990"), None, 20).unwrap();
    assert_eq!((revisions(&first), first.next), (vec![4_990], Some(5_001 - MAX_ROWS_OF_PAGE)));
    let next = registry.audit_page(&only("user-4990"), first.next, 20).unwrap();
    assert_eq!((revisions(&next), next.next), (vec![], Some(5_001 - 2 * MAX_ROWS_OF_PAGE)));
    let last = registry.audit_page(&only("user-1"), next.next, 20).unwrap();
    assert_eq!((revisions(&last), last.next), (vec![1], None));
}

#[test]
fn numbers_that_a_restore_skipped_are_not_read() {
    let restored = HistoryRestored { backup_revision: 30, earlier_epochs: vec![] };
    let mut rows = rows(1..=30);
    rows.push(row(1_000_000, Some(PublicChange::HistoryRestored(restored))));
    let page = registry(&rows).audit_page(&AuditFilter::default(), None, 100).unwrap();
    assert_eq!(revisions(&page), [1_000_000].into_iter().chain((1..=30).rev()).collect::<Vec<_>>());
    assert_eq!(page.next, None);
}
