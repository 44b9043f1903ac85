//! Runs external programs, with limits on time and output.

use std::io::Read;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use client::fed_command::feed;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Interval at which a running program is checked.
const INTERVAL: Duration = Duration::from_millis(20);

/// How long the output may stay open after the program and its group have ended.
const REST_TIMEOUT: Duration = Duration::from_secs(1);

/// The bytes of standard error that are kept.
const MAX_ERRORS: usize = 16 << 10;

/// How a program ended, and what it printed.
pub struct Printed {
    pub status: ExitStatus,
    /// One byte more than allowed if it prints more. None if a process that has left the group keeps it open.
    pub output: Option<Vec<u8>>,
    /// The end of what it wrote to standard error.
    pub errors: Vec<u8>,
}

/// Writes `input` to a program, and waits until it ends or has printed more than `most` bytes. Then its group, which must
/// be its own, is killed: nothing that it has started stays, unless it left the group. The error is that of `check`, which
/// is asked while it runs.
pub fn finish(
    mut child: Child,
    input: &str,
    most: u64,
    check: impl FnMut() -> Result<(), String>,
) -> Result<Printed, String> {
    feed(&mut child, input.to_owned());
    let (full, is_full) = mpsc::channel();
    let (sender, output) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stdout.take(most + 1).read_to_end(&mut bytes);
            if bytes.len() as u64 > most {
                let _ = full.send(());
            }
            let _ = sender.send(bytes);
        });
    }
    let (sender, errors) = mpsc::channel();
    if let Some(mut stderr) = child.stderr.take() {
        std::thread::spawn(move || {
            let (mut last, mut piece) = (Vec::new(), [0; 1024]);
            while let Ok(length @ 1..) = stderr.read(&mut piece) {
                last.extend_from_slice(piece.get(..length).unwrap_or_default());
                last.drain(..last.len().saturating_sub(MAX_ERRORS));
            }
            let _ = sender.send(last);
        });
    }
    let pid = Pid::from_child(&child);
    let ended = wait(pid, &is_full, check);
    // It is not reaped yet, so its process id cannot have been reused.
    let _ = kill_process_group(pid, Signal::KILL);
    let status = child.wait().map_err(|why| why.to_string())?;
    ended?;
    let output = output.recv_timeout(REST_TIMEOUT).ok();
    Ok(Printed { status, output, errors: errors.recv_timeout(REST_TIMEOUT).unwrap_or_default() })
}

/// Waits until the program has ended or its output is full, but does not reap it.
fn wait(
    pid: Pid,
    is_full: &Receiver<()>,
    mut check: impl FnMut() -> Result<(), String>,
) -> Result<(), String> {
    loop {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if waitid(WaitId::Pid(pid), options).map_err(|why| why.to_string())?.is_some() {
            return Ok(());
        }
        check()?;
        match is_full.recv_timeout(INTERVAL) {
            Ok(()) => return Ok(()),
            // The output may end long before the program does.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(INTERVAL),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
