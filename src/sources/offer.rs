//! A skill as a source offers it.

use registry::names::Digest;
use url::Url;

/// A skill that a source has, before it is read.
pub struct Offer {
    /// Its name or folder in the source.
    pub id: String,
    /// The name for a package that does not contain its own.
    pub name: String,
    /// The version that the source says.
    pub version: Option<String>,
    /// Whether that version counts more than the one in the package.
    pub is_version_firm: bool,
    /// The digest of the bytes at its address, as the source says.
    pub digest: Option<Digest>,
    /// Where it is, for everybody to see.
    pub address: String,
    /// The commit, if it is from a git repository.
    pub commit: Option<String>,
    /// How it is read. The error is why it cannot be taken.
    pub content: Result<Content, String>,
}

/// How a skill is read.
pub enum Content {
    /// A zip.
    Archive(Url),
    /// The only file, SKILL.md.
    SkillMd(Url),
    /// Files with their paths, SKILL.md first.
    Files(Vec<(String, Url)>),
    /// Blobs of a git repository.
    Blobs(Vec<Blob>),
}

/// A file of a git repository.
pub struct Blob {
    /// The path in the folder of the skill.
    pub path: String,
    /// Whether it is executable.
    pub executable: bool,
    /// The name of the object.
    pub object: String,
    /// The size in bytes.
    pub size: u64,
}

impl Offer {
    /// An offer that is read over HTTP.
    pub fn of(name: &str, address: String, content: Result<Content, String>) -> Self {
        Self {
            id: name.to_owned(),
            name: name.to_owned(),
            version: None,
            is_version_firm: false,
            digest: None,
            address,
            commit: None,
            content,
        }
    }
}
