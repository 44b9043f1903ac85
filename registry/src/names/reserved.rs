//! Words that no name may be.

/// Device names of Windows, with or without an extension: a file of that name
/// cannot be made there. ("Naming Files, Paths, and Namespaces", Win32 docs.)
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

/// Namespaces that would collide with a path of the site or mislead a reader.
/// `global` is not among them: it is a namespace, but nobody can make it.
pub(super) const NAMESPACES: &[&str] = &[
    "about",
    "admin",
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

/// Last dot-separated pieces of a version or tag that would make its document
/// share a file with another one, or with a sibling the host adds.
const SUFFIXES: &[&str] = &["json", "xml", "zip", "html", "gz", "br", "zst", "tmp", "minisig"];

/// Whether `text` ends in a piece that the tree uses as a file suffix.
pub(super) fn ends_in_file_suffix(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    SUFFIXES.iter().any(|suffix| last.eq_ignore_ascii_case(suffix))
}
