//! What the role of the servers needs, and no more.

use registry::journal::Journal;
use registry::local::{Accounts, PublishedCounters};

use super::{TestDatabase, journal, local, opened, row};

/// The rights that docs/operations.md lists.
fn granted(role: &str) -> String {
    let docs = include_str!("../../docs/operations.md");
    let (_, after) = docs.split_once("```sql\n").expect("an example in SQL");
    let (sql, _) = after.split_once("```").expect("its end");
    sql.replace("skillmirror_server", role)
}

#[test]
fn documented_rights_suffice_and_no_row_can_be_changed() {
    let database = TestDatabase::new();
    // The owner makes the tables.
    opened(&database.address);
    let role = format!("{}_server", database.name);
    database.sql(&format!("CREATE ROLE {role} LOGIN"));
    database.sql(&granted(&role));
    let address = database.address.replace("postgres@", &format!("{role}@"));
    let journal = journal(&address);
    journal.append(&row(1)).unwrap();
    journal.freeze(1, &mut || Ok(())).unwrap();
    assert_eq!(journal.since(0, 9).unwrap(), [row(1)]);
    let local = local(&address);
    local.set_password(&"ann".parse().unwrap(), "$a$1").unwrap();
    local.adopt_counters(&[], 1).unwrap();
    for statement in [
        "UPDATE skillmirror.rows SET at = 0",
        "DELETE FROM skillmirror.rows",
        "TRUNCATE skillmirror.rows",
        "DROP TABLE skillmirror.rows",
        "UPDATE skillmirror.meta SET value = ''",
        "CREATE TABLE skillmirror.more(x int)",
    ] {
        let outcome = database.sql(&format!(
            "SET ROLE {role};
             DO $$ BEGIN {statement}; RAISE 'it was done'; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$;
             SELECT 'refused'"
        ));
        assert!(outcome.ends_with("refused"), "{statement}: {outcome}");
    }
}
