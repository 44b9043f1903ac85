//! Trees: the folders of a package.

use std::collections::BTreeMap;

use super::object::{Kind, ObjectId};

/// Makes the trees of files that come in the order of path bytes.
///
/// git sorts a folder as if its name ended in a slash. In the order of path bytes, the files of a
/// folder are where git sorts the folder.
pub(super) struct TreeBuilder {
    /// The folders from the root to that of the last file, each with its name and its entries.
    open: Vec<(String, Vec<u8>)>,
    trees: BTreeMap<ObjectId, Vec<u8>>,
}

impl TreeBuilder {
    pub fn new() -> Self {
        Self { open: vec![(String::new(), Vec::new())], trees: BTreeMap::new() }
    }

    /// Adds the next file.
    pub fn add(&mut self, path: &str, executable: bool, id: ObjectId) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folders: Vec<_> = folder.split('/').filter(|name| !name.is_empty()).collect();
        let open = self.open.iter().skip(1).zip(&folders);
        let shared = open.take_while(|((open, _), folder)| open == *folder).count();
        self.close(shared + 1);
        self.open.extend(folders[shared..].iter().map(|name| ((*name).to_owned(), Vec::new())));
        self.entry(if executable { "100755" } else { "100644" }, name, id);
    }

    /// The root's id, and all trees.
    pub fn finish(mut self) -> (ObjectId, BTreeMap<ObjectId, Vec<u8>>) {
        self.close(1);
        let root = self.open.pop().map(|(_, entries)| entries).unwrap_or_default();
        let id = Kind::Tree.id(&root);
        self.trees.insert(id, root);
        (id, self.trees)
    }

    /// Closes folders until `depth` are open.
    fn close(&mut self, depth: usize) {
        while self.open.len() > depth
            && let Some((name, entries)) = self.open.pop()
        {
            let id = Kind::Tree.id(&entries);
            self.trees.insert(id, entries);
            self.entry("40000", &name, id);
        }
    }

    fn entry(&mut self, mode: &str, name: &str, id: ObjectId) {
        if let Some((_, entries)) = self.open.last_mut() {
            entries.extend_from_slice(format!("{mode} {name}\0").as_bytes());
            entries.extend_from_slice(&id.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a tree.
    fn names(mut tree: &[u8]) -> Vec<String> {
        let mut names = Vec::new();
        while let Some(end) = tree.iter().position(|byte| *byte == 0) {
            names.push(String::from_utf8(tree[..end].to_vec()).unwrap());
            tree = &tree[end + 21..];
        }
        names
    }

    #[test]
    fn folders_are_sorted_like_git_sorts_them() {
        let mut builder = TreeBuilder::new();
        let blob = Kind::Blob.id(b"");
        let mut paths = ["a-b", "a/b/c", "a/b.d", "a/b/d/e", "a.b", "a0", "b", "c/b/c"];
        paths.sort_unstable();
        paths.iter().for_each(|path| builder.add(path, *path == "b", blob));
        let (root, trees) = builder.finish();
        assert_eq!(
            names(&trees[&root]),
            ["100644 a-b", "100644 a.b", "40000 a", "100644 a0", "100755 b", "40000 c"]
        );
        // The root, `a`, `a/b`, `a/b/d`, `c` and `c/b`: all differ.
        assert_eq!(trees.len(), 6);
    }

    #[test]
    fn equal_folders_are_one_tree() {
        let mut builder = TreeBuilder::new();
        let blob = Kind::Blob.id(b"x");
        ["a/x", "b/x", "c/a/x"].iter().for_each(|path| builder.add(path, false, blob));
        let (root, trees) = builder.finish();
        assert_eq!(trees.len(), 3);
        assert_eq!(names(&trees[&root]), ["40000 a", "40000 b", "40000 c"]);
        // `git mktree` of these.
        assert_eq!(root, Kind::Tree.id(&trees[&root]));
    }
}
