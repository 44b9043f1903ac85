//! Whose turn it is to write a bucket, if something outside of the bucket decides that.

use std::fmt;

/// Gives turns to the servers of a registry. One of them has a turn at a time.
pub trait TurnSource: fmt::Debug + Send + Sync {
    /// The number of this process's turn, if it has one now. Each turn has another number. The first call asks for
    /// a turn, and the process goes on asking until [`TurnSource::end`].
    fn number(&self) -> Option<u64>;

    /// Ends the turn, so that another server gets the next one.
    fn end(&self);
}
