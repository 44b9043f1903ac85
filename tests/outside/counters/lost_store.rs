//! After loss of the local store, published counts stay.

use serde_json::Value;

use crate::harness::{Registry, Skill, eventually};

fn count(registry: &Registry, wanted: u64) {
    eventually(&format!("{wanted} downloads are shown"), || {
        let shown: Value = registry.read("/api/v1/skills/global/hello");
        (shown["downloadCount"] == wanted).then_some(())
    });
}

#[test]
fn download_counts_continue_from_the_tree_after_loss_of_the_store() {
    let mut registry = Registry::with_config(
        "[mirror]\ncounter_interval = 0\n[limits]\ntrusted_proxies = [\"127.0.0.1\"]\n",
    );
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let download = |registry: &Registry, client: &str| {
        let client = registry.anonymous().with("x-forwarded-for", client);
        client.get("/api/v1/skills/global/hello/download").expect(200);
    };
    download(&registry, "192.0.2.1");
    download(&registry, "192.0.2.2");
    count(&registry, 2);
    registry.stop();
    for file in ["local.sqlite", "local.sqlite-wal", "local.sqlite-shm"] {
        let _ = std::fs::remove_file(registry.data().join(file));
    }
    registry.restart();
    assert_eq!(registry.read("/api/v1/skills/global/hello")["downloadCount"], 2);
    download(&registry, "192.0.2.3");
    count(&registry, 3);
    registry.command(["verify"]).ok();
    registry.stop();
    registry.command(["generate"]).ok();
    assert_eq!(registry.tree_json("api/v1/skills/global/hello.json")["downloadCount"], 3);
}
