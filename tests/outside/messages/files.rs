//! Files of a person: a project, logins, packages.

use std::fs;

use super::Told;
use crate::harness::{Home, Skill};

/// A file of the home folder, its text, and the command that reads it.
const FILES: [(&str, &str, &[&str]); 20] = [
    ("skills.lock", "version = [", &["install", "--locked"]),
    ("skills.lock", "version = \"one\"\n", &["install", "--locked"]),
    ("skills.lock", "version = 1\nskill = 5\n", &["install", "--locked"]),
    ("skills.lock", "version = 1\n[[skill]]\nname = 5\n", &["install", "--locked"]),
    ("skills.toml", "[skills\n", &["install"]),
    ("skills.toml", "skills = 5\n", &["install"]),
    ("skills.toml", "[skills]\nhello = [1]\n", &["install"]),
    ("skills.toml", "registry = true\n", &["install"]),
    ("skills.toml", "dirs = \"skills\"\n", &["install"]),
    ("skills/.skillmirror/installed.json", "{", &["list"]),
    ("skills/.skillmirror/installed.json", "[]", &["list"]),
    ("skills/.skillmirror/installed.json", "{\"version\":\"x\"}", &["list"]),
    ("config/skillmirror/credentials.json", "{", &["whoami"]),
    ("config/skillmirror/credentials.json", "{\"version\":\"x\"}", &["whoami"]),
    ("config/skillmirror/trust.json", "[1", &["trust", "list"]),
    ("config/skillmirror/trust.json", "{\"version\":true}", &["trust", "list"]),
    ("bad/SKILL.md", "---\nname: [a\n---\n", &["check", "bad"]),
    ("bad/SKILL.md", "---\nname: {x} y\n---\n", &["check", "bad"]),
    ("bad/SKILL.md", "---\nname: 5\ndescription: {a: 1}\n---\n", &["check", "bad"]),
    ("bad.zip", "this is no archive", &["check", "bad.zip"]),
];

#[test]
fn damaged_file_of_a_person_is_told_in_plain_words() {
    let mut told = Told::default();
    for (path, text, command) in FILES {
        let home = Home::new();
        let file = home.folder().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(file.parent().unwrap(), fs::Permissions::from_mode(0o700)).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        }
        told.fails(&format!("{path} is {text:?}"), &home.run(command));
    }
}

#[test]
fn truncated_package_is_told_in_plain_words() {
    let mut told = Told::default();
    let home = Home::new();
    let zip = Skill::named("hello").zip();
    for length in [0, 3, 30, zip.len() / 2, zip.len() - 1] {
        fs::write(home.folder().join("cut.zip"), &zip[..length]).unwrap();
        told.fails(&format!("{length} bytes of a package"), &home.run(&["check", "cut.zip"]));
    }
}
