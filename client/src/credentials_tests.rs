#![allow(clippy::unwrap_used)]

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

#[test]
fn logins_come_back_and_only_their_owner_reads_them() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("config/skillmirror");
    let mut credentials = Credentials::load_from(&folder).unwrap();
    assert!(credentials.default_login().is_none());
    credentials.insert(&at("https://a.example/sub"), login("one"));
    credentials.insert(&at("https://b.example"), login("two"));
    credentials.save().unwrap();
    assert_eq!((mode(&folder), mode(credentials.path())), (0o700, 0o600));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");

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
fn the_default_goes_with_its_login() {
    let home = tempfile::tempdir().unwrap();
    let mut credentials = Credentials::load_from(home.path()).unwrap();
    let (a, b) = (at("https://a.example"), at("https://b.example"));
    credentials.insert(&a, login("one"));
    credentials.insert(&b, login("two"));
    assert!(credentials.is_default(&a));
    credentials.make_default(&b);
    credentials.insert(&a, login("three"));
    assert!(credentials.is_default(&b));
    assert_eq!(credentials.remove(&b), Some(login("two")));
    assert_eq!(credentials.remove(&b), None);
    assert!(credentials.default_login().is_none());
}

#[test]
fn what_others_can_read_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let mut credentials = Credentials::load_from(home.path()).unwrap();
    credentials.insert(&at("https://a.example"), login("one"));
    credentials.save().unwrap();
    for shared in [0o640, 0o604, 0o620] {
        fs::set_permissions(credentials.path(), fs::Permissions::from_mode(shared)).unwrap();
        let why = Credentials::load_from(home.path()).unwrap_err().to_string();
        assert!(why.contains(&format!("chmod 600 {}", credentials.path().display())), "{why}");
    }
}

#[test]
fn other_files_are_refused_without_quoting_them() {
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
