//! Looks for an input for which `properties::signed_texts` does not hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::signed_texts::hold(bytes));
