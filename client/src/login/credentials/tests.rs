#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

fn login(token: &str) -> Login {
    Login { token: token.parse().unwrap(), handle: "ann".to_owned(), site: None }
}

fn at(text: &str) -> RegistryAddress {
    text.parse().unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn keep(folder: &Path, registry: &str, token: &str) {
    let kept = Credentials::change_in(folder, |logins| {
        logins.insert(&at(registry), login(token));
        Ok(())
    });
    kept.unwrap();
}

#[test]
fn concurrent_changes_are_all_kept() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("config/skillmirror");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let folder = &folder;
            scope.spawn(move || keep(folder, &format!("https://r{number}.example"), "token"));
        }
    });
    assert_eq!(Credentials::load_from(&folder).unwrap().logins.len(), 8);
}

#[test]
fn failed_change_writes_nothing() {
    let home = tempfile::tempdir().unwrap();
    keep(home.path(), "https://a.example", "one");
    let failed = Credentials::change_in(home.path(), |logins| {
        logins.remove(&at("https://a.example"));
        Err::<(), _>(ClientError::NoRegistry)
    });
    failed.unwrap_err();
    assert!(Credentials::load_from(home.path()).unwrap().login(&at("https://a.example")).is_some());
}

#[test]
fn change_through_a_link_keeps_the_link() {
    let home = tempfile::tempdir().unwrap();
    let (folder, elsewhere) = (home.path().join("config"), home.path().join("kept"));
    fs::create_dir(&folder).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    let link = folder.join("credentials.json");
    symlink(elsewhere.join("logins.json"), &link).unwrap();
    let nowhere = Credentials::change_in(&folder, |_| Ok(())).unwrap_err().to_string();
    assert!(nowhere.contains("broken symbolic link"), "{nowhere}");

    keep(&elsewhere, "https://a.example", "one");
    fs::rename(elsewhere.join("credentials.json"), elsewhere.join("logins.json")).unwrap();
    keep(&folder, "https://b.example", "two");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(mode(&elsewhere.join("logins.json")), 0o600);
    assert_eq!(Credentials::load_from(&folder).unwrap().logins.len(), 2);
}

#[test]
fn folder_writable_by_others_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("skillmirror");
    keep(&folder, "https://a.example", "one");
    for shared in [0o777, 0o770, 0o1777] {
        fs::set_permissions(&folder, fs::Permissions::from_mode(shared)).unwrap();
        let why = Credentials::load_from(&folder).unwrap_err().to_string();
        assert!(why.contains("chmod 700"), "{why}");
    }
}

#[test]
fn saved_login_is_readable_by_its_owner_only() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("config/skillmirror");
    assert!(Credentials::load_from(&folder).unwrap().default_registry().is_none());
    keep(&folder, "https://a.example/sub", "one");
    keep(&folder, "https://b.example", "two");
    let names = ["credentials.json", "credentials.lock"];
    assert_eq!((mode(&folder), names.map(|name| mode(&folder.join(name)))), (0o700, [0o600, 0o600]));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing else is left beside it");

    let read = Credentials::load_from(&folder).unwrap();
    assert_eq!(read.login(&at("https://A.example/sub/")), Some(&login("one")));
    assert!(read.is_default(&at("https://a.example/sub")) && !read.is_default(&at("https://b.example")));
    // For exactly that registry.
    for other in ["https://a.example", "http://a.example/sub", "https://a.example:444/sub", "file:///sub"] {
        assert_eq!(read.login(&at(other)), None, "{other}");
    }
    assert!(!format!("{read:?}").contains("two"));
}

#[test]
fn removing_the_default_login_removes_the_default() {
    let home = tempfile::tempdir().unwrap();
    let mut credentials = Credentials::load_from(home.path()).unwrap();
    let (a, b) = (at("https://a.example"), at("https://b.example"));
    credentials.insert(&a, login("one"));
    credentials.insert(&b, login("two"));
    assert!(credentials.is_default(&a));
    credentials.make_default(&b);
    credentials.insert(&a, login("three"));
    assert!(credentials.is_default(&b));
    assert!(credentials.remove(&b) && !credentials.remove(&b));
    assert!(credentials.default_registry().is_none());
}

#[test]
fn credential_of_reads_is_that_of_the_login_unless_another_is_saved() {
    let home = tempfile::tempdir().unwrap();
    let (a, b) = (at("https://a.example"), at("https://a.example/b"));
    Credentials::change_in(home.path(), |logins| {
        let basic = ReadCredential::Basic { user: "ann".into(), password: "secret".into() };
        logins.insert_reads(&a, Reads { always: false, credential: Some(basic) });
        logins.insert(&b, login("two"));
        logins.always_authorize_reads(&b);
        Ok(())
    })
    .unwrap();
    let read = Credentials::load_from(home.path()).unwrap();
    let form = |registry| read.reads(registry).credential.map(|credential| credential.form());
    assert_eq!(
        (form(&a), form(&b), form(&at("https://a.example/b/c"))),
        (Some("basic"), Some("token"), None)
    );
    assert!(!read.reads(&a).always && read.reads(&b).always && read.is_default(&a));
    assert!(!format!("{read:?}").contains("secret"));
}

#[test]
fn file_readable_by_others_is_refused() {
    let home = tempfile::tempdir().unwrap();
    keep(home.path(), "https://a.example", "one");
    let path = home.path().join("credentials.json");
    for shared in [0o640, 0o604, 0o620] {
        fs::set_permissions(&path, fs::Permissions::from_mode(shared)).unwrap();
        let why = Credentials::load_from(home.path()).unwrap_err().to_string();
        assert!(why.contains(&format!("chmod 600 {}", path.display())), "{why}");
    }
}

#[test]
fn invalid_file_is_refused_without_quoting_it() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("credentials.json");
    for text in [
        "",
        "secret",
        "{\"version\":1,\"default\":null,\"logins\":{\"a\":\"secret\"}}",
        "{\"version\":2,\"default\":null,\"logins\":{}}",
    ] {
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let why = Credentials::load_from(home.path()).unwrap_err();
        assert_eq!(why.code(), "credentials");
        assert!(!why.to_string().contains("secret"), "{why}");
    }
}
