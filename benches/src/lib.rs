//! The benchmarks: worlds to measure in, the real program to measure, and a
//! table of ratios. `benches/run` is the command, `docs/benchmarks.md` says
//! what each row means.

pub mod bucket;
pub mod build_time;
pub mod command;
pub mod cost;
pub mod effort;
pub mod first_visit;
pub mod generation;
pub mod http;
pub mod install;
pub mod machine;
pub mod mirrors;
pub mod mixed_writes;
pub mod numbers;
pub mod part;
pub mod process;
pub mod program;
pub mod publish;
pub mod reads;
pub mod record;
pub mod request;
pub mod search;
pub mod start;
pub mod storage;
pub mod table;
pub mod timed;
pub mod world;

/// Why a measurement failed, as a sentence.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
