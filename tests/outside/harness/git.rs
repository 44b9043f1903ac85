//! Debian's git, without anybody's configuration.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::CommandOutput;
use super::program::{plain, run_as};

/// git in a folder of its own.
pub struct Git {
    folder: TempDir,
}

impl Git {
    pub fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("git-").tempdir().expect("a temporary folder") }
    }

    /// The path of a clone.
    pub fn path(&self, clone: &str) -> PathBuf {
        self.folder.path().join(clone)
    }

    /// Runs git in the folder.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        let mut git = plain(Command::new("git"));
        git.current_dir(self.folder.path())
            .env("HOME", self.folder.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .args(["-c", "advice.detachedHead=false", "-c", "init.defaultBranch=other"]);
        run_as(git, &arguments.iter().map(OsString::from).collect::<Vec<_>>())
    }

    /// Clones `url` into the folder `clone` and checks every object.
    #[track_caller]
    pub fn clone(&self, url: &str, clone: &str, options: &[&str]) {
        let output = self.run(&[&["clone", "--quiet"], options, &[url, clone]].concat()).ok();
        assert_eq!(output.stderr, "");
        let checked = self.run(&["-C", clone, "fsck", "--full", "--strict", "--no-dangling"]).ok();
        assert_eq!(checked.stdout, "", "{}", checked.stderr);
    }

    /// One line that git prints about a clone.
    #[track_caller]
    pub fn line(&self, clone: &str, arguments: &[&str]) -> String {
        self.run(&[&["-C", clone], arguments].concat()).ok().stdout.trim_end().to_owned()
    }

    /// The commit that is checked out.
    #[track_caller]
    pub fn commit(&self, clone: &str) -> String {
        self.line(clone, &["rev-parse", "HEAD"])
    }

    /// The files of a clone: path, content, and whether it is executable.
    pub fn files(&self, clone: &str) -> BTreeMap<String, (Vec<u8>, bool)> {
        let root = self.path(clone);
        let entries =
            walkdir::WalkDir::new(&root).into_iter().filter_entry(|entry| entry.file_name() != ".git");
        let files = entries.map(|entry| entry.expect("a folder")).filter(|entry| entry.file_type().is_file());
        files.map(|entry| file(&root, entry.path())).collect()
    }
}

fn file(root: &Path, path: &Path) -> (String, (Vec<u8>, bool)) {
    let name = path.strip_prefix(root).expect("below it").to_str().expect("UTF-8").to_owned();
    let is_executable = path.metadata().expect("a file").permissions().mode() & 0o111 != 0;
    (name, (std::fs::read(path).expect("a file"), is_executable))
}
