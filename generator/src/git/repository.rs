//! The repository of a skill, and the two responses that a clone needs.

use std::collections::HashSet;
use std::io::{self, Read};

use registry::journal::PublicStore;
use registry::names::{Digest, Version};
use registry::package::packed_files;
use registry::public::{Skill, VersionEntry};

use super::object::{Kind, Object, ObjectId, adler32};
use super::pack;
use super::pkt_line::{FLUSH, NAK, SideBand, pkt_line};
use super::tree_builder::TreeBuilder;
use crate::address::GitFile;
use crate::blobs::open_blob;

/// What the server can do. Without `agent`, clients do not say which version they are.
const CAPABILITIES: &str = "shallow side-band-64k no-progress symref=HEAD:refs/heads/main object-format=sha1";

/// The largest version that has a repository: more would need too much memory. Larger than
/// what `limits.package_*` allows by default.
const MAX_UNPACKED_BYTES: u64 = 512 << 20;

/// The most files of a version that has a repository.
const MAX_FILES: u64 = 10_000;

/// The repository of a skill's latest version, except for what is in the package.
#[derive(Debug, Clone)]
pub struct Repository {
    /// The digest of the package.
    pub sha256: Digest,
    /// Bytes of the package. The pack is about as large.
    pub package_size: u64,
    files: u64,
    unpacked: u64,
    /// The end of the commit: who and when, and the message.
    signature: String,
    version: Version,
}

impl Repository {
    /// The repository of a version. `None` if it is too large.
    pub(crate) fn of(skill: &Skill, entry: &VersionEntry) -> Option<Self> {
        if !Self::is_possible(entry) {
            return None;
        }
        let (by, at) = (&entry.published_by, entry.published_at.as_unix().max(0));
        let person = format!("{by} <{by}> {at} +0000");
        let message = format!("{} {}", skill.coordinate.slug, entry.version);
        Some(Self {
            sha256: entry.sha256,
            package_size: entry.package_size,
            files: entry.file_count,
            unpacked: entry.unpacked_size,
            signature: format!("author {person}\ncommitter {person}\n\n{message}\n"),
            version: entry.version.clone(),
        })
    }

    /// Whether a version can be a repository.
    pub(crate) fn is_possible(entry: &VersionEntry) -> bool {
        entry.unpacked_size <= MAX_UNPACKED_BYTES && entry.file_count <= MAX_FILES
    }

    /// Names the pack: repositories with equal keys have equal packs.
    pub fn key(&self) -> Digest {
        Digest::of(format!("{}\n{}", self.sha256, self.signature).as_bytes())
    }

    /// A file of the repository.
    ///
    /// Errors: the package is missing or cannot be read.
    pub fn render(&self, file: GitFile, store: &dyn PublicStore) -> io::Result<Vec<u8>> {
        match file {
            GitFile::Refs => Ok(self.refs(self.commit(self.tree(store)?))),
            GitFile::Pack => self.pack(store),
        }
    }

    /// The id of the tree with the files, which depends on the package alone.
    ///
    /// Errors: the package is missing or cannot be read.
    pub fn tree(&self, store: &dyn PublicStore) -> io::Result<ObjectId> {
        self.tree_of(&self.package(store)?)
    }

    fn tree_of(&self, package: &[u8]) -> io::Result<ObjectId> {
        let mut trees = TreeBuilder::new();
        packed_files(package, self.files, self.unpacked, |file| {
            trees.add(file.path, file.executable, Kind::Blob.id(file.content));
        })?;
        Ok(trees.finish().0)
    }

    /// The id of the commit with this tree.
    pub fn commit(&self, tree: ObjectId) -> ObjectId {
        Kind::Commit.id(self.commit_text(tree).as_bytes())
    }

    /// The response that lists the refs: the branch, and the tag of the version.
    pub fn refs(&self, commit: ObjectId) -> Vec<u8> {
        let mut response = pkt_line("# service=git-upload-pack\n");
        response.extend_from_slice(FLUSH);
        response.extend(pkt_line(&format!("{commit} HEAD\0{CAPABILITIES}\n")));
        response.extend(pkt_line(&format!("{commit} refs/heads/main\n")));
        // No ref may end like that (git-check-ref-format(1)).
        let version = self.version.to_string();
        if !version.ends_with(".lock") {
            response.extend(pkt_line(&format!("{commit} refs/tags/{version}\n")));
        }
        response.extend_from_slice(FLUSH);
        response
    }

    /// The commit in a response that lists refs.
    pub fn commit_of(refs: &[u8]) -> Option<ObjectId> {
        let after = pkt_line("# service=git-upload-pack\n").len() + FLUSH.len() + "0000".len();
        str::from_utf8(refs.get(after..after + 40)?).ok()?.parse().ok()
    }

    /// The response with the pack, for a client that has nothing.
    ///
    /// Errors: the package is missing or cannot be read.
    pub fn pack(&self, store: &dyn PublicStore) -> io::Result<Vec<u8>> {
        self.pack_of(&self.package(store)?)
    }

    fn pack_of(&self, package: &[u8]) -> io::Result<Vec<u8>> {
        let (mut trees, mut known, mut blobs) = (TreeBuilder::new(), HashSet::new(), Vec::new());
        packed_files(package, self.files, self.unpacked, |file| {
            let id = Kind::Blob.id(file.content);
            trees.add(file.path, file.executable, id);
            if known.insert(id) {
                let (size, adler) = (file.content.len(), adler32(file.content));
                blobs.push(Object { kind: Kind::Blob, size, adler, data: file.packed });
            }
        })?;
        let (root, trees) = trees.finish();
        let commit = self.commit_text(root);
        let mut objects = vec![Object::stored(Kind::Commit, commit.as_bytes())];
        objects.extend(trees.values().map(|tree| Object::stored(Kind::Tree, tree)));
        objects.extend(blobs);
        let mut response = Vec::with_capacity(package.len() + package.len() / 64 + 1024);
        response.extend_from_slice(NAK);
        pack::write(&objects, SideBand::new(&mut response));
        Ok(response)
    }

    fn commit_text(&self, tree: ObjectId) -> String {
        format!("tree {tree}\n{}", self.signature)
    }

    fn package(&self, store: &dyn PublicStore) -> io::Result<Vec<u8>> {
        let blob = open_blob(store, self.sha256)?;
        let mut package = Vec::with_capacity(usize::try_from(self.package_size).unwrap_or_default());
        blob.take(self.package_size).read_to_end(&mut package)?;
        Ok(package)
    }
}

#[cfg(test)]
mod tests;
