//! How much a package may hold.

/// Bounds for one package, enforced while strictness: what a header claims is
/// never trusted. `Default` has the wire contract's numbers ("Packages").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all files together, unpacked: 100 MiB.
    pub unpacked: u64,
    /// Bytes of one file, unpacked: 10 MiB.
    pub file: u64,
    /// Number of files, junk and folders not counted: 1,000.
    pub files: usize,
    /// Number of archive entries, junk and folders counted: 100,000. It bounds
    /// the work that an archive of nothing but junk can cause.
    pub entries: usize,
    /// Unpacked bytes for each packed byte: 200. It holds for the archive as a
    /// whole and for each entry of more than 1 MiB.
    pub ratio: u64,
    /// Bytes of the front matter between its fences: 64 KiB.
    pub front_matter: usize,
    /// Levels of lists and maps in the front matter: 16.
    pub depth: usize,
    /// Values in the front matter, keys counted: 10,000.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            unpacked: 100 << 20,
            file: 10 << 20,
            files: 1_000,
            entries: 100_000,
            ratio: 200,
            front_matter: 64 << 10,
            depth: 16,
            nodes: 10_000,
        }
    }
}

/// Bytes as a person reads them: whole MiB or KiB where they are whole.
pub(super) fn shown_size(bytes: u64) -> String {
    match bytes {
        b if b > 0 && b % (1 << 20) == 0 => format!("{} MiB", b >> 20),
        b if b > 0 && b % (1 << 10) == 0 => format!("{} KiB", b >> 10),
        b => format!("{b} bytes"),
    }
}
