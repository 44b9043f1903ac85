//! A registry that several tests share.

use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A value that tests share while any of them runs. The tests own it, so that its server ends with
/// the last of them. A static alone is never dropped, which would leave the process running.
pub struct Shared<T>(Mutex<Weak<T>>);

impl<T> Shared<T> {
    pub const fn new() -> Self {
        Self(Mutex::new(Weak::new()))
    }

    /// The shared value. `make` creates it if no test holds it.
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
