//! Our own client, agents and mirrors at a closed registry, from its server and from nginx alone.

use std::ffi::OsString;

use super::{MARKER, closed, new_key, nginx};
use crate::harness::{Home, run};

fn skill() -> String {
    format!("{MARKER}/{MARKER}-skill")
}

/// Searches and installs at an address.
#[track_caller]
fn use_it(home: &Home, address: &str) {
    let found = home.run(&["search", MARKER, "--registry", address]).ok();
    assert!(found.stdout.contains(MARKER), "{found:?}");
    let folder = home.folder().join(address.replace(['/', ':'], "-"));
    std::fs::create_dir(&folder).unwrap();
    let folder = folder.to_str().unwrap();
    home.run(&["install", &skill(), "--registry", address, "--dir", folder]).ok();
    assert!(std::path::Path::new(folder).join(format!("{MARKER}-skill/SKILL.md")).is_file());
}

/// Nothing is found, and the message says what to do.
#[track_caller]
fn is_refused(home: &Home, address: &str) {
    for arguments in [&["search", MARKER][..], &["install", &skill()], &["info", &skill()]] {
        let output = home.run(&[arguments, &["--registry", address]].concat());
        assert_eq!(output.code, 1, "{arguments:?} {output:?}");
        assert!(output.stderr.contains("skillmirror login"), "{arguments:?} {output:?}");
        assert!(output.stdout.is_empty(), "{arguments:?} {output:?}");
    }
}

#[test]
fn member_searches_and_installs_and_a_stranger_does_not() {
    let mut registry = closed();
    let key = new_key(&registry, "member");
    let (before, alone) =
        (nginx(&registry, "before", &["--origin", registry.base()]), nginx(&registry, "alone", &[]));
    let (member, person, stranger) =
        (Home::new().with("SKILLMIRROR_READ_TOKEN", &key), Home::new(), Home::new());
    for address in [registry.base(), &before.base] {
        person.login(address, &registry.admin());
        use_it(&person, address);
        use_it(&member, address);
        is_refused(&stranger, address);
    }
    let address = registry.base().to_owned();
    registry.stop();
    use_it(&member, &alone.base);
    is_refused(&stranger, &alone.base);
    assert!(!member.run(&["search", MARKER, "--registry", &address]).printed().contains(&key));
}

#[test]
fn mirror_follows_with_a_key_and_stays_closed() {
    let registry = closed();
    let key = new_key(&registry, "mirror");
    let folder = tempfile::tempdir().unwrap();
    let mirror = |settings: &str| {
        std::fs::write(folder.path().join("config.toml"), settings).unwrap();
        let arguments = ["generate", "--feed", registry.base(), "--out", "mirror"];
        run(folder.path(), &arguments.map(OsString::from))
    };
    let refused = mirror("");
    assert!(refused.code == 1 && refused.stderr.contains("SKILLMIRROR_READ_TOKEN"), "{refused:?}");
    std::fs::write(folder.path().join("key"), format!("{key}\n")).unwrap();
    mirror("[mirror]\nfeed_token_file = \"key\"\n").ok();
    let discovery = std::fs::read_to_string(folder.path().join("mirror/.well-known/registry.json")).unwrap();
    assert!(discovery.contains("\"reads\":\"token\""), "{discovery}");
    assert!(folder.path().join(format!("mirror/{MARKER}/{MARKER}-skill/index.html")).is_file());
}
