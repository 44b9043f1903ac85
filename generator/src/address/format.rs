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
    /// A page.
    Html,
    /// How pages look.
    Css,
    /// What pages do.
    JavaScript,
    /// A picture.
    Svg,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Json, Self::Zip, Self::Binary, Self::Html, Self::Css, Self::JavaScript, Self::Svg];

    /// The suffix of its files.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Json => ".json",
            Self::Zip => ".zip",
            Self::Binary => ".bin",
            Self::Html => ".html",
            Self::Css => ".css",
            Self::JavaScript => ".js",
            Self::Svg => ".svg",
        }
    }

    /// The one that a file has, by its name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| name.ends_with(format.suffix()))
    }

    /// Whether it is text, which compression makes much smaller.
    pub fn is_text(self) -> bool {
        match self {
            Self::Json | Self::Html | Self::Css | Self::JavaScript | Self::Svg => true,
            Self::Zip | Self::Binary => false,
        }
    }

    /// Its media type; with its encoding, where browsers would guess at that.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Zip => "application/zip",
            Self::Binary => "application/octet-stream",
            Self::Html => "text/html; charset=utf-8",
            Self::Css => "text/css; charset=utf-8",
            Self::JavaScript => "text/javascript; charset=utf-8",
            Self::Svg => "image/svg+xml",
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
