//! Clones a repository from its two responses, as a client without anything does.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::ZlibDecoder;
use proptest::prelude::*;
use registry::package::{LooseFile, Package, ReadOptions, Strictness};
use sha1::Digest as _;

use super::*;

/// A package of these files and a `SKILL.md`, and its repository.
fn repository(files: &BTreeMap<String, (bool, Vec<u8>)>) -> (Repository, Vec<u8>) {
    let text = b"---\nname: x\ndescription: y\n---\nText\n".to_vec();
    let skill = LooseFile { path: "SKILL.md".into(), executable: false, content: text };
    let file = |(path, (executable, content)): (&String, &(bool, Vec<u8>))| LooseFile {
        path: path.clone(),
        executable: *executable,
        content: content.clone(),
    };
    let options = ReadOptions {
        source_name: Some("x"),
        strictness: Strictness::Strict,
        limits: &Default::default(),
        allowed_files: &[],
    };
    let files = files.iter().map(file).chain([skill]).collect();
    let package = Package::from_files(files, &options).unwrap();
    let archive = package.archive().unwrap();
    let signature = "author ann <ann> 1700000000 +0000\ncommitter ann <ann> 1700000000 +0000\n\nx 1.0.0\n";
    let repository = Repository {
        texts: Vec::new(),
        packages: vec![Packed {
            folder: String::new(),
            sha256: Digest::of(&archive),
            size: archive.len() as u64,
            files: package.files.len() as u64,
            unpacked: package.unpacked_size(),
        }],
        signature: signature.into(),
        tag: Some("1.0.0".parse().unwrap()),
    };
    (repository, archive)
}

/// The objects in a response with a pack, by their ids.
fn objects(response: &[u8]) -> BTreeMap<ObjectId, (u8, Vec<u8>)> {
    let (mut rest, mut pack) = (response.strip_prefix(NAK).unwrap(), Vec::new());
    loop {
        let length = usize::from_str_radix(str::from_utf8(&rest[..4]).unwrap(), 16).unwrap();
        if length == 0 {
            break;
        }
        assert_eq!(rest[4], 1);
        pack.extend_from_slice(&rest[5..length]);
        rest = &rest[length..];
    }
    let (pack, checksum) = pack.split_at(pack.len() - 20);
    assert_eq!(sha1::Sha1::digest(pack)[..], *checksum);
    assert_eq!(pack[..8], *b"PACK\0\0\0\x02");
    let count = u32::from_be_bytes(pack[8..12].try_into().unwrap());
    let (mut rest, mut objects) = (&pack[12..], BTreeMap::new());
    for _ in 0..count {
        let (kind, mut size, mut shift) = (rest[0] >> 4 & 7, usize::from(rest[0] & 15), 4);
        while rest[0] & 0x80 != 0 {
            rest = &rest[1..];
            size |= usize::from(rest[0] & 0x7f) << shift;
            shift += 7;
        }
        let (mut decoder, mut content) = (ZlibDecoder::new(&rest[1..]), Vec::new());
        decoder.read_to_end(&mut content).unwrap();
        assert_eq!(content.len(), size);
        rest = &rest[1 + decoder.total_in() as usize..];
        let id = [Kind::Commit, Kind::Tree, Kind::Blob][usize::from(kind) - 1].id(&content);
        assert!(objects.insert(id, (kind, content)).is_none(), "twice in the pack: {id}");
    }
    assert!(rest.is_empty());
    objects
}

/// Checks out a tree: the files with their modes.
fn check_out(
    objects: &BTreeMap<ObjectId, (u8, Vec<u8>)>,
    tree: ObjectId,
    folder: &str,
    files: &mut BTreeMap<String, (bool, Vec<u8>)>,
) {
    let (kind, content) = &objects[&tree];
    assert_eq!(*kind, 2);
    let mut rest = &content[..];
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        let (mode, name) = str::from_utf8(&rest[..end]).unwrap().split_once(' ').unwrap();
        let id = ObjectId(rest[end + 1..end + 21].try_into().unwrap());
        let path = format!("{folder}{name}");
        match mode {
            "40000" => check_out(objects, id, &format!("{path}/"), files),
            "100644" | "100755" => {
                files.insert(path, (mode == "100755", objects[&id].1.clone()));
            }
            other => panic!("{other}"),
        }
        rest = &rest[end + 21..];
    }
}

fn path() -> impl Strategy<Value = String> {
    "[ab]{1,2}(/[ab.-]{1,2}[ab]){0,3}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn clone_has_the_files_of_the_package(mut files in proptest::collection::btree_map(path(), (any::<bool>(), proptest::collection::vec(0..4u8, 0..3000)), 0..12)) {
        // A file is no folder of another.
        let folders: Vec<String> = files.keys().map(|path| format!("{path}/")).collect();
        files.retain(|path, _| !folders.iter().any(|folder| path.starts_with(folder)));
        let (repository, archive) = repository(&files);

        let refs = repository.refs(repository.commit(repository.tree_of(|_| Ok(archive.clone())).unwrap()));
        let commit = Repository::commit_of(&refs).unwrap();
        let objects = objects(&repository.pack_of(std::slice::from_ref(&archive)).unwrap());
        let (kind, text) = &objects[&commit];
        prop_assert_eq!(*kind, 1);
        let text = str::from_utf8(text).unwrap();
        let tree = text.strip_prefix("tree ").unwrap()[..40].parse().unwrap();
        let mut found = BTreeMap::new();
        check_out(&objects, tree, "", &mut found);
        prop_assert!(found.remove("SKILL.md").is_some_and(|(executable, _)| !executable));
        prop_assert_eq!(found, files);
    }
}

#[test]
fn commit_is_settled() {
    let file =
        |path: &str, executable, content: &str| (path.to_owned(), (executable, content.as_bytes().to_vec()));
    let files =
        [file("bin/run.sh", true, "#!/bin/sh\n"), file("a.txt", false, ""), file("b/a.txt", false, "")];
    let (repository, archive) = repository(&files.into());
    // git has the same: `git commit-tree` of `git write-tree`.
    assert_eq!(
        repository.tree_of(|_| Ok(archive.clone())).unwrap().to_string(),
        "f91f5114c538fd6cdffd736ce24cbf9afff82329"
    );
    let commit = repository.commit(repository.tree_of(|_| Ok(archive.clone())).unwrap());
    assert_eq!(commit.to_string(), "442a086cd0175dd7dad613b3b942187a02fbd6e6");
    // `a.txt` and `b/a.txt` are one blob.
    assert_eq!(objects(&repository.pack_of(std::slice::from_ref(&archive)).unwrap()).len(), 1 + 3 + 3);
}

#[test]
fn large_file_is_cloned() {
    // Stored without compression, in several blocks and pkt-lines.
    let files = [("zeros".to_owned(), (false, vec![0; 1 << 20]))].into();
    let (repository, archive) = repository(&files);
    let objects = objects(&repository.pack_of(std::slice::from_ref(&archive)).unwrap());
    assert!(objects.values().any(|(_, content)| *content == vec![0; 1 << 20]));
}

#[test]
fn version_that_no_ref_may_end_with_has_no_tag() {
    let (repository, archive) = repository(&BTreeMap::new());
    let commit = repository.commit(repository.tree_of(|_| Ok(archive.clone())).unwrap());
    let refs = |version: &str| {
        let tag = Some(version.parse().unwrap());
        String::from_utf8(Repository { tag, ..repository.clone() }.refs(commit)).unwrap()
    };
    assert!(refs("1.0.0-rc.1").contains("refs/tags/1.0.0-rc.1\n"));
    assert!(!refs("1.0.0-x.lock").contains("refs/tags/"));
}

#[test]
fn damaged_package_is_an_error() {
    let (repository, mut archive) = repository(&BTreeMap::new());
    archive[45] ^= 1;
    assert!(
        repository.pack_of(std::slice::from_ref(&archive)).is_err()
            && repository.tree_of(|_| Ok(archive.clone())).is_err()
    );
    assert!(Repository::commit_of(b"001e# service=git-upload-pack\n0000").is_none());
}
