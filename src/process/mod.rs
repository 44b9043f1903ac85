//! The process itself: its log, signals, and programs that it starts.

#[cfg(feature = "operator")]
pub mod foreign;
#[cfg(feature = "operator")]
pub mod interrupt;
pub mod log;
#[cfg(feature = "operator")]
pub mod long_running;
#[cfg(feature = "operator")]
pub mod readings;
#[cfg(feature = "operator")]
pub mod supervisor;
