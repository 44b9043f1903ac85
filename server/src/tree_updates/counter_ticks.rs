//! When to publish counters.

use std::time::{Duration, Instant};

/// How many intervals a stream of writes can delay counters.
const MAX_DELAY: u32 = 12;

/// How often counters are published, and of how many skills at once.
#[derive(Debug, Clone, Copy)]
pub struct CounterTicks {
    /// The time between two ticks.
    pub interval: Duration,
    /// The number of skills in a tick.
    pub batch: usize,
}

/// Knows when the next tick is due.
pub(super) struct CounterTimer {
    ticks: CounterTicks,
    last: Instant,
}

impl CounterTimer {
    pub(super) fn new(ticks: CounterTicks, now: Instant) -> Self {
        Self { ticks, last: now }
    }

    pub(super) fn batch(&self) -> usize {
        self.ticks.batch
    }

    /// Whether a tick is due; if so, starts the next interval. A write that waits
    /// for the tree delays a tick, up to [`MAX_DELAY`] intervals.
    pub(super) fn is_due(&mut self, now: Instant, write_waits: bool) -> bool {
        let intervals = if write_waits { MAX_DELAY } else { 1 };
        let is_due = now.duration_since(self.last) >= self.ticks.interval * intervals;
        if is_due {
            self.last = now;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_write_delays_a_tick_but_not_forever() {
        let ticks = CounterTicks { interval: Duration::from_secs(5), batch: 50 };
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut timer = CounterTimer::new(ticks, start);
        assert!(!timer.is_due(after(4), false));
        assert!(!timer.is_due(after(30), true));
        assert!(timer.is_due(after(31), false));
        assert!(!timer.is_due(after(35), false));
        assert!(timer.is_due(after(91), true));
    }
}
