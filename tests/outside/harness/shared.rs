//! One registry for several tests that only read it.

use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Something that the tests of one theme share while any of them runs. Held by
/// the tests and not by this, so that the server ends with the last of them: a
/// static is never dropped, and the process would be left behind.
pub struct Shared<T>(Mutex<Weak<T>>);

impl<T> Shared<T> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self(Mutex::new(Weak::new()))
    }

    /// What is shared, made by `make` when nobody holds it.
    #[track_caller]
    pub fn get(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(there) = held.upgrade() {
            return there;
        }
        let made = Arc::new(make());
        *held = Arc::downgrade(&made);
        made
    }
}
