//! What one person may use.

/// The limits for each person, whichever tokens and sessions they use (`limits.…_per_person`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quotas {
    /// Submissions and promotions that wait for review.
    pub pending: usize,
    /// Bytes of the packages that wait for review, or were replaced or rejected in the last
    /// day: those are still stored.
    pub pending_bytes: u64,
    /// Tokens that have not ended.
    pub tokens: usize,
}

impl Quotas {
    /// No limits, for commands on this machine.
    pub const UNLIMITED: Self = Self { pending: usize::MAX, pending_bytes: u64::MAX, tokens: usize::MAX };
}

impl Default for Quotas {
    fn default() -> Self {
        Self { pending: 20, pending_bytes: 1 << 30, tokens: 50 }
    }
}
