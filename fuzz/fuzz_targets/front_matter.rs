//! Looks for an input for which `properties::front_matter` does not hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::front_matter::hold(bytes));
