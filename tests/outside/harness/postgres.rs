//! Debian's PostgreSQL, started for tests alone: by a socket in a temporary folder, as a user of its own.
//!
//! The tests of the crate `postgres` use this file, too.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A running server. Dropping it ends it.
pub struct PostgresServer {
    folder: TempDir,
    user: Option<(u32, u32)>,
    databases: AtomicU64,
}

static SHARED: Mutex<Weak<PostgresServer>> = Mutex::new(Weak::new());

impl PostgresServer {
    /// The server that tests share while any of them runs. Each takes a database of its own.
    pub fn shared() -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = shared.upgrade() {
            return running;
        }
        let started = Arc::new(Self::start());
        *shared = Arc::downgrade(&started);
        started
    }

    /// A server of one test.
    pub fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("pg-").tempdir().expect("a temporary folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711)).expect("others may enter");
        let user = rustix::process::geteuid().is_root().then(unprivileged);
        if let Some((uid, gid)) = user {
            chown(folder.path(), Some(uid), Some(gid)).expect("the server owns its folder");
        }
        let server = Self { folder, user, databases: AtomicU64::new(0) };
        let mut initdb = server.command("initdb");
        initdb.args(["--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]);
        let made = initdb.args(["-D", "data"]).stdout(Stdio::null()).output().expect("initdb starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        server.begin();
        server
    }

    #[allow(dead_code, reason = "the tests of the crate `postgres` use it")]
    /// The folder of the socket, and of what else the user of the server may write.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A program of PostgreSQL or of its user, run as that user.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(installed(program));
        command.current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        command
    }

    /// Starts the server, and waits until it takes connections.
    pub fn begin(&self) {
        // What a power loss would do is PostgreSQL's own affair.
        let folder = self.folder.path().display();
        let options = format!("-c listen_addresses= -c fsync=off -c max_connections=200 -k {folder}");
        self.control(&["start", "-l", "log", "-o", &options]);
    }

    /// Ends the server at once, as a crash would, and with it all connections.
    pub fn end(&self) {
        self.control(&["stop", "-m", "immediate"]);
    }

    /// Stops all processes of the server without ending them, as a machine does that hangs. The system goes on
    /// taking connections. They go on when the result is dropped.
    pub fn freeze(&self) -> Frozen {
        let pid_file = fs::read_to_string(self.folder.path().join("data/postmaster.pid")).expect("a pid");
        let main: i32 = pid_file.lines().next().and_then(|line| line.parse().ok()).expect("a pid");
        let mut processes = vec![Pid::from_raw(main).expect("not 0")];
        // First the one that starts others.
        kill_process(processes[0], Signal::STOP).expect("the server runs");
        let children =
            fs::read_to_string(format!("/proc/{main}/task/{main}/children")).expect("its children");
        let children = children.split_whitespace().filter_map(|pid| pid.parse().ok().and_then(Pid::from_raw));
        processes.extend(children);
        for process in &processes[1..] {
            // One that has ended meanwhile is no matter.
            let _ = kill_process(*process, Signal::STOP);
        }
        Frozen(processes)
    }

    fn control(&self, arguments: &[&str]) {
        let mut control = self.command("pg_ctl");
        control.args(["-D", "data", "-w", "-t", "60", "-s"]).args(arguments);
        // The server keeps what it inherits, so nobody waits for the end of a pipe.
        let done = control.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("pg_ctl starts");
        let log = || fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        assert!(done.success() || std::thread::panicking(), "pg_ctl {arguments:?}: {}", log());
    }

    /// A new, empty database: its name and its address.
    pub fn database(&self) -> (String, String) {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::SeqCst));
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        let address = self.address(&name);
        (name, address)
    }

    /// The address of a database.
    pub fn address(&self, database: &str) -> String {
        let socket = self.folder.path().to_str().expect("UTF-8").replace('/', "%2F");
        format!("postgres://postgres@{socket}/{database}")
    }

    /// Runs statements, and returns what they print.
    #[track_caller]
    pub fn sql(&self, database: &str, statements: &str) -> String {
        let mut psql = self.command("psql");
        psql.args(["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-h"])
            .arg(self.folder.path());
        let output = psql.args(["-d", database, "-c", statements]).output().expect("psql starts");
        assert!(output.status.success(), "{statements}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    }
}

/// The processes of a server that are stopped.
pub struct Frozen(Vec<Pid>);

impl Drop for Frozen {
    fn drop(&mut self) {
        for process in &self.0 {
            let _ = kill_process(*process, Signal::CONT);
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if self.folder.path().join("data/postmaster.pid").exists() {
            self.end();
        }
    }
}

/// The user and group of a server that root starts, because PostgreSQL refuses root.
fn unprivileged() -> (u32, u32) {
    let accounts = fs::read_to_string("/etc/passwd").expect("accounts");
    let of = |name: &str| {
        let line = accounts.lines().find(|line| line.starts_with(&format!("{name}:")))?;
        let fields: Vec<_> = line.split(':').collect();
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    };
    of("postgres").or_else(|| of("nobody")).expect("a user without rights")
}

/// The path of a program. Debian has those of the server outside of PATH.
fn installed(program: &str) -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<_> = versions.map(|entry| entry.path().join("bin").join(program)).collect();
    found.retain(|path| path.exists());
    found.sort();
    found.pop().unwrap_or_else(|| {
        let folders =
            ["/usr/bin", "/usr/sbin", "/usr/local/bin"].map(|folder| Path::new(folder).join(program));
        let found = folders.into_iter().find(|path| path.exists());
        found.unwrap_or_else(|| panic!("install {program} (Debian: postgresql and pgbouncer)"))
    })
}
