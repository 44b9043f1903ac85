//! A bucket that follows the output folder, in a store with the API of S3.

mod failing_store;
mod following;
mod foreign_objects;
mod kills;
mod messages;
mod mirrors;
mod purge;
mod refusals;
mod two_writers;

use std::collections::BTreeMap;
use std::path::Path;

use crate::harness::tree::all_files;
use crate::harness::{ObjectStore, Registry};

/// The key of the head, which is written last.
const HEAD: &str = "api/v1/mirror/head.json";

/// The file of the tree that an object shows. None if there is none.
fn file_of<'a>(files: &'a BTreeMap<String, Vec<u8>>, key: &str) -> Option<&'a Vec<u8>> {
    let names = [key.to_owned(), format!("{key}.json"), format!("{key}.zip")];
    names.iter().find_map(|name| files.get(name))
}

/// The first key whose object is not what the tree has.
fn difference(store: &ObjectStore, registry: &Registry) -> Option<String> {
    difference_from(store, &registry.public())
}

/// The first key whose object is not what the tree in a folder has.
pub fn difference_from(store: &ObjectStore, root: &Path) -> Option<String> {
    let objects = store.objects();
    let files = all_files(root).into_iter();
    let files: BTreeMap<_, _> =
        files.map(|file| (file.clone(), std::fs::read(root.join(file)).unwrap())).collect();
    let mut expected = files.iter().filter(|(file, _)| !file.ends_with(".gz"));
    let missing =
        expected.find(|(file, bytes)| objects.get(*file).is_none_or(|object| object.bytes != **bytes));
    let is_other = |(key, bytes): &(&String, &Vec<u8>)| file_of(&files, key) != Some(*bytes);
    let other = objects.iter().map(|(key, object)| (key, &object.bytes)).find(is_other);
    missing.map(|(file, _)| file.clone()).or_else(|| other.map(|(key, _)| key.clone()))
}

/// Each file of the tree is an object, and each object shows a file.
#[track_caller]
fn assert_equal(store: &ObjectStore, registry: &Registry) {
    assert_eq!(difference(store, registry), None, "the object of this key differs");
}

/// The last failure of the bucket, as anyone sees it. None if it is written.
fn failure(registry: &Registry) -> Option<String> {
    let ready = registry.read("/readyz");
    ready["target"]["failure"]["message"].as_str().map(str::to_owned)
}

/// What the server has logged.
fn log(registry: &Registry) -> String {
    std::fs::read_to_string(registry.folder().join("serve.log")).unwrap()
}
