//! Running the program of a scanner: with nothing of this process, in bounded time and size.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::answer::line;
use crate::process::foreign::finish;

/// Whether this process is ending: then programs are killed, and no new ones start.
pub(super) static STOPPING: AtomicBool = AtomicBool::new(false);

/// Ends running programs soon, and lets no further ones start.
pub fn stop() {
    STOPPING.store(true, Ordering::Relaxed);
}

/// What a program printed, and how it ended.
pub(super) struct Printed {
    status: ExitStatus,
    pub(super) output: Vec<u8>,
    errors: Vec<u8>,
}

impl Printed {
    /// The code with which it ended, if it is one of `expected`.
    ///
    /// Fails for any other code, or if a signal ended the program. The error ends with what it wrote last to standard error.
    pub(super) fn code(&self, expected: &[i32]) -> Result<i32, String> {
        if let Some(code) = self.status.code().filter(|code| expected.contains(code)) {
            return Ok(code);
        }
        let text = String::from_utf8_lossy(&self.errors);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        let said = last.map(|last| format!(": {}", line(last, 300))).unwrap_or_default();
        Err(format!("has failed ({}){said}", self.status))
    }
}

/// Runs a program without the variables of this process, in `home`. The error follows the name of the program.
pub(super) fn run(words: &[String], home: &Path, most: u64, timeout: Duration) -> Result<Printed, String> {
    let (program, arguments) = words.split_first().ok_or("has no command")?;
    let mut command = Command::new(program);
    command.args(arguments).env_clear().current_dir(home);
    // A relative program is found where this process would find it.
    for name in ["PATH", "LANG", "TZ"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    command.env("HOME", home).env("TMPDIR", home).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|why| format!("cannot be started ({why})"))?;
    let begun = Instant::now();
    let printed = finish(child, "", most, || {
        if STOPPING.load(Ordering::Relaxed) {
            return Err("was stopped with the server".to_owned());
        }
        match begun.elapsed() >= timeout {
            true => Err(format!("takes longer than {} seconds", timeout.as_secs())),
            false => Ok(()),
        }
    })?;
    let output = printed.output.ok_or("has left a process that keeps its output open")?;
    if output.len() as u64 > most {
        return Err(format!("has printed more than {most} bytes"));
    }
    Ok(Printed { status: printed.status, output, errors: printed.errors })
}
