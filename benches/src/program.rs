//! The real program, which is in the same target folder as this one.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Failure;
use crate::process::peak_memory;
use crate::world::memory::VARIABLE;

/// How often a process is looked at that ends by itself.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Where it is.
pub fn path() -> Result<PathBuf, Failure> {
    let path = std::env::current_exe()?.with_file_name("skillmirror");
    if !path.exists() {
        return Err(format!("{} is not there: use benches/run, which builds it", path.display()).into());
    }
    Ok(path)
}

fn command(arguments: &[&OsStr]) -> Result<Command, Failure> {
    let mut command = Command::new(path()?);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
    // The program is started as usual, except that it need not log its end.
    command.env("RUST_LOG", "warn").env_remove(VARIABLE);
    Ok(command)
}

/// The cost of a finished run.
#[derive(Debug, Clone, Copy)]
pub struct Finished {
    /// From its start to its end.
    pub took: Duration,
    /// The most memory it had, in bytes, as last seen at most 10 ms before its
    /// end.
    pub peak: u64,
}

/// Runs a subcommand to its end.
///
/// Errors: it fails; what it said about that is on standard error.
pub fn run(arguments: &[&OsStr]) -> Result<Finished, Failure> {
    let start = Instant::now();
    let mut child = command(arguments)?.stdout(Stdio::null()).spawn()?;
    let mut peak = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            let took = start.elapsed();
            return if status.success() {
                Ok(Finished { took, peak })
            } else {
                Err(format!("it ended with {status}").into())
            };
        }
        // None of a process that has just ended.
        peak = peak_memory(child.id()).unwrap_or(peak);
        thread::sleep(POLL_INTERVAL);
    }
}

/// A running `serve`, killed when dropped.
pub struct Server {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    /// The time from its start until it listened.
    pub took: Duration,
}

impl Server {
    /// Starts `serve` with these arguments on a free port, and waits until it
    /// says that it listens.
    pub fn start(arguments: &[&OsStr]) -> Result<Self, Failure> {
        Self::start_with(arguments, &[])
    }

    /// Starts `serve` with variables of the environment, too.
    pub fn start_with(arguments: &[&OsStr], variables: &[(&str, &str)]) -> Result<Self, Failure> {
        let mut command = command(&["serve", "--listen", "127.0.0.1:0"].map(OsStr::new))?;
        command.envs(variables.iter().copied());
        let start = Instant::now();
        let mut child = command.args(arguments).spawn()?;
        let output = child.stdout.take().ok_or("there is no pipe")?;
        for line in BufReader::new(output).lines() {
            if let Some(address) = line?.strip_prefix("listening on http://") {
                let took = start.elapsed();
                return Ok(Self { child, address: address.trim_end_matches('/').parse()?, took });
            }
        }
        Err(format!("serve ended before it listened: {}", child.wait()?).into())
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end, and waits until it has: after that nothing of it is busy.
    pub fn stop(mut self) -> Result<(), Failure> {
        kill_process(Pid::from_child(&self.child), Signal::TERM)?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended already, or its measurement has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
