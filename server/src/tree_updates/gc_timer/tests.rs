use std::time::SystemTime;

use registry::journal::Storage;

use super::*;

#[tokio::test(start_paused = true)]
async fn old_package_is_removed_every_day() {
    let data = tempfile::tempdir().unwrap();
    let storage = Storage::in_folder(data.path()).unwrap();
    let registry = Arc::new(Registry::open(storage.clone()).unwrap());
    let stored = || {
        let mut count = 0;
        storage.blobs.visit_blobs(&mut |_| count += 1).unwrap();
        count
    };
    let put = |bytes: &[u8], age: Duration| {
        let name = storage.blobs.put_blob(bytes).unwrap().to_string();
        let file = std::fs::File::open(data.path().join("blobs").join(&name[..2]).join(name)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    };
    put(b"old", INTERVAL * 2);
    put(b"young", INTERVAL / 2);
    let timer = tokio::spawn(run(registry));
    tokio::time::sleep(FIRST_DELAY / 2).await;
    assert_eq!(stored(), 2);
    tokio::time::sleep(FIRST_DELAY).await;
    assert_eq!(stored(), 1);
    put(b"old", INTERVAL * 2);
    tokio::time::sleep(INTERVAL - FIRST_DELAY).await;
    assert_eq!(stored(), 2);
    tokio::time::sleep(FIRST_DELAY * 2).await;
    assert_eq!(stored(), 1);
    timer.abort();
}
