//! A file in a snapshot.

use std::cmp::Ordering;

use crate::address::Document;

/// A file between the first and the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The path in the tree.
    pub path: String,
    /// The document that it belongs to.
    pub document: Document,
    /// What it has.
    pub body: Body,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Bytes of its own.
    Bytes {
        /// The number of bytes.
        size: u64,
    },
    /// The same package as another file.
    Link {
        /// The path of the other file, which came before.
        target: String,
    },
}

impl Entry {
    /// The number of its own bytes.
    pub fn size(&self) -> u64 {
        match self.body {
            Body::Bytes { size } => size,
            Body::Link { .. } => 0,
        }
    }
}

/// The order of files: that of their path's segments. A sorted walk over folders has it.
pub fn order(a: &str, b: &str) -> Ordering {
    a.split('/').cmp(b.split('/'))
}
