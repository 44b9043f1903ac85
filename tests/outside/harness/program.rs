//! The program as a process.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use super::Client;

/// How long anything may take before a test gives up on it.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What a finished command left behind.
#[derive(Debug)]
pub struct CommandOutput {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl CommandOutput {
    /// This, when the command succeeded.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// Both outputs, for what may be said on either.
    pub fn printed(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }
}

/// Runs the program in `folder` to its end. It sees no configuration but what
/// the arguments name, and no variables of the caller's.
#[track_caller]
pub fn run(folder: &Path, arguments: &[OsString]) -> CommandOutput {
    run_as(program(folder), arguments)
}

/// The same, with the program as somebody has prepared it.
#[track_caller]
pub(super) fn run_as(mut program: Command, arguments: &[OsString]) -> CommandOutput {
    let output = program.args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    CommandOutput {
        code: output.status.code().unwrap_or_else(|| panic!("{arguments:?} was killed: {}", output.status)),
        stdout: String::from_utf8(output.stdout).expect("what is printed is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("what is printed is UTF-8"),
    }
}

/// The same, with `input` on standard input.
#[track_caller]
pub(super) fn run_with_input(mut program: Command, arguments: &[OsString], input: &str) -> CommandOutput {
    let mut child = program
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // What does not want it all ends before it was written.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    CommandOutput {
        code: output.status.code().unwrap_or_else(|| panic!("{arguments:?} was killed: {}", output.status)),
        stdout: String::from_utf8(output.stdout).expect("what is printed is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("what is printed is UTF-8"),
    }
}

/// The program, without the variables of whoever runs the tests.
pub(super) fn program(folder: &Path) -> Command {
    let mut command = plain(Command::new(PROGRAM));
    command.current_dir(folder);
    command
}

/// Where the program is.
pub(super) const PROGRAM: &str = env!("CARGO_BIN_EXE_skillmirror");

/// A command without the variables of whoever runs the tests.
pub(super) fn plain(mut command: Command) -> Command {
    for variable in ["CLI_SITE", "CLI_REGISTRY", "RUST_LOG", "SSL_CERT_FILE", "SSL_CERT_DIR"] {
        command.env_remove(variable);
    }
    // No test is about the network of whoever runs it.
    for variable in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] {
        command.env_remove(variable).env_remove(variable.to_lowercase());
    }
    command
}

/// A server that is running; killed when dropped.
pub struct ServerProcess {
    child: Child,
    /// `http://host:port`.
    pub base: String,
    printed: Arc<Mutex<String>>,
}

impl ServerProcess {
    /// Somebody without a credential.
    pub fn client(&self) -> Client {
        Client::of(&self.base)
    }

    /// Starts `program` with `arguments` and waits until it says that it listens.
    /// Its log is in `folder`.
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

    /// What the server has printed on standard output so far.
    pub fn printed(&self) -> String {
        self.printed.lock().unwrap().clone()
    }

    /// A handle that can end the process without a word.
    pub fn process(&self) -> Process {
        Process(rustix::process::Pid::from_child(&self.child))
    }

    /// Asks the server to end and returns its exit code.
    #[track_caller]
    pub fn terminate(mut self) -> i32 {
        end(&mut self.child)
    }
}

/// A running process that somebody else waits for.
#[derive(Clone, Copy)]
pub struct Process(rustix::process::Pid);

impl Process {
    /// Ends it at once, as `kill -9` does.
    #[track_caller]
    pub fn kill(self) {
        rustix::process::kill_process(self.0, rustix::process::Signal::KILL).expect("it can be killed");
    }

    /// Lets its files grow to `limit` bytes and no further; None: as they will.
    /// With 0 it can write to no file at all.
    #[track_caller]
    pub fn limit_files(self, limit: Option<u64>) {
        let limit = rustix::process::Rlimit { current: limit, maximum: None };
        rustix::process::prlimit(Some(self.0), rustix::process::Resource::Fsize, limit)
            .expect("a limit can be set");
    }
}

/// Asks a process to end and returns its exit code.
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

/// Reads `output` to its end in the background, and sends the first line that
/// contains `words`.
pub fn listen_for(output: ChildStdout, printed: Arc<Mutex<String>>, words: &str) -> mpsc::Receiver<String> {
    let words = words.to_owned();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let mut printed = printed.lock().unwrap();
            printed.push_str(&line);
            printed.push('\n');
            if line.contains(&words) {
                // Only the first is waited for.
                let _ = sender.send(line);
            }
        }
    });
    receiver
}

/// Looks until there is something to see: for what another process does, which
/// nobody announces.
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
