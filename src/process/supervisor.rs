//! Tells the supervisor (systemd, with `Type=notify-reload`) what the process is doing.

use sd_notify::NotifyState;

/// What a process is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It answers requests, or follows its source.
    Ready,
    /// It reads its settings again.
    Reloading,
    /// It finishes what is running.
    Stopping,
}

/// Tells it. Does nothing without a supervisor that listens.
pub fn tell(state: State) {
    let told = match state {
        State::Ready => sd_notify::notify(&[NotifyState::Ready]),
        State::Reloading => NotifyState::monotonic_usec_now()
            .and_then(|now| sd_notify::notify(&[NotifyState::Reloading, now])),
        State::Stopping => sd_notify::notify(&[NotifyState::Stopping]),
    };
    if let Err(why) = told {
        tracing::warn!(%why, "cannot tell the supervisor what this process is doing");
    }
}
