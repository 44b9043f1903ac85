//! Debian's PostgreSQL, with its defaults.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::Failure;

/// A running server, which ends with its input.
pub struct Database {
    child: Child,
    /// The folder of its socket.
    pub folder: PathBuf,
    /// The folder of its programs.
    pub programs: PathBuf,
}

impl Database {
    /// Starts one in the new folder.
    pub fn start(folder: &Path) -> Result<Self, Failure> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/stores/postgres.py");
        let mut child = Command::new("python3")
            .arg(script)
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("there is no pipe")?).read_line(&mut line)?;
        let programs = Path::new(line.trim_end());
        if !programs.is_dir() {
            return Err("the database did not start: install postgresql".into());
        }
        Ok(Self { child, folder: folder.to_owned(), programs: programs.to_owned() })
    }

    /// Makes an empty database, and returns its address.
    pub fn make(&self, name: &str) -> Result<String, Failure> {
        self.sql("postgres", &format!("CREATE DATABASE {name}"))?;
        let socket = self.folder.to_str().ok_or("the folder is not UTF-8")?.replace('/', "%2F");
        Ok(format!("postgres://postgres@{socket}/{name}"))
    }

    /// Executes a statement.
    pub fn sql(&self, database: &str, statement: &str) -> Result<(), Failure> {
        let mut psql = self.client("psql");
        psql.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", statement]);
        if psql.status()?.success() { Ok(()) } else { Err(format!("it failed: {statement}").into()) }
    }

    /// A client program that connects to the server.
    pub fn client(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.args(["-U", "postgres", "-h"]).arg(&self.folder).stdin(Stdio::null());
        command
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
