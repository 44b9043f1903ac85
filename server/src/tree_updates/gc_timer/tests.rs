use std::time::SystemTime;

use registry::journal::{Journal, SqliteJournal};

use super::*;

#[tokio::test(start_paused = true)]
async fn old_package_is_removed_every_day() {
    let data = tempfile::tempdir().unwrap();
    let journal = Arc::new(SqliteJournal::open(data.path()).unwrap());
    let registry = Arc::new(Registry::open(Arc::clone(&journal) as Arc<dyn Journal>).unwrap());
    let stored = || {
        let mut count = 0;
        journal.visit_blobs(&mut |_| count += 1).unwrap();
        count
    };
    let put = |bytes: &[u8], age: Duration| {
        let name = journal.put_blob(bytes).unwrap().to_string();
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
