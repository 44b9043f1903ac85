//! Commands of the settings and of saved credentials: they may read an input, and have to succeed in time.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The pause between two looks at a command.
const END_INTERVAL: Duration = Duration::from_millis(5);

/// Runs a command with an input, and returns what it prints on standard output. It must print at most `most` bytes,
/// and succeed before the timeout. The error follows its name.
pub fn output(command: &mut Command, input: &str, most: u64, timeout: Duration) -> Result<Vec<u8>, String> {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|why| format!("cannot be started ({why})"))?;
    let printed = output_of(&mut child, input, most, timeout);
    if printed.is_err() {
        end(&mut child);
    }
    printed
}

fn output_of(child: &mut Child, input: &str, most: u64, timeout: Duration) -> Result<Vec<u8>, String> {
    let begun = Instant::now();
    feed(child, input.to_owned());
    let (sender, printed) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut output = Vec::new();
            let read = stdout.take(most + 1).read_to_end(&mut output);
            // Nobody waits any more after the deadline.
            let _ = sender.send(read.map(|_| output));
        });
    }
    let printed = printed.recv_timeout(timeout).map_err(|_| late(timeout))?;
    let printed = printed.map_err(|why| format!("cannot be read ({why})"))?;
    if printed.len() as u64 > most {
        return Err(format!("has printed more than {most} bytes"));
    }
    await_success(child, begun, timeout)?;
    Ok(printed)
}

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
fn late(timeout: Duration) -> String {
    format!("takes longer than {} seconds", timeout.as_secs())
}

/// Ends a command that has failed or takes too long.
pub fn end(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill().and_then(|()| child.wait());
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn output_is_bounded_in_time_and_size() {
        let run = |arguments: &[&str]| {
            let mut command = Command::new(arguments[0]);
            output(command.args(&arguments[1..]), "input", 5, Duration::from_millis(500))
        };
        assert_eq!(run(&["cat"]).unwrap(), b"input");
        for (arguments, expected) in [
            (&["sleep", "60"][..], "takes longer"),
            (&["yes"], "more than 5 bytes"),
            (&["false"], "has failed"),
            (&["no-such-program-"], "cannot be started"),
        ] {
            let why = run(arguments).unwrap_err();
            assert!(why.contains(expected), "{arguments:?}: {why}");
        }
    }
}
