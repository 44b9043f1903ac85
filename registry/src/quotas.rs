//! What one person may use.

/// The limits for each person, whichever tokens and sessions they use (`limits.…_per_person`). Those on
/// skills, versions and namespaces do not hold for platform admins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quotas {
    /// Submissions and promotions that wait for review.
    pub pending: usize,
    /// Bytes of the packages that wait for review, or were replaced or rejected in the last
    /// day: those are still stored.
    pub pending_bytes: u64,
    /// Tokens that have not ended.
    pub tokens: usize,
    /// Skills whose author the person is, removed ones included.
    pub skills: usize,
    /// Versions of a skill.
    pub versions: usize,
    /// Namespaces that the person owns.
    pub namespaces: usize,
}

impl Quotas {
    /// No limits, for commands on this machine.
    pub const UNLIMITED: Self = Self {
        pending: usize::MAX,
        pending_bytes: u64::MAX,
        tokens: usize::MAX,
        skills: usize::MAX,
        versions: usize::MAX,
        namespaces: usize::MAX,
    };
}

impl Default for Quotas {
    fn default() -> Self {
        Self { pending: 20, pending_bytes: 1 << 30, tokens: 50, skills: 1000, versions: 500, namespaces: 50 }
    }
}
