//! What keeps a registry over the years: its journal and packages are checked,
//! and packages that nothing names any more are removed.

mod backup;
mod check;
mod gc;

pub use backup::{BackupSummary, RestoreOutcome, back_up, restore};
pub use check::{CheckReport, Fault, check};
pub use gc::{GcReport, Outcome};

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    pub mod scenario;
}
