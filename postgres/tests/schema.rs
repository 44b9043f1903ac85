//! How the tables are made and migrated.

use registry::journal::{Journal, PublicRows};

use super::{TestDatabase, journal, opened, row, try_open};
use postgres_store::{Database, Roots};

#[test]
fn open_of_a_new_database_by_many_makes_one_history() {
    let database = TestDatabase::new();
    let has_journal = || Database::has_journal(database.address.parse().unwrap(), &Roots::Builtin).unwrap();
    assert!(!has_journal());
    let open = || journal(&database.address).epoch().unwrap();
    let epochs: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(epochs.iter().all(|epoch| *epoch == epochs[0]));
    assert!(has_journal());
}

#[test]
fn open_of_a_newer_schema_is_refused() {
    let database = TestDatabase::new();
    opened(&database.address);
    database.sql("UPDATE skillmirror.meta SET value = '99' WHERE key = 'format'");
    let why = try_open(&database.address).unwrap_err();
    assert!(why.contains("format 99") && why.contains("newer"), "{why}");
    database.sql("DELETE FROM skillmirror.meta WHERE key = 'format'");
    let why = try_open(&database.address).unwrap_err();
    assert!(why.contains("no format number"), "{why}");
}

#[test]
fn journal_works_on_threads_of_a_runtime() {
    let database = TestDatabase::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let journal = journal(&database.address);
        journal.append(&row(1)).unwrap();
        let mut head = 0;
        journal
            .freeze(1, &mut || {
                head = journal.head()?;
                Ok(())
            })
            .unwrap();
        assert_eq!(head, 1);
    });
}

#[test]
fn commits_are_durable_whatever_the_server_is_set_to() {
    let database = TestDatabase::new();
    let name = &database.name;
    database.sql(&format!("ALTER DATABASE {name} SET synchronous_commit = off"));
    let journal = journal(&database.address);
    // The setting is seen by a trigger, within the transaction of the append.
    database.sql(
        "CREATE TABLE seen(setting text);
         CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN INSERT INTO public.seen SELECT current_setting('synchronous_commit'); RETURN NEW; END $$;
         CREATE TRIGGER see BEFORE INSERT ON skillmirror.rows FOR EACH ROW EXECUTE FUNCTION see()",
    );
    journal.append(&row(1)).unwrap();
    assert_eq!(database.sql("SELECT setting FROM seen"), "on");
}
