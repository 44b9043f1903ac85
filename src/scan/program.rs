//! Running the program of a scanner: with nothing of this process, in bounded time and size.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::answer::line;

/// Whether this process is ending: then programs are killed, and no new ones start.
pub(super) static STOPPING: AtomicBool = AtomicBool::new(false);

/// Ends running programs soon, and lets no further ones start.
pub fn stop() {
    STOPPING.store(true, Ordering::Relaxed);
}

/// The pause between two looks at a program.
const INTERVAL: Duration = Duration::from_millis(20);

/// How long the output may stay open after the program and its group have ended.
const REST_TIMEOUT: Duration = Duration::from_secs(1);

/// The bytes of standard error that are kept for the log.
const MAX_SAID: usize = 2048;

/// What a program printed, and how it ended.
pub(super) struct Printed {
    pub(super) status: ExitStatus,
    pub(super) output: Vec<u8>,
    errors: Option<Vec<u8>>,
}

impl Printed {
    /// The end of what it wrote to standard error, for messages.
    pub(super) fn said(&self) -> String {
        let text = String::from_utf8_lossy(self.errors.as_deref().unwrap_or_default()).into_owned();
        let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        if last.is_empty() { String::new() } else { format!(": {}", line(last, 300)) }
    }
}

/// Runs a program without the variables of this process, in `home`. When it ends or takes too long, its group is killed:
/// nothing that it has started stays, unless it left the group.
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
    let mut child = command.spawn().map_err(|why| format!("cannot be started ({why})"))?;
    let printed = wait(&mut child, most, timeout);
    // It has not been waited for, so its number belongs to nobody else yet.
    let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
    let status = child.wait().map_err(|why| why.to_string())?;
    let (output, errors) = printed?;
    let output = match output.recv_timeout(REST_TIMEOUT) {
        Ok(output) => output,
        Err(_) => return Err("has left a process that keeps its output open".into()),
    };
    if output.len() as u64 > most {
        return Err(too_long(most));
    }
    Ok(Printed { status, output, errors: errors.recv_timeout(REST_TIMEOUT).ok() })
}

type Outputs = (Receiver<Vec<u8>>, Receiver<Vec<u8>>);

/// Waits until the program has ended, but does not reap it.
fn wait(child: &mut Child, most: u64, timeout: Duration) -> Result<Outputs, String> {
    let begun = Instant::now();
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
                last.drain(..last.len().saturating_sub(MAX_SAID));
            }
            let _ = sender.send(last);
        });
    }
    let pid = Pid::from_child(child);
    loop {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(pid), options) {
            Ok(Some(_)) => return Ok((output, errors)),
            Ok(None) => {}
            Err(why) => return Err(why.to_string()),
        }
        if STOPPING.load(Ordering::Relaxed) {
            return Err("was stopped with the server".into());
        }
        if begun.elapsed() >= timeout {
            return Err(format!("takes longer than {} seconds", timeout.as_secs()));
        }
        match is_full.recv_timeout(INTERVAL) {
            Ok(()) => return Err(too_long(most)),
            // The output may end long before the program does.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(INTERVAL),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn too_long(most: u64) -> String {
    format!("has printed more than {most} bytes")
}
