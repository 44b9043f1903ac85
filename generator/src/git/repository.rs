//! A repository of packages, and the two responses that a clone needs.

use std::collections::HashSet;
use std::io::{self, Read};

use registry::journal::PublicStore;
use registry::names::{Digest, Namespace, Slug, Version};
use registry::package::packed_files;
use registry::public::{Skill, VersionEntry};
use registry::time::Timestamp;

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

/// The repository of one or more latest versions, except for what is in their packages.
#[derive(Debug, Clone)]
pub struct Repository {
    /// Files of no package, in the order of their paths, which are before the folders of the packages.
    texts: Vec<(&'static str, Vec<u8>)>,
    /// In the order of their folders.
    packages: Vec<Packed>,
    /// The end of the commit: who and when, and the message.
    signature: String,
    tag: Option<Version>,
}

/// A package of a repository.
#[derive(Debug, Clone)]
struct Packed {
    /// Where its files are: empty, or with a slash at the end.
    folder: String,
    sha256: Digest,
    size: u64,
    files: u64,
    unpacked: u64,
}

impl Packed {
    fn new(folder: String, entry: &VersionEntry) -> Self {
        let VersionEntry { sha256, package_size, file_count, unpacked_size, .. } = *entry;
        Self { folder, sha256, size: package_size, files: file_count, unpacked: unpacked_size }
    }
}

impl Repository {
    /// The repository of a version. `None` if it is too large.
    pub(crate) fn of(skill: &Skill, entry: &VersionEntry) -> Option<Self> {
        if !Self::is_possible([entry]) {
            return None;
        }
        Some(Self {
            texts: Vec::new(),
            packages: vec![Packed::new(String::new(), entry)],
            signature: signature(
                entry.published_by.as_str(),
                entry.published_at,
                &format!("{} {}", skill.coordinate.slug, entry.version),
            ),
            tag: Some(entry.version.clone()),
        })
    }

    /// The repository of skills of a namespace or bundle, each in the folder of a plugin, with these texts before them.
    /// Its time is that of the version published last, or `since` if that is later.
    pub(crate) fn of_skills(
        name: &str,
        by: &Namespace,
        since: Timestamp,
        skills: &[(&Skill, &VersionEntry)],
        texts: Vec<(&'static str, Vec<u8>)>,
    ) -> Self {
        let folder = |slug: &Slug| format!("plugins/{slug}/skills/{slug}/");
        let packed = skills.iter().map(|(skill, entry)| Packed::new(folder(&skill.coordinate.slug), entry));
        let mut packages: Vec<_> = packed.collect();
        packages.sort_by(|a, b| a.folder.cmp(&b.folder));
        let last = skills.iter().max_by_key(|(_, entry)| entry.revision);
        let at = last.map_or(since, |(_, entry)| entry.published_at.max(since));
        let message = last.map_or(String::new(), |(skill, entry)| {
            format!("{name}: {} {}", skill.coordinate.slug, entry.version)
        });
        Self { texts, packages, signature: signature(by.as_str(), at, &message), tag: None }
    }

    /// Whether versions can be a repository together.
    pub(crate) fn is_possible<'a>(entries: impl IntoIterator<Item = &'a VersionEntry>) -> bool {
        let (bytes, files) = entries.into_iter().fold((0u64, 0u64), |(bytes, files), entry| {
            (bytes.saturating_add(entry.unpacked_size), files.saturating_add(entry.file_count))
        });
        bytes <= MAX_UNPACKED_BYTES && files <= MAX_FILES
    }

    /// Names the tree: repositories with equal content have equal trees.
    pub fn content(&self) -> Digest {
        let packages = self.packages.iter().map(|package| format!("{} {}\n", package.sha256, package.folder));
        let texts = self.texts.iter().map(|(path, text)| format!("{} {path}\n", Digest::of(text)));
        Digest::of(packages.chain(texts).collect::<String>().as_bytes())
    }

    /// Names the pack: repositories with equal keys have equal packs.
    pub fn key(&self) -> Digest {
        Digest::of(format!("{}\n{}", self.content(), self.signature).as_bytes())
    }

    /// Bytes of the packages. The pack is about as large.
    pub fn package_size(&self) -> u64 {
        self.packages.iter().map(|package| package.size).sum()
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

    /// The id of the tree with the files.
    ///
    /// Errors: a package is missing or cannot be read.
    pub fn tree(&self, store: &dyn PublicStore) -> io::Result<ObjectId> {
        self.tree_of(|package| package.read(store))
    }

    fn tree_of(&self, read: impl Fn(&Packed) -> io::Result<Vec<u8>>) -> io::Result<ObjectId> {
        let mut trees = self.trees_of_texts();
        for part in &self.packages {
            packed_files(&read(part)?, part.files, part.unpacked, |file| {
                let path = format!("{}{}", part.folder, file.path);
                trees.add(&path, file.executable, Kind::Blob.id(file.content));
            })?;
        }
        Ok(trees.finish().0)
    }

    fn trees_of_texts(&self) -> TreeBuilder {
        let mut trees = TreeBuilder::new();
        self.texts.iter().for_each(|(path, text)| trees.add(path, false, Kind::Blob.id(text)));
        trees
    }

    /// The id of the commit with this tree.
    pub fn commit(&self, tree: ObjectId) -> ObjectId {
        Kind::Commit.id(self.commit_text(tree).as_bytes())
    }

    /// The response that lists the refs: the branch, and the tag of a skill's version.
    pub fn refs(&self, commit: ObjectId) -> Vec<u8> {
        let mut response = pkt_line("# service=git-upload-pack\n");
        response.extend_from_slice(FLUSH);
        response.extend(pkt_line(&format!("{commit} HEAD\0{CAPABILITIES}\n")));
        response.extend(pkt_line(&format!("{commit} refs/heads/main\n")));
        // No ref may end like that (git-check-ref-format(1)).
        let tag = self.tag.as_ref().map(Version::to_string);
        if let Some(version) = tag.filter(|version| !version.ends_with(".lock")) {
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
    /// Errors: a package is missing or cannot be read.
    pub fn pack(&self, store: &dyn PublicStore) -> io::Result<Vec<u8>> {
        let packages = self.packages.iter().map(|package| package.read(store));
        self.pack_of(&packages.collect::<io::Result<Vec<_>>>()?)
    }

    fn pack_of(&self, packages: &[Vec<u8>]) -> io::Result<Vec<u8>> {
        let mut trees = self.trees_of_texts();
        let mut known: HashSet<_> = self.texts.iter().map(|(_, text)| Kind::Blob.id(text)).collect();
        let mut blobs: Vec<_> = self.texts.iter().map(|(_, text)| Object::stored(Kind::Blob, text)).collect();
        for (part, package) in self.packages.iter().zip(packages) {
            packed_files(package, part.files, part.unpacked, |file| {
                let id = Kind::Blob.id(file.content);
                trees.add(&format!("{}{}", part.folder, file.path), file.executable, id);
                if known.insert(id) {
                    let (size, adler) = (file.content.len(), adler32(file.content));
                    blobs.push(Object { kind: Kind::Blob, size, adler, data: file.packed });
                }
            })?;
        }
        let (root, trees) = trees.finish();
        let commit = self.commit_text(root);
        let mut objects = vec![Object::stored(Kind::Commit, commit.as_bytes())];
        objects.extend(trees.values().map(|tree| Object::stored(Kind::Tree, tree)));
        objects.extend(blobs);
        let bytes: usize = packages.iter().map(Vec::len).sum();
        let mut response = Vec::with_capacity(bytes + bytes / 64 + 1024);
        response.extend_from_slice(NAK);
        pack::write(&objects, SideBand::new(&mut response));
        Ok(response)
    }

    fn commit_text(&self, tree: ObjectId) -> String {
        format!("tree {tree}\n{}", self.signature)
    }
}

impl Packed {
    fn read(&self, store: &dyn PublicStore) -> io::Result<Vec<u8>> {
        let blob = open_blob(store, self.sha256)?;
        let mut package = Vec::with_capacity(usize::try_from(self.size).unwrap_or_default());
        blob.take(self.size).read_to_end(&mut package)?;
        Ok(package)
    }
}

/// The end of a commit by somebody at a time.
fn signature(by: &str, at: Timestamp, message: &str) -> String {
    let person = format!("{by} <{by}> {} +0000", at.as_unix().max(0));
    format!("author {person}\ncommitter {person}\n\n{message}\n")
}

#[cfg(test)]
mod tests;
