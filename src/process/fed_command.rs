//! Commands of the settings: they read an input, and have to succeed in time.

use std::io::Write;
use std::process::Child;
use std::time::{Duration, Instant};

/// The pause between two looks at a command.
const END_INTERVAL: Duration = Duration::from_millis(5);

/// Gives a command its input. Does not wait until the command has read it.
pub fn feed(child: &mut Child, input: String) {
    if let Some(mut stdin) = child.stdin.take() {
        // It may end without reading everything.
        std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    }
}

/// Waits until a command that was started at `begun` has succeeded, at most for `timeout` since then. The error follows
/// its name.
pub fn await_success(child: &mut Child, begun: Instant, timeout: Duration) -> Result<(), String> {
    loop {
        match child.try_wait().map_err(|why| why.to_string())? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(format!("has failed ({status})")),
            None if begun.elapsed() >= timeout => return Err(late(timeout)),
            None => std::thread::sleep(END_INTERVAL),
        }
    }
}

/// Says that a command is too slow, after its name.
pub fn late(timeout: Duration) -> String {
    format!("takes longer than {} seconds", timeout.as_secs())
}

/// Ends a command that has failed or takes too long.
pub fn end(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill().and_then(|()| child.wait());
}
