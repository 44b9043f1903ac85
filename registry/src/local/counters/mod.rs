//! The counters that documents show.

pub(super) mod adopted;
pub(super) mod published;
