//! The keys that sign the history.

use crate::harness::Registry;

#[test]
fn start_page_shows_the_keys_that_sign() {
    let mut registry = Registry::start();
    assert!(!registry.page("/").contains("Signed history"));
    registry.stop();
    let [old, new] = [(); 2].map(|()| {
        let key = registry.command(["key", "new", "--name", "skills.example.org"]).ok();
        key.stdout.trim().to_owned()
    });
    registry.command(["key", "retire", old.split('+').nth(1).unwrap(), "--yes"]).ok();
    registry.restart();
    // Nothing in a key is escaped but its signs.
    let page = registry.page("/").replace("&#43;", "+").replace("&#x2f;", "/").replace("&#61;", "=");
    assert!(page.contains(&new) && !page.contains(&old), "{page}");
}
