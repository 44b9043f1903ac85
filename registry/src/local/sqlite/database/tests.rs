use std::path::Path;

use crate::journal::SqliteJournal;
use crate::local::tests::opened;
use crate::local::{LocalError, LocalStore};

const HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA";

fn folder_with_a_password() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    opened(data.path()).set_password(&"ann".parse().unwrap(), HASH).unwrap();
    data
}

fn password(store: &LocalStore) -> Option<String> {
    store.password(&"ann".parse().unwrap()).unwrap()
}

fn names_in(folder: &Path) -> Vec<String> {
    folder.read_dir().unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn reopen_keeps_the_passwords() {
    let data = folder_with_a_password();
    assert_eq!(password(&opened(data.path())).as_deref(), Some(HASH));
}

#[test]
fn open_of_an_erased_file_creates_an_empty_one() {
    let data = folder_with_a_password();
    {
        // Held open, so that the log stays when the file is removed.
        let held = opened(data.path());
        held.set_password(&"ann".parse().unwrap(), HASH).unwrap();
        std::fs::remove_file(data.path().join("local.sqlite")).unwrap();
        assert_eq!(password(&opened(data.path())), None);
    }
    std::fs::remove_file(data.path().join("local.sqlite")).unwrap();
    std::fs::write(data.path().join("local.sqlite-wal"), "left behind").unwrap();
    assert_eq!(password(&opened(data.path())), None);
}

#[test]
fn open_of_a_damaged_file_sets_it_aside_with_a_warning() {
    let damage: [fn(&mut Vec<u8>); 4] = [
        |bytes| bytes.truncate(5000),
        |bytes| bytes.clear(),
        |bytes| bytes[..16].fill(b'x'),
        |bytes| bytes[8192..8296].fill(0xff),
    ];
    for change in damage {
        let data = folder_with_a_password();
        let path = data.path().join("local.sqlite");
        let mut bytes = std::fs::read(&path).unwrap();
        change(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();
        let (store, warning) = LocalStore::open(data.path()).unwrap();
        let warning = warning.unwrap();
        assert_eq!(password(&store), None);
        let aside: Vec<_> = names_in(data.path()).into_iter().filter(|n| n.contains("damaged")).collect();
        assert!(aside.iter().any(|name| warning.contains(&format!("`{name}`"))), "{warning}: {aside:?}");
        drop(store);
        opened(data.path());
    }
}

#[test]
fn open_in_the_folder_of_a_journal_succeeds() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("data");
    let _local = opened(&folder);
    SqliteJournal::open(&folder).unwrap();
}

#[test]
fn open_of_an_unreachable_folder_is_a_storage_error() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("file"), "").unwrap();
    std::fs::create_dir_all(root.path().join("folder/local.sqlite")).unwrap();
    for data in ["file", "folder"] {
        assert!(matches!(LocalStore::open(&root.path().join(data)), Err(LocalError::Storage(_))));
    }
}
