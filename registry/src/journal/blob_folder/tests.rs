use std::time::Duration;

use super::*;
use crate::journal::Removal;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        folder.read_dir().unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn put_creates_a_read_only_file_named_by_its_digest() {
    let data = tempfile::tempdir().unwrap();
    let blobs = BlobFolder::open(data.path()).unwrap();
    assert!(!BlobFolder::has_any(data.path()).unwrap());
    let digest = blobs.put(b"abc").unwrap();
    assert!(BlobFolder::has_any(data.path()).unwrap());
    let path = data.path().join(format!("blobs/ba/{digest}"));
    assert_eq!(std::fs::read(&path).unwrap(), b"abc");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, 0o444);
    assert_eq!(names_in(&data.path().join("blobs")), ["ba", "tmp"]);
    let temporary = data.path().join("blobs/tmp");
    let [staging] = &names_in(&temporary)[..] else { panic!("a process has one folder") };
    assert!(names_in(&temporary.join(staging)).is_empty());
    drop(blobs);
    assert!(names_in(&temporary).is_empty(), "the staging folder goes with the process");
}

#[test]
fn put_of_an_existing_blob_only_renews_its_time() {
    use std::os::unix::fs::MetadataExt;
    let data = tempfile::tempdir().unwrap();
    let blobs = BlobFolder::open(data.path()).unwrap();
    let digest = blobs.put(b"abc").unwrap();
    let path = blobs.paths(digest).1;
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    File::open(&path).unwrap().set_modified(old).unwrap();
    let before = path.metadata().unwrap();
    blobs.put(b"abc").unwrap();
    let after = path.metadata().unwrap();
    assert_eq!(after.ino(), before.ino());
    assert!(after.modified().unwrap() > old + DAY);
}

#[test]
fn put_over_a_truncated_blob_writes_it_again() {
    let data = tempfile::tempdir().unwrap();
    let blobs = BlobFolder::open(data.path()).unwrap();
    let digest = blobs.put(b"abc").unwrap();
    let path = blobs.paths(digest).1;
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, b"ab").unwrap();
    blobs.put(b"abc").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"abc");
}

#[test]
fn open_clears_staging_folders_of_dead_processes_only() {
    let data = tempfile::tempdir().unwrap();
    let living = BlobFolder::open(data.path()).unwrap();
    let staging = living.staging().unwrap();
    std::fs::write(staging.join("put-half"), "half").unwrap();
    let temporary = data.path().join("blobs/tmp");
    std::fs::create_dir(temporary.join("of-the-dead")).unwrap();
    std::fs::write(temporary.join("of-the-dead/put-half"), "half").unwrap();
    std::fs::write(temporary.join("put-loose"), "").unwrap();
    let other = BlobFolder::open(data.path()).unwrap();
    assert_eq!(names_in(&temporary), [staging.file_name().unwrap().to_str().unwrap()]);
    assert_eq!(names_in(&staging), ["put-half"]);
    drop(other);
    // A live process survives the removal of the folder by hand.
    std::fs::remove_dir_all(&temporary).unwrap();
    let digest = living.put(b"abc").unwrap();
    assert!(living.open_blob(digest).unwrap().is_some());
}

#[test]
fn remove_skips_a_blob_that_is_being_put() {
    let data = tempfile::tempdir().unwrap();
    let blobs = BlobFolder::open(data.path()).unwrap();
    let digest = blobs.put(b"abc").unwrap();
    let putting = File::open(blobs.paths(digest).0).unwrap();
    putting.lock_shared().unwrap();
    assert_eq!(blobs.remove(Duration::ZERO, &[digest]).unwrap(), Removal::Done(Vec::new()));
    drop(putting);
    assert!(
        matches!(blobs.remove(Duration::ZERO, &[digest]).unwrap(), Removal::Done(gone) if gone.len() == 1)
    );
}

#[test]
fn visit_skips_other_files() {
    let data = tempfile::tempdir().unwrap();
    let blobs = BlobFolder::open(data.path()).unwrap();
    let digest = blobs.put(b"abc").unwrap();
    let root = data.path().join("blobs");
    for stray in ["note", "ba/note", "tmp/put-x", &format!("tmp/{digest}")] {
        std::fs::write(root.join(stray), "").unwrap();
    }
    std::fs::create_dir(root.join("00")).unwrap();
    std::fs::create_dir(root.join("ba").join(Digest::of(b"other").to_string())).unwrap();
    let mut seen = Vec::new();
    blobs.visit(&mut |blob| seen.push(blob.digest)).unwrap();
    assert_eq!(seen, [digest]);
}

#[test]
fn put_and_remove_at_once_keep_the_blob() {
    let data = tempfile::tempdir().unwrap();
    let (putting, removing) =
        (BlobFolder::open(data.path()).unwrap(), BlobFolder::open(data.path()).unwrap());
    let digest = putting.put(b"abc").unwrap();
    let path = putting.paths(digest).1;
    let old = SystemTime::now() - DAY;
    let start = std::sync::Barrier::new(2);
    for _ in 0..300 {
        File::open(&path).unwrap().set_modified(old).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                start.wait();
                removing.remove(DAY / 2, &[digest]).unwrap();
            });
            start.wait();
            putting.put(b"abc").unwrap();
        });
        assert!(path.exists());
    }
}
