//! What files are, and how long copies of them may be used.

/// What a file is, which is also its suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JSON document.
    Json,
    /// A package.
    Zip,
    /// A part of the search index.
    Binary,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Json, Self::Zip, Self::Binary];

    /// The suffix of its files.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Json => ".json",
            Self::Zip => ".zip",
            Self::Binary => ".bin",
        }
    }

    /// Its media type.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Zip => "application/zip",
            Self::Binary => "application/octet-stream",
        }
    }
}

/// How long a copy of a document may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// The bytes at this address never change.
    Immutable,
    /// They may change at any time.
    Short,
}
