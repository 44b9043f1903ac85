//! What an operation decides.

use crate::private::PrivateChange;
use crate::public::{PublicChange, PublicRecord};

/// The changes an operation decided on, and its reply. All changes become one journal
/// row. Without changes no row is written.
#[derive(Debug)]
pub struct Decision<R> {
    /// The changes that stay in this registry.
    pub private: Vec<PrivateChange>,
    /// The change that everyone can see.
    pub public: Option<PublicRecord>,
    /// The answer to the caller.
    pub reply: R,
}

impl<R> Decision<R> {
    /// Decides to write nothing.
    pub fn nothing(reply: R) -> Self {
        Self { private: Vec::new(), public: None, reply }
    }

    /// Decides on one private change.
    pub fn private(change: PrivateChange, reply: R) -> Self {
        Self { private: vec![change], public: None, reply }
    }

    /// Decides on one public change.
    pub fn public(change: PublicChange, reply: R) -> Self {
        Self { private: Vec::new(), public: Some(change.into()), reply }
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.private.is_empty() && self.public.is_none()
    }
}
