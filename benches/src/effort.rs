//! How thorough a run is.

/// How thorough a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// The numbers for the record.
    Full,
    /// A tenth of the skills and of the repetitions: to see whether it works,
    /// and which way a change goes.
    Quick,
}

impl Effort {
    /// That many in a full run, a tenth of it in a quick one.
    pub fn of(self, full: usize) -> usize {
        match self {
            Self::Full => full,
            Self::Quick => full.div_ceil(10),
        }
    }
}
