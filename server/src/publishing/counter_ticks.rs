//! When counters are published.

use std::time::{Duration, Instant};

/// How many ticks a stream of writes holds one up at most.
const PATIENCE: u32 = 12;

/// How often counters are published, and how many.
#[derive(Debug, Clone, Copy)]
pub struct CounterTicks {
    /// From one time to the next.
    pub interval: Duration,
    /// How many skills at a time.
    pub batch: usize,
}

/// When the next tick is due.
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

    /// Whether one is due now, which begins the wait for the next. It gives way
    /// to a write that waits for the tree, but not for ever.
    pub(super) fn is_due(&mut self, now: Instant, someone_waits: bool) -> bool {
        let patience = if someone_waits { PATIENCE } else { 1 };
        let is_due = now.duration_since(self.last) >= self.ticks.interval * patience;
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
    fn a_tick_gives_way_to_writes_for_a_while() {
        let ticks = CounterTicks { interval: Duration::from_secs(5), batch: 50 };
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut ticking = CounterTimer::new(ticks, start);
        assert!(!ticking.is_due(after(4), false));
        assert!(!ticking.is_due(after(30), true));
        assert!(ticking.is_due(after(31), false));
        assert!(!ticking.is_due(after(35), false));
        assert!(ticking.is_due(after(91), true));
    }
}
