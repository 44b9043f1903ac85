//! File formats and cache lifetimes.

/// A file's format, which decides its suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JSON document.
    Json,
    /// A package.
    Zip,
    /// A file of the search index.
    Binary,
    /// An HTML page.
    Html,
    /// A style sheet.
    Css,
    /// A script.
    JavaScript,
    /// An icon.
    Svg,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] =
        [Self::Json, Self::Zip, Self::Binary, Self::Html, Self::Css, Self::JavaScript, Self::Svg];

    /// The suffix of its files, with the dot.
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

    /// The format of a file, by its name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| name.ends_with(format.suffix()))
    }

    /// Whether gzip makes it much smaller.
    pub fn is_text(self) -> bool {
        match self {
            Self::Json | Self::Html | Self::Css | Self::JavaScript | Self::Svg => true,
            Self::Zip | Self::Binary => false,
        }
    }

    /// The media type. Text formats name their encoding, because browsers would guess it.
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

/// How long caches may keep a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// Forever: the bytes at this address never change.
    Immutable,
    /// Briefly: the bytes may change at any time.
    Short,
}
