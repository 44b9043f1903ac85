//! A server that is killed while it writes to the bucket.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::assert_equal;
use crate::harness::{CREDENTIALS, ObjectStore, Reply, Skill, eventually};

#[test]
fn killed_upload_is_completed_by_the_next_start() {
    let store = ObjectStore::start();
    let mut registry = store.registry();
    let admin = registry.admin();
    registry.publish(Skill::named("before")).by(&admin).expect(201);
    store.settled(&registry);
    for (round, kill_at) in [1, 5, 20, 40, 60].into_iter().enumerate() {
        let (puts, is_held) = (AtomicU64::new(0), Arc::new(AtomicBool::new(false)));
        let held = Arc::clone(&is_held);
        // From this put on, the store answers nothing useful until the server is gone.
        store.fail(move |asked| {
            let number = if asked.method == "PUT" { puts.fetch_add(1, Ordering::SeqCst) + 1 } else { 0 };
            (number >= kill_at).then(|| {
                held.store(true, Ordering::SeqCst);
                Reply::status(500)
            })
        });
        let skill = Skill::named(&format!("skill-{round}"));
        registry.publish(skill).by(&admin).expect(201);
        eventually("the upload is cut", || is_held.load(Ordering::SeqCst).then_some(()));
        registry.kill();
        store.mend();
        registry.start_with_variables(&CREDENTIALS);
        store.settled(&registry);
        assert_equal(&store, &registry);
    }
}
