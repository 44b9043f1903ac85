//! A registry for one test: temporary folders and a server.
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::program::{Process, ServerProcess, eventually, plain, run_as, run_with_input};
use super::storage::Storage;
use super::{Client, CommandOutput, Publish, Response, Skill, SmallDisk, User};

/// A registry in a temporary folder. Dropping it ends the server and removes the folder.
pub struct Registry {
    // Dropped before its folder.
    pub(super) serving: Option<ServerProcess>,
    configured: bool,
    pub(super) disk: Option<(OnDisk, SmallDisk)>,
    folder: TempDir,
    pub(super) storage: Storage,
}

/// The folder that is on a small disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDisk {
    /// The data folder.
    Data,
    /// The output folder and its state folder.
    Output,
    /// Only the output folder. It is the disk itself.
    Tree,
}

impl Registry {
    /// A running registry with the built-in configuration.
    #[track_caller]
    pub fn start() -> Self {
        let mut registry = Self::not_started();
        registry.restart();
        registry
    }

    /// A running registry with this configuration file.
    #[track_caller]
    pub fn with_config(toml: &str) -> Self {
        let mut registry = Self::configured(toml);
        registry.restart();
        registry
    }

    /// Empty folders without a server.
    pub fn not_started() -> Self {
        let folder = tempfile::Builder::new().prefix("skillmirror-").tempdir().expect("a temporary folder");
        Self { serving: None, configured: false, disk: None, folder, storage: Storage::of_tests() }
    }

    /// Empty folders and a configuration file, without a server.
    pub fn configured(toml: &str) -> Self {
        let mut registry = Self::not_started();
        registry.write("config.toml", toml.as_bytes());
        registry.configured = true;
        registry
    }

    /// Like [`Self::configured`], with one of the folders on a small disk.
    #[track_caller]
    pub fn on_small_disk(what: OnDisk, options: &str, toml: &str) -> Self {
        let mut registry = Self::configured(toml);
        let root = registry.folder().join(if what == OnDisk::Tree { "public" } else { "small" });
        registry.disk = Some((what, SmallDisk::at(&root, options)));
        registry
    }

    /// The small disk.
    pub fn disk(&self) -> &SmallDisk {
        &self.disk.as_ref().expect("it has one").1
    }

    /// Starts the server on the existing folders.
    #[track_caller]
    pub fn restart(&mut self) {
        self.start_with(&[]);
    }

    /// Starts the server with further arguments.
    #[track_caller]
    pub fn start_with(&mut self, further: &[&str]) {
        assert!(self.serving.is_none(), "it runs already");
        let arguments = self.arguments(["serve", "--listen", "127.0.0.1:0"].iter().chain(further));
        self.serving = Some(ServerProcess::start(self.program(), self.folder(), &arguments));
    }

    /// Starts the server so that exceeding a file size limit is an error instead of a fatal signal.
    #[track_caller]
    pub fn start_for_file_limit(&mut self) {
        let arguments = self.arguments(["serve", "--listen", "127.0.0.1:0"]);
        let mut shell = plain(std::process::Command::new("sh"));
        shell.envs(self.variables()).envs(self.patience());
        shell.args(["-c", r#"trap '' XFSZ; exec "$0" "$@""#, super::program::PROGRAM]);
        self.serving = Some(ServerProcess::start(shell, self.folder(), &arguments));
    }

    /// Starts the server with the log level `trace`.
    #[track_caller]
    pub fn start_with_trace_log(&mut self) {
        let arguments = self.arguments(["serve", "--listen", "127.0.0.1:0"]);
        let mut program = self.program();
        program.env("RUST_LOG", "trace");
        self.serving = Some(ServerProcess::start(program, self.folder(), &arguments));
    }

    /// Starts a second server on the same folders.
    #[track_caller]
    pub fn start_second(&self, further: &[&str]) -> ServerProcess {
        let arguments = self.arguments(["serve", "--listen", "127.0.0.1:0"].iter().chain(further));
        ServerProcess::start(self.program(), self.folder(), &arguments)
    }

    /// Starts a server with other arguments in the temporary folder.
    pub fn start_other(&self, arguments: &[&str]) -> ServerProcess {
        let arguments = arguments.iter().map(Into::into);
        ServerProcess::start(self.program(), self.folder(), &arguments.collect::<Vec<_>>())
    }

    /// Ends the server with SIGTERM and asserts that it exits with 0.
    #[track_caller]
    pub fn stop(&mut self) {
        let code = self.serving.take().expect("it runs").terminate();
        assert_eq!(code, 0, "SIGTERM ends the server with 0");
    }

    /// The server's process.
    pub fn process(&self) -> Process {
        self.serving().process()
    }

    /// Kills the server.
    pub fn kill(&mut self) {
        drop(self.serving.take().expect("it runs"));
    }

    /// The server's standard output since its start.
    pub fn printed(&self) -> String {
        self.serving().printed()
    }

    /// Runs a command on this registry's data and tree.
    #[track_caller]
    pub fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> CommandOutput {
        run_as(self.program(), &self.arguments(arguments))
    }

    /// Like [`Self::command`], with `input` on standard input.
    #[track_caller]
    pub fn command_with_input<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        input: &str,
    ) -> CommandOutput {
        run_with_input(self.program(), &self.arguments(arguments), input)
    }

    pub(super) fn arguments<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Vec<OsString> {
        let mut all: Vec<OsString> = arguments.into_iter().map(|a| a.as_ref().to_owned()).collect();
        let (data, public) = self.places();
        all.extend(["--data".into(), data.into(), "--public".into(), public.into()]);
        if self.configured {
            all.extend(["--config".into(), self.folder().join("config.toml").into()]);
        }
        all
    }

    /// The temporary folder of this registry.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The paths of data folder and output folder for the program.
    fn places(&self) -> (PathBuf, PathBuf) {
        let small = |what| self.disk.as_ref().is_some_and(|(on_it, _)| *on_it == what);
        let data = if small(OnDisk::Data) { "small/data" } else { "data" };
        let public = if small(OnDisk::Output) { "small/public" } else { "public" };
        (self.folder().join(data), self.folder().join(public))
    }

    /// Converts a path of the program to a path of this process.
    fn seen(&self, path: PathBuf) -> PathBuf {
        self.disk.as_ref().map_or(path.clone(), |(_, disk)| disk.seen(&path))
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.seen(self.places().0)
    }

    /// The folder of the static tree.
    pub fn public(&self) -> PathBuf {
        self.seen(self.places().1)
    }

    /// Writes a file into the temporary folder and returns its path.
    pub fn write(&self, path: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    fn serving(&self) -> &ServerProcess {
        self.serving.as_ref().expect("it runs")
    }

    /// The server's address, `http://host:port`.
    pub fn base(&self) -> &str {
        &self.serving().base
    }

    /// A client without a credential.
    pub fn anonymous(&self) -> Client {
        Client::of(self.base())
    }

    /// A client with `user`'s token.
    pub fn as_user(&self, user: &User) -> Client {
        self.anonymous().as_user(user)
    }

    /// Sends an anonymous GET.
    #[track_caller]
    pub fn get(&self, path: &str) -> Response {
        self.anonymous().get(path)
    }

    /// The JSON of a successful anonymous GET.
    #[track_caller]
    pub fn read(&self, path: &str) -> Value {
        self.get(path).expect_json(200)
    }

    /// The administrator that the first start creates.
    #[track_caller]
    pub fn admin(&self) -> User {
        let token = std::fs::read_to_string(self.data().join("admin-token")).expect("the admin's token");
        User { handle: "admin".to_owned(), token: token.trim().to_owned() }
    }

    /// A new plain user with a token of every scope.
    #[track_caller]
    pub fn user(&self, handle: &str) -> User {
        self.command(["user", "add", handle]).ok();
        let token = self.issue(handle, &["--name", "test"]);
        self.wait_until_known(User { handle: handle.to_owned(), token })
    }

    /// A token that the command line issues: by default with every scope, without an end.
    #[track_caller]
    pub fn issue(&self, handle: &str, options: &[&str]) -> String {
        let output =
            self.command(["token", "issue", handle].iter().chain(options).chain(&User::widest(options))).ok();
        let token = output.stdout.trim().to_owned();
        assert!(!token.is_empty() && !token.contains(char::is_whitespace), "only a token: {output:?}");
        token
    }

    /// Waits until a server that may be writing accepts a token of another process.
    #[track_caller]
    pub fn wait_until_known(&self, user: User) -> User {
        let me = || self.as_user(&user).get("/api/v1/whoami");
        eventually("the server knows the token", || (me().status == 200).then_some(()));
        user
    }

    /// A team that `owner` owns.
    #[track_caller]
    pub fn team(&self, slug: &str, owner: &User) -> Value {
        self.as_user(owner).post_json("/api/v1/namespaces", &json!({"slug": slug})).expect_json(201)
    }

    /// Makes `user` a member of a team.
    #[track_caller]
    pub fn join(&self, team: &str, owner: &User, user: &User, role: &str) -> Value {
        if role == "owner" {
            let path = format!("/api/v1/namespaces/{team}/invitations");
            self.as_user(owner).post_json(&path, &json!({"userId": user.handle})).expect(201);
            let path = format!("{path}/{}/accept", user.handle);
            return self.as_user(user).post_json(&path, &json!({})).expect_json(200);
        }
        let member = json!({"userId": user.handle, "role": role});
        self.as_user(owner).post_json(&format!("/api/v1/namespaces/{team}/members"), &member).expect_json(201)
    }

    /// A publish request for `skill`. Send it with `.by(&user)`.
    pub fn publish(&self, skill: Skill) -> Publish<'_> {
        Publish::of(self, skill.zip())
    }

    /// A publish request for any bytes.
    pub fn publish_bytes(&self, bytes: Vec<u8>) -> Publish<'_> {
        Publish::of(self, bytes)
    }
}
