//! The program as a process.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use super::Client;

/// How long a test waits for anything.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The exit code and output of a finished command.
#[derive(Debug)]
pub struct CommandOutput {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl CommandOutput {
    #[track_caller]
    fn of(output: Output, arguments: &[OsString]) -> Self {
        let status = output.status;
        Self {
            code: status.code().unwrap_or_else(|| panic!("{arguments:?} was killed: {status}")),
            stdout: String::from_utf8(output.stdout).expect("the output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("the output is UTF-8"),
        }
    }

    /// Asserts that the command succeeded.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// Both outputs, for text that may be on either.
    pub fn printed(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }
}

/// Runs the program in `folder` to its end, with only the configuration that the arguments name.
#[track_caller]
pub fn run(folder: &Path, arguments: &[OsString]) -> CommandOutput {
    run_as(program(folder), arguments)
}

/// Runs a prepared command to its end.
#[track_caller]
pub(super) fn run_as(mut program: Command, arguments: &[OsString]) -> CommandOutput {
    let output = program.args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    CommandOutput::of(output, arguments)
}

/// Runs a prepared command to its end, with `input` on standard input.
#[track_caller]
pub(super) fn run_with_input(mut program: Command, arguments: &[OsString], input: &str) -> CommandOutput {
    let mut child = program
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read all its input closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    CommandOutput::of(output, arguments)
}

/// The program in `folder`, without the environment of the developer.
pub(super) fn program(folder: &Path) -> Command {
    let mut command = plain(Command::new(PROGRAM));
    command.current_dir(folder);
    command
}

/// The path of the program.
pub(super) const PROGRAM: &str = env!("CARGO_BIN_EXE_skillmirror");

/// Removes variables of the developer's environment.
pub(super) fn plain(mut command: Command) -> Command {
    for variable in ["CLI_SITE", "CLI_REGISTRY", "RUST_LOG", "SSL_CERT_FILE", "SSL_CERT_DIR"] {
        command.env_remove(variable);
    }
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy();
        if ["SKILLMIRROR_", "AWS_", "AZURE_", "GOOGLE_"].iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(variable);
        }
    }
    // No test depends on the developer's network.
    for variable in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] {
        command.env_remove(variable).env_remove(variable.to_lowercase());
    }
    command
}

/// A running server. Dropping it kills it.
pub struct ServerProcess {
    child: Child,
    /// `http://host:port`.
    pub base: String,
    printed: Arc<Mutex<String>>,
}

impl ServerProcess {
    /// An anonymous client of this server.
    pub fn client(&self) -> Client {
        Client::of(&self.base)
    }

    /// Starts `program` with `arguments` and waits until it prints that it listens. Its log is
    /// `serve.log` in `folder`.
    #[track_caller]
    pub fn start(mut program: Command, folder: &Path, arguments: &[OsString]) -> Self {
        let log = folder.join("serve.log");
        let errors = std::fs::File::options().create(true).append(true).open(&log).expect("a log");
        let mut child = program
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .expect("the program starts");
        let printed = Arc::new(Mutex::new(String::new()));
        let ready = listen_for(child.stdout.take().expect("a pipe"), Arc::clone(&printed), "listening on ");
        match ready.recv_timeout(TIMEOUT) {
            Ok(line) => {
                let base = line.split_whitespace().find(|word| word.starts_with("http://"));
                let base = base.unwrap_or_else(|| panic!("no address in {line:?}"));
                Self { child, base: base.trim_end_matches('/').to_owned(), printed }
            }
            Err(_) => {
                let _ = child.kill();
                let status = child.wait();
                let errors = std::fs::read_to_string(&log).unwrap_or_default();
                panic!("serve never listened ({status:?}): {} {errors}", printed.lock().unwrap());
            }
        }
    }

    /// The standard output so far.
    pub fn printed(&self) -> String {
        self.printed.lock().unwrap().clone()
    }

    /// A handle that can kill the process.
    pub fn process(&self) -> Process {
        Process::of(&self.child)
    }

    /// Ends the server with SIGTERM and returns its exit code.
    #[track_caller]
    pub fn terminate(mut self) -> i32 {
        end(&mut self.child)
    }
}

/// The process of a server that runs.
#[derive(Clone, Copy)]
pub struct Process(rustix::process::Pid);

impl Process {
    pub(super) fn of(child: &Child) -> Self {
        Self(rustix::process::Pid::from_child(child))
    }

    /// The process that works in `folder`, once it handles SIGHUP.
    pub fn hearing_hangups_in(folder: &Path) -> Option<Self> {
        let processes = std::fs::read_dir("/proc").expect("Linux").flatten();
        let here = |path: &Path| path.join("cwd").read_link().is_ok_and(|cwd| cwd == folder);
        let process = processes.map(|entry| entry.path()).find(|path| here(path))?;
        let status = std::fs::read_to_string(process.join("status")).ok()?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        let hears = u64::from_str_radix(caught.trim(), 16).is_ok_and(|caught| caught & 1 == 1);
        let id = process.file_name()?.to_str()?.parse().ok()?;
        rustix::process::Pid::from_raw(id).filter(|_| hears).map(Self)
    }

    /// The text of its `/proc/PID/status`.
    #[track_caller]
    pub fn proc_status(self) -> String {
        let path = format!("/proc/{}/status", self.0.as_raw_nonzero());
        std::fs::read_to_string(path).expect("it runs")
    }

    /// Kills it with SIGKILL.
    #[track_caller]
    pub fn kill(self) {
        rustix::process::kill_process(self.0, rustix::process::Signal::KILL).expect("it can be killed");
    }

    /// Stops it without ending it, until the result is dropped.
    #[track_caller]
    pub fn freeze(self) -> Sleeping {
        rustix::process::kill_process(self.0, rustix::process::Signal::STOP).expect("it gets the signal");
        Sleeping(self)
    }

    /// Sends it SIGHUP.
    #[track_caller]
    pub fn hang_up(self) {
        rustix::process::kill_process(self.0, rustix::process::Signal::HUP).expect("it gets the signal");
    }

    /// Sends it SIGINT.
    #[track_caller]
    pub fn interrupt(self) {
        rustix::process::kill_process(self.0, rustix::process::Signal::INT).expect("it gets the signal");
    }

    /// Sends it SIGUSR1.
    #[track_caller]
    pub fn reopen_logs(self) {
        rustix::process::kill_process(self.0, rustix::process::Signal::USR1).expect("it gets the signal");
    }

    /// Limits the size of the files that it writes. With 0 it can write to no file; `None` lifts
    /// the limit.
    #[track_caller]
    pub fn limit_files(self, limit: Option<u64>) {
        let limit = rustix::process::Rlimit { current: limit, maximum: None };
        rustix::process::prlimit(Some(self.0), rustix::process::Resource::Fsize, limit)
            .expect("a limit can be set");
    }
}

/// A process that is stopped.
pub struct Sleeping(Process);

impl Drop for Sleeping {
    fn drop(&mut self) {
        // It may have been killed.
        let _ = rustix::process::kill_process(self.0.0, rustix::process::Signal::CONT);
    }
}

/// Ends a process with SIGTERM and returns its exit code.
#[track_caller]
pub(super) fn end(child: &mut Child) -> i32 {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it can be asked");
    let status = eventually("the process ends", || child.try_wait().expect("it can be waited for"));
    status.code().unwrap_or_else(|| panic!("it was killed: {status}"))
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads `output` in the background and sends the first line that contains `words`.
pub fn listen_for(output: ChildStdout, printed: Arc<Mutex<String>>, words: &str) -> mpsc::Receiver<String> {
    let words = words.to_owned();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let mut printed = printed.lock().unwrap();
            printed.push_str(&line);
            printed.push('\n');
            if line.contains(&words) {
                // Only the first such line has a receiver.
                let _ = sender.send(line);
            }
        }
    });
    receiver
}

/// Polls until `look` returns a value, for effects that another process does not announce.
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(Instant::now() < deadline, "it never came to be that {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
