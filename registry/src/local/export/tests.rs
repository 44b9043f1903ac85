use super::*;
use crate::local::Download;
use crate::local::tests::opened;
use crate::public::{Counters, Id};
use crate::time::Timestamp;

const HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn exported(store: &LocalStore) -> String {
    let mut text = Vec::new();
    store.export(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn import_of_an_export_has_passwords_and_downloads() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let store = opened(&at("a"));
    let ann: Handle = "ann".parse().unwrap();
    store.set_password(&ann, HASH).unwrap();
    store.adopt_counters(&[(Id(7), Counters { downloads: 40, ..Counters::default() })], 3).unwrap();
    let client = "192.0.2.1".parse().unwrap();
    let day = Timestamp::now().into();
    store.count_downloads(&[Download { skill: Id(7), version: Id(8), day, client }]).unwrap();
    let text = exported(&store);
    LocalStore::import(&at("b"), "e", text.as_bytes()).unwrap();
    let names: Vec<_> = at("b").read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["local.sqlite"], "all of it is in one file");
    let imported = opened(&at("b"));
    assert_eq!(exported(&imported), text);
    assert_eq!(imported.password(&ann).unwrap().as_deref(), Some(HASH));
    assert_eq!(imported.download_totals_since(0).unwrap().0, [(Id(7), 41)]);
    assert_eq!(imported.history_epoch().unwrap().as_deref(), Some("e"));
}

#[test]
fn import_of_invalid_lines_is_refused_without_repeating_them() {
    let root = tempfile::tempdir().unwrap();
    let password =
        |handle: &str, hash: &str| format!(r#"{{"kind":"password","handle":"{handle}","hash":"{hash}"}}"#);
    let downloads = |day: &str, count: &str| {
        format!(r#"{{"kind":"downloads","skill":1,"version":2,"day":{day},"count":{count}}}"#)
    };
    let valid = password("bob", HASH);
    for line in [
        "secret".to_owned(),
        String::new(),
        r#"{"kind":"session","handle":"ann"}"#.into(),
        valid.clone(),
        password("No Handle", HASH),
        password("ann", "secret"),
        password("ann", "$secret"),
        // Four gigabytes for each login.
        password("ann", &HASH.replace("19456", "4194304")),
        password("ann", &HASH.replace("argon2id", "argon2d")),
        password("ann", &"x".repeat(3000)),
        valid.replace("\"hash\"", "\"more\":1,\"hash\""),
        downloads("9999999999", "1"),
        downloads("20000", "-1"),
        downloads("20000", "9223372036854775807"),
        downloads("20000", "18446744073709551615"),
    ] {
        let folder = tempfile::tempdir_in(root.path()).unwrap();
        let text = format!("{valid}\n{line}\n");
        let refused = LocalStore::import(folder.path(), "e", text.as_bytes()).unwrap_err();
        assert!(matches!(refused, ImportError::Line(2)), "{line}: {refused}");
        assert!(!format!("{refused} {refused:?}").contains("secret"));
    }
}
