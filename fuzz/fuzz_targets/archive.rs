//! Looks for an input for which `properties::archive` does not hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::archive::hold(bytes));
