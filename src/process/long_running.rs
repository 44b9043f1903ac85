//! Signals to long-running commands.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a signal asks of a process that goes on running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hangup {
    /// SIGHUP: read the settings again, and compare every file of the tree.
    Reload,
    /// SIGUSR1: open logs again, because they were renamed.
    ReopenLogs,
}

/// Every SIGHUP and SIGUSR1 from now on. Make it first: without it the signals end the process, and
/// `verify` tells people to send one, also during a long start.
pub struct Hangups {
    reload: Signal,
    reopen: Signal,
}

impl Hangups {
    /// Begins to take the signals. Errors: the system refuses.
    pub fn new() -> io::Result<Self> {
        Ok(Self { reload: signal(SignalKind::hangup())?, reopen: signal(SignalKind::user_defined1())? })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) -> Hangup {
        tokio::select! {
            _ = self.reload.recv() => Hangup::Reload,
            _ = self.reopen.recv() => Hangup::ReopenLogs,
        }
    }

    /// Calls `repair` for each SIGHUP, for a command that has no other use for signals. Never returns.
    pub async fn repair(mut self, mut repair: impl FnMut()) {
        loop {
            if self.next().await == Hangup::Reload {
                repair();
            }
        }
    }
}

/// Waits for SIGTERM or SIGINT. Call it first, so that no signal during a long start is lost.
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
