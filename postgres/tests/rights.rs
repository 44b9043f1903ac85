//! What the role of the servers needs, and no more.

use std::num::NonZeroU32;

use registry::journal::Journal;
use registry::local::{DeviceRequest, DeviceVerdict, LocalStore, UploadLimits, WriteLimit};
use registry::private::Scopes;
use registry::time::Timestamp;

use super::{TestDatabase, journal, local, opened, row};

/// The rights that docs/several-servers.md lists.
fn granted(role: &str) -> String {
    let docs = include_str!("../../docs/several-servers.md");
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
    journal.check_appendable().unwrap();
    assert_eq!(journal.since(0, 9).unwrap(), [row(1)]);
    let local = local(&address);
    local.set_password(&"ann".parse().unwrap(), "$a$1").unwrap();
    local.adopt_counters(&[], 1).unwrap();
    use_what_expires(&local);
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

/// Writes and removes what waits for a later request.
fn use_what_expires(local: &LocalStore) {
    let now = Timestamp::now();
    let request = DeviceRequest { label: "CLI".into(), scopes: Scopes::all(), client: None };
    let codes = local.begin_device_login(&request, "192.0.2.1", now).unwrap().unwrap();
    assert!(local.decide_device_login(&codes.user, &DeviceVerdict::Denied, now).unwrap());
    local.poll_device_login(&codes.device, now).unwrap();
    let person = "ann".parse().unwrap();
    let limits = UploadLimits { of_person: 1 << 20, of_all: 1 << 20 };
    local.keep_upload(&person, b"a", limits, now).unwrap().unwrap();
    let limit = WriteLimit::per_minute(NonZeroU32::MIN);
    let allowed = [(); 2].map(|()| local.count_write("ann", limit).unwrap().is_allowed);
    assert_eq!(allowed, [true, false]);
    local.remove_expired(now).unwrap();
}
