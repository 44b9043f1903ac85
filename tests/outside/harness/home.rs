//! A home folder in which client commands run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::program::{program, run_as, run_with_input};
use super::{CommandOutput, User};

/// A home folder with its own logins.
pub struct Home {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Home {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("skillmirror-home-").tempdir().expect("a folder");
        Self { folder, variables: Vec::new() }
    }

    /// Sets an environment variable for all commands.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The home folder. Commands run in it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The file of the logins.
    pub fn credentials(&self) -> PathBuf {
        self.folder().join("config/skillmirror/credentials.json")
    }

    /// Runs the program.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        run_as(self.program(), &owned(arguments))
    }

    /// Like [`Self::run`], with `input` on standard input.
    #[track_caller]
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> CommandOutput {
        run_with_input(self.program(), &owned(arguments), input)
    }

    /// The JSON that a successful command prints.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat()).ok();
        serde_json::from_str(&output.stdout).unwrap_or_else(|why| panic!("{why}: {output:?}"))
    }

    /// The message of a command that must fail with the error code `code`.
    #[track_caller]
    pub fn refusal(&self, code: &str, arguments: &[&str]) -> String {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.code == 1 && output.stdout.is_empty(), "{output:?}");
        let printed: Value =
            serde_json::from_str(&output.stderr).unwrap_or_else(|why| panic!("{why}: {output:?}"));
        assert_eq!(printed["error"]["code"], code, "{output:?}");
        let message = printed["error"]["message"].as_str().expect("a message").to_owned();
        assert!(!message.contains('\u{1b}') && message.len() > 20, "{message:?}");
        message
    }

    /// Logs `user` in.
    #[track_caller]
    pub fn login(&self, registry: &str, user: &User) -> CommandOutput {
        self.run_with_input(&["login", "--token-stdin", "--registry", registry], &user.token).ok()
    }

    /// The program, without the environment of the developer.
    pub fn program(&self) -> Command {
        self.using(program(self.folder()))
    }

    /// Sets the working folder and the environment of a command.
    pub(super) fn using(&self, mut command: Command) -> Command {
        command.current_dir(self.folder());
        command.env("HOME", self.folder()).env("XDG_CONFIG_HOME", self.folder().join("config"));
        for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME"] {
            command.env_remove(name);
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

fn owned(arguments: &[&str]) -> Vec<OsString> {
    arguments.iter().map(Into::into).collect()
}
