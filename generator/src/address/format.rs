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
    /// A Markdown document.
    Markdown,
    /// A text.
    Text,
    /// An XML document.
    Xml,
    /// An Atom feed.
    Atom,
    /// A style sheet.
    Css,
    /// A script.
    JavaScript,
    /// An icon.
    Svg,
    /// A logo.
    Png,
    /// A tile of the transparency log.
    Tile,
    /// A signed note.
    Note,
    /// The refs of a git repository.
    GitRefs,
    /// The pack of a git repository.
    GitPack,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 16] = [
        Self::Json,
        Self::Zip,
        Self::Binary,
        Self::Html,
        Self::Markdown,
        Self::Text,
        Self::Xml,
        Self::Atom,
        Self::Css,
        Self::JavaScript,
        Self::Svg,
        Self::Png,
        Self::Tile,
        Self::Note,
        Self::GitRefs,
        Self::GitPack,
    ];

    /// The suffix of its files, and the media type. Text formats name their encoding, because
    /// browsers would guess it.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => (".json", "application/json"),
            Self::Zip => (".zip", "application/zip"),
            Self::Binary => (".bin", "application/octet-stream"),
            Self::Html => (".html", "text/html; charset=utf-8"),
            Self::Markdown => (".md", "text/markdown; charset=utf-8"),
            Self::Text => (".txt", "text/plain; charset=utf-8"),
            Self::Xml => (".xml", "application/xml"),
            Self::Atom => (".atom", "application/atom+xml"),
            Self::Css => (".css", "text/css; charset=utf-8"),
            Self::JavaScript => (".js", "text/javascript; charset=utf-8"),
            Self::Svg => (".svg", "image/svg+xml"),
            Self::Png => (".png", "image/png"),
            // C2SP tlog-tiles names these files.
            Self::Tile => ("", "application/octet-stream"),
            Self::Note => ("", "text/plain; charset=utf-8"),
            // git names these files.
            Self::GitRefs => ("", "application/x-git-upload-pack-advertisement"),
            Self::GitPack => ("", "application/x-git-upload-pack-result"),
        }
    }

    /// The suffix of its files, with the dot. Empty for files of the log and of git.
    pub fn suffix(self) -> &'static str {
        self.names().0
    }

    /// The media type.
    pub fn content_type(self) -> &'static str {
        self.names().1
    }

    /// The format of a file, by its name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let mut formats = Self::ALL.into_iter().filter(|format| !format.suffix().is_empty());
        formats.find(|format| name.ends_with(format.suffix()))
    }

    /// Whether gzip makes it much smaller.
    pub fn is_text(self) -> bool {
        let is_packed = matches!(self, Self::Zip | Self::Binary | Self::Png);
        !(is_packed || matches!(self, Self::Tile | Self::GitRefs | Self::GitPack))
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

impl Lifetime {
    /// The value of `Cache-Control`.
    pub const fn cache_control(self) -> &'static str {
        match self {
            // One year.
            Self::Immutable => "public, max-age=31536000, immutable",
            // Purges of caches fail in practice, so a short life is the only guarantee against old
            // content.
            Self::Short => "public, max-age=60, must-revalidate",
        }
    }

    /// The value of `Cache-Control` in a closed registry: only the reader's own program may store it, and it
    /// validates documents before each use, so that what a credential admitted ends with it.
    pub const fn private_cache_control(self) -> &'static str {
        match self {
            Self::Immutable => "private, max-age=31536000, immutable",
            Self::Short => "private, no-cache",
        }
    }
}

/// The value of `Cache-Control` for a public 404 or 410.
pub const MISSING_CACHE_CONTROL: &str = "public, max-age=10";
