//! A project folder in which a user installs skills.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::program::{PROGRAM, plain, run_as};
use super::{CommandOutput, Home, SmallDisk};

/// A project folder with its own home folder.
pub struct Project {
    home: Home,
    started: Started,
}

/// How the program is started.
enum Started {
    Plainly,
    /// In the namespace of a small disk.
    On(SmallDisk),
    /// Without the rights of root.
    Weakly,
}

impl Project {
    pub fn new() -> Self {
        Self { home: Home::new(), started: Started::Plainly }
    }

    /// A project whose folder `small` is a small disk.
    pub fn on_small_disk(options: &str) -> Self {
        Self::with_disk_at("small", options)
    }

    /// A project with a small disk mounted at `path`.
    pub fn with_disk_at(path: &str, options: &str) -> Self {
        let mut project = Self::new();
        project.started = Started::On(SmallDisk::at(&project.path(path), options));
        project
    }

    /// A project in which file permissions hold even if root runs the tests: commands run in a user
    /// namespace without root.
    pub fn without_privileges() -> Self {
        Self { started: Started::Weakly, ..Self::new() }
    }

    /// The small disk.
    pub fn disk(&self) -> &SmallDisk {
        match &self.started {
            Started::On(disk) => disk,
            Started::Plainly | Started::Weakly => panic!("it has none"),
        }
    }

    /// A path in this folder.
    pub fn path(&self, path: &str) -> PathBuf {
        self.home.folder().join(path)
    }

    /// The program, to run in this project.
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
        // HOME differs from the project, because agents have folders in both.
        command.env("HOME", self.path("home")).env("XDG_CONFIG_HOME", self.path("home/.config"));
        command
    }

    /// Runs the program with arguments separated by spaces.
    #[track_caller]
    pub fn run(&self, words: &str) -> CommandOutput {
        let arguments: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
        run_as(self.program(), &arguments)
    }

    /// Like [`Self::run`], with variables of the environment.
    #[track_caller]
    pub fn run_in(&self, variables: &[(&str, &str)], words: &str) -> CommandOutput {
        let mut program = self.program();
        program.envs(variables.iter().copied());
        let arguments: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
        run_as(program, &arguments)
    }

    /// Runs the program, with `--registry` if the command is `install`.
    #[track_caller]
    pub fn run_any(&self, registry: &str, words: &str) -> CommandOutput {
        if words.starts_with("install") { self.run_with(registry, words) } else { self.run(words) }
    }

    /// Runs the program with `--registry`.
    #[track_caller]
    pub fn run_with(&self, registry: &str, words: &str) -> CommandOutput {
        self.run(&format!("{words} --registry {registry}"))
    }

    /// Runs a command that must fail with the error code `code` and change no file. Returns its
    /// message.
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

    /// The JSON that a successful command prints.
    #[track_caller]
    pub fn json(&self, registry: &str, words: &str) -> Value {
        let output = self.run_with(registry, &format!("{words} --json")).ok();
        serde_json::from_str(&output.stdout).unwrap_or_else(|why| panic!("{why}: {output:?}"))
    }

    /// The install record of the folder `skills`.
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

    /// Everything in a folder except the lock. Folders end in a slash; a link's content is its
    /// target.
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

/// The `file:` address of a folder.
pub fn folder_address(folder: &Path) -> String {
    format!("file://{}", folder.display())
}
