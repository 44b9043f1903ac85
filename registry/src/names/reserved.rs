//! Reserved words.

/// Whether Windows reserves a name for a device, with or without an extension: no file
/// can have it. (Win32 docs, "Naming Files, Paths, and Namespaces".)
pub(crate) fn is_windows_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ');
    let lower = stem.to_lowercase();
    if matches!(lower.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$") {
        return true;
    }
    let Some(rest) = lower.strip_prefix("com").or_else(|| lower.strip_prefix("lpt")) else {
        return false;
    };
    // Windows reads the superscript digits one to three as digits here.
    matches!(rest, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
}

/// Reserved namespaces: they would collide with a path of the site or mislead readers.
pub(super) const NAMESPACES: &[&str] = &[
    "about",
    "admin",
    "advisories",
    "api",
    "assets",
    "auth",
    "clawhub",
    "cli",
    "docs",
    "download",
    "feed",
    "healthz",
    "help",
    "index",
    "login",
    "mcp",
    "me",
    "mirror",
    "namespaces",
    "new",
    "publish",
    "readyz",
    "reviews",
    "robots",
    "search",
    "settings",
    "sitemap",
    "skills",
    "stars",
    "static",
    "status",
    "tags",
    "tokens",
    "u",
    "user",
    "users",
    "versions",
    "well-known",
];

/// Suffixes that a version or tag may not end in. Its document could get the same file as
/// another document or as a sibling that a static host adds.
const SUFFIXES: &[&str] = &["json", "xml", "zip", "html", "gz", "br", "zst", "tmp", "minisig"];

/// Whether `text` is one of [`SUFFIXES`], or ends in a dot and one of them.
pub(super) fn ends_in_file_suffix(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    SUFFIXES.iter().any(|suffix| last.eq_ignore_ascii_case(suffix))
}
