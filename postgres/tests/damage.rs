//! Rows that another program has changed.

use registry::journal::{Journal, JournalError};

use super::{TestDatabase, journal, row};

#[test]
fn read_of_a_changed_row_names_it() {
    for change in [
        "UPDATE skillmirror.rows SET private = '{\"n\":9}' WHERE revision = 2",
        "UPDATE skillmirror.rows SET public = NULL WHERE revision = 2",
        "UPDATE skillmirror.rows SET at = at + 1 WHERE revision = 2",
        "UPDATE skillmirror.rows SET at = 1::bigint << 60 WHERE revision = 2",
        "UPDATE skillmirror.rows SET chain = decode(repeat('00', 32), 'hex') WHERE revision = 2",
        "UPDATE skillmirror.rows SET private = '\\xff' WHERE revision = 2",
        "DELETE FROM skillmirror.rows WHERE revision = 2",
    ] {
        let database = TestDatabase::new();
        let journal = journal(&database.address);
        (1..=3).for_each(|revision| journal.append(&row(revision)).unwrap());
        database.sql(change);
        let refused = journal.since(0, 9).unwrap_err();
        assert!(matches!(refused, JournalError::Damaged(_)), "{change}: {refused}");
        let why = registry::with_causes(&refused);
        assert!(why.contains("row 2") && why.contains("restore a backup"), "{why}");
        assert_eq!(journal.since(0, 1).unwrap(), [row(1)], "earlier rows can still be read");
    }
}
