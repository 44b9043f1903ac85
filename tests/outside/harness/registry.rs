//! A registry of one's own: temporary folders and the program that serves them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::program::{Process, ServerProcess, plain, program, run_as, run_with_input};
use super::{Client, CommandOutput, Publish, Response, Skill, SmallDisk, User};

/// A registry that ends, with all it has written, when it is dropped.
pub struct Registry {
    // Dropped before the folder it works in.
    serving: Option<ServerProcess>,
    configured: bool,
    disk: Option<(OnDisk, SmallDisk)>,
    folder: TempDir,
}

/// What lies on a disk of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDisk {
    /// The data folder.
    Data,
    /// The output folder and what is kept beside it.
    Output,
    /// The output folder alone, which is that disk.
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

    /// Empty folders, nothing running.
    pub fn not_started() -> Self {
        let folder = tempfile::Builder::new().prefix("skillmirror-").tempdir().expect("a temporary folder");
        Self { serving: None, configured: false, disk: None, folder }
    }

    /// Empty folders and a configuration file, nothing running.
    pub fn configured(toml: &str) -> Self {
        let mut registry = Self::not_started();
        registry.write("config.toml", toml.as_bytes());
        registry.configured = true;
        registry
    }

    /// The same, with one of the folders on a disk of its own.
    #[track_caller]
    pub fn on_small_disk(what: OnDisk, options: &str, toml: &str) -> Self {
        let mut registry = Self::configured(toml);
        let root = registry.folder().join(if what == OnDisk::Tree { "public" } else { "small" });
        registry.disk = Some((what, SmallDisk::at(&root, options)));
        registry
    }

    /// The disk of its own.
    pub fn disk(&self) -> &SmallDisk {
        &self.disk.as_ref().expect("it has one").1
    }

    /// Starts the server on whatever the folders hold.
    #[track_caller]
    pub fn restart(&mut self) {
        self.start_with(&[]);
    }

    /// The same, with further arguments.
    #[track_caller]
    pub fn start_with(&mut self, further: &[&str]) {
        assert!(self.serving.is_none(), "it runs already");
        let arguments = self.arguments(["serve", "--listen", "127.0.0.1:0"].iter().chain(further));
        self.serving = Some(ServerProcess::start(self.program(), self.folder(), &arguments));
    }

    /// The same, where a limit to its files is an error for it and not its end.
    #[track_caller]
    pub fn start_for_file_limit(&mut self) {
        let arguments = self.arguments(["serve", "--listen", "127.0.0.1:0"]);
        let mut shell = plain(std::process::Command::new("sh"));
        shell.args(["-c", r#"trap '' XFSZ; exec "$0" "$@""#, super::program::PROGRAM]);
        self.serving = Some(ServerProcess::start(shell, self.folder(), &arguments));
    }

    /// The same, telling everything that it can tell in its log.
    #[track_caller]
    pub fn start_with_trace_log(&mut self) {
        let arguments = self.arguments(["serve", "--listen", "127.0.0.1:0"]);
        let mut program = self.program();
        program.env("RUST_LOG", "trace");
        self.serving = Some(ServerProcess::start(program, self.folder(), &arguments));
    }

    fn program(&self) -> std::process::Command {
        self.disk.as_ref().map_or_else(|| program(self.folder()), |(_, disk)| disk.program())
    }

    /// A second server, on the same folders.
    #[track_caller]
    pub fn start_second(&self, further: &[&str]) -> ServerProcess {
        let arguments = self.arguments(["serve", "--listen", "127.0.0.1:0"].iter().chain(further));
        ServerProcess::start(self.program(), self.folder(), &arguments)
    }

    /// Ends the server the way an operator does, and asserts that it ends well.
    #[track_caller]
    pub fn stop(&mut self) {
        let code = self.serving.take().expect("it runs").terminate();
        assert_eq!(code, 0, "SIGTERM ends the server with 0");
    }

    /// The server's process, to be killed while others talk to it.
    pub fn process(&self) -> Process {
        self.serving().process()
    }

    /// Ends the server as a power loss would, without a word.
    pub fn kill(&mut self) {
        drop(self.serving.take().expect("it runs"));
    }

    /// What the server has printed since it started.
    pub fn printed(&self) -> String {
        self.serving().printed()
    }

    /// Runs a command on this registry's data and tree.
    #[track_caller]
    pub fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> CommandOutput {
        run_as(self.program(), &self.arguments(arguments))
    }

    /// The same, with `input` on standard input.
    #[track_caller]
    pub fn command_with_input<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        input: &str,
    ) -> CommandOutput {
        run_with_input(self.program(), &self.arguments(arguments), input)
    }

    fn arguments<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Vec<OsString> {
        let mut all: Vec<OsString> = arguments.into_iter().map(|a| a.as_ref().to_owned()).collect();
        let (data, public) = self.places();
        all.extend(["--data".into(), data.into(), "--public".into(), public.into()]);
        if self.configured {
            all.extend(["--config".into(), self.folder().join("config.toml").into()]);
        }
        all
    }

    /// The folder that everything of this registry is in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The data folder and the output folder, as the program reaches them.
    fn places(&self) -> (PathBuf, PathBuf) {
        let small = |what| self.disk.as_ref().is_some_and(|(on_it, _)| *on_it == what);
        let data = if small(OnDisk::Data) { "small/data" } else { "data" };
        let public = if small(OnDisk::Output) { "small/public" } else { "public" };
        (self.folder().join(data), self.folder().join(public))
    }

    /// A path of the program's as this process reaches it.
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

    /// Writes a file beside the data and returns its path.
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

    /// An anonymous read.
    #[track_caller]
    pub fn get(&self, path: &str) -> Response {
        self.anonymous().get(path)
    }

    /// The JSON of an anonymous read that succeeds.
    #[track_caller]
    pub fn read(&self, path: &str) -> Value {
        self.get(path).expect_json(200)
    }

    /// The administrator that the first start makes.
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

    /// A token that the command line issues.
    #[track_caller]
    pub fn issue(&self, handle: &str, options: &[&str]) -> String {
        let output = self.command(["token", "issue", handle].iter().chain(options)).ok();
        let token = output.stdout.trim().to_owned();
        assert!(!token.is_empty() && !token.contains(char::is_whitespace), "only a token: {output:?}");
        token
    }

    /// `user`, whose token the running server takes at once, though another
    /// process has issued it.
    #[track_caller]
    pub fn wait_until_known(&self, user: User) -> User {
        self.as_user(&user).get("/api/v1/whoami").expect(200);
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
        let member = json!({"userId": user.handle, "role": role});
        self.as_user(owner).post_json(&format!("/api/v1/namespaces/{team}/members"), &member).expect_json(201)
    }

    /// A publication of `skill`, to be sent with `.by(&user)`.
    pub fn publish(&self, skill: Skill) -> Publish<'_> {
        Publish::of(self, skill.zip())
    }

    /// A publication of whatever bytes.
    pub fn publish_bytes(&self, bytes: Vec<u8>) -> Publish<'_> {
        Publish::of(self, bytes)
    }
}
