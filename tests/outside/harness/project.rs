//! Where somebody works who uses a registry: a folder, and the program as a client.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::program::{PROGRAM, plain, run_as};
use super::{CommandOutput, Home, SmallDisk};

/// A folder to work in, with a home folder of its own, and how the program is started there.
pub struct Project {
    home: Home,
    started: Started,
}

/// How the program is started.
enum Started {
    Plainly,
    /// Where a disk of its own is mounted.
    On(SmallDisk),
    /// Without the rights of an administrator.
    Weakly,
}

impl Project {
    /// An empty one.
    pub fn new() -> Self {
        Self { home: Home::new(), started: Started::Plainly }
    }

    /// One whose folder `small` is a disk of its own.
    pub fn on_small_disk(options: &str) -> Self {
        Self::with_disk_at("small", options)
    }

    /// One with a disk of its own at that folder.
    pub fn with_disk_at(path: &str, options: &str) -> Self {
        let mut project = Self::new();
        project.started = Started::On(SmallDisk::at(&project.path(path), options));
        project
    }

    /// One at which a folder that may not be written is not written, whoever runs the
    /// tests: an administrator may do anything, except in a user namespace without one.
    pub fn without_privileges() -> Self {
        Self { started: Started::Weakly, ..Self::new() }
    }

    /// The disk of its own.
    pub fn disk(&self) -> &SmallDisk {
        match &self.started {
            Started::On(disk) => disk,
            Started::Plainly | Started::Weakly => panic!("it has none"),
        }
    }

    /// A path below the folder.
    pub fn path(&self, path: &str) -> PathBuf {
        self.home.folder().join(path)
    }

    /// The program as it is started here.
    pub fn program(&self) -> Command {
        let mut command = self.home.using(match &self.started {
            Started::Plainly => plain(Command::new(PROGRAM)),
            Started::On(disk) => disk.program(),
            Started::Weakly => {
                let mut command = plain(Command::new("unshare"));
                command.args(["--user", "--", PROGRAM]);
                command
            }
        });
        // Elsewhere than the project: agents have folders in both.
        command.env("HOME", self.path("home")).env("XDG_CONFIG_HOME", self.path("home/.config"));
        command
    }

    /// Runs the program with these words, separated by spaces.
    #[track_caller]
    pub fn run(&self, words: &str) -> CommandOutput {
        let arguments: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
        run_as(self.program(), &arguments)
    }

    /// The same, with a registry where the command takes one.
    #[track_caller]
    pub fn run_any(&self, registry: &str, words: &str) -> CommandOutput {
        if words.starts_with("install") { self.run_with(registry, words) } else { self.run(words) }
    }

    /// The same of a registry.
    #[track_caller]
    pub fn run_with(&self, registry: &str, words: &str) -> CommandOutput {
        self.run(&format!("{words} --registry {registry}"))
    }

    /// The same, which has to be refused with that code.
    #[track_caller]
    pub fn refused(&self, registry: &str, words: &str, code: &str) -> String {
        let before = self.snapshot("");
        let output = self.run_any(registry, &format!("{words} --json"));
        assert_eq!(output.code, 1, "{output:?}");
        let error: Value =
            serde_json::from_str(&output.stderr).unwrap_or_else(|why| panic!("{why}: {output:?}"));
        assert_eq!(error["error"]["code"], code, "{output:?}");
        let after = self.snapshot("");
        let paths = |all: &BTreeMap<String, Vec<u8>>| all.keys().cloned().collect::<Vec<_>>();
        assert_eq!(paths(&before), paths(&after), "what is there, after {words}");
        assert!(before == after, "a file has changed with {words}");
        error["error"]["message"].as_str().expect("a message").to_owned()
    }

    /// What the program prints as JSON, where it succeeds.
    #[track_caller]
    pub fn json(&self, registry: &str, words: &str) -> Value {
        let output = self.run_with(registry, &format!("{words} --json")).ok();
        serde_json::from_str(&output.stdout).unwrap_or_else(|why| panic!("{why}: {output:?}"))
    }

    /// The record of the folder `skills`.
    #[track_caller]
    pub fn record(&self) -> Value {
        let path = self.path("skills/.skillmirror/installed.json");
        let text = std::fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        serde_json::from_slice(&text).expect("a record is JSON")
    }

    /// A file below `skills`.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        let path = self.path("skills").join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
    }

    /// Writes a file below `skills`.
    #[track_caller]
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path("skills").join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// All that is below a folder, the lock left out: folders end in a slash, links
    /// are what they say.
    pub fn snapshot(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.path(below);
        let mut all = BTreeMap::new();
        for entry in walkdir::WalkDir::new(&root).min_depth(1) {
            let entry = entry.expect("a folder can be read");
            let path = entry.path().strip_prefix(&root).expect("below it").to_string_lossy().into_owned();
            let kind = entry.file_type();
            if kind.is_dir() {
                all.insert(path + "/", Vec::new());
            } else if kind.is_symlink() {
                let target = std::fs::read_link(entry.path()).expect("a link can be read");
                all.insert(path, target.into_os_string().into_encoded_bytes());
            } else if !entry.path().ends_with(".skillmirror/lock") {
                all.insert(path, std::fs::read(entry.path()).expect("a file can be read"));
            }
        }
        all
    }
}

/// The address of a folder.
pub fn folder_address(folder: &Path) -> String {
    format!("file://{}", folder.display())
}
