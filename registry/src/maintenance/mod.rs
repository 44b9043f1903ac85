//! Maintenance: checks, backups, restores and garbage collection.

mod backup;
mod check;
mod gc;
mod redact;

pub use backup::{BackupSummary, LocalData, RestoreOutcome, RestoreSummary, back_up, restore};
pub use check::{CheckReport, Fault, check};
pub use gc::GcReport;
pub use redact::{RedactionError, RedactionPlan, RedactionSummary, RedactionTarget, check_reason, redact};

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    pub mod scenario;
}
