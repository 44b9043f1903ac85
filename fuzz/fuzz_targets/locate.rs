//! Looks for an input for which `properties::locate` does not hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::locate::hold(bytes));
