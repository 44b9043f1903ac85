//! Looks for an input for which `properties::names` does not hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::names::hold(bytes));
