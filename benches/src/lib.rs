//! The benchmarks: worlds to measure in, the real program to measure, and a
//! table of ratios. `benches/run` is the command, `docs/benchmarks.md` says
//! what each row means.

pub mod world;

/// Why a measurement did not happen, as a sentence for whoever runs it.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
