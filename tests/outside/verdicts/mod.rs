//! Verdicts: the registry's own rules, scanners that answer and that misbehave, and who learns what.

mod own_rules;
mod scanners;
