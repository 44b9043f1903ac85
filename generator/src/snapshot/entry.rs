//! A file in a snapshot.

use std::cmp::Ordering;

use crate::address::Document;

/// A file of the tree in a snapshot.
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

    /// Compares the places of two files.
    pub fn order(&self, other: &Self) -> Ordering {
        order((&self.document, &self.path), (&other.document, &other.path))
    }
}

/// The order of files, each with its document: first the order of writing, then that of the segments
/// of their paths, which a sorted walk over folders has.
pub fn order(a: (&Document, &str), b: (&Document, &str)) -> Ordering {
    a.0.rank().cmp(&b.0.rank()).then_with(|| a.1.split('/').cmp(b.1.split('/')))
}
