//! Looks for a package of 1 MiB whose reading takes longer than a second.
#![no_main]

use rustix::time::{ClockId, clock_gettime};

/// Milliseconds of the processor. Other processes do not count.
fn spent() -> i64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let started = spent();
    properties::cost::hold(bytes, 1 << 20);
    assert!(spent() - started < 1_000, "it took {} ms", spent() - started);
});
