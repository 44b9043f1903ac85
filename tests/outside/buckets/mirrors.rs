//! A bucket as the source and as the target of a mirror.

use super::assert_equal;
use crate::harness::{CREDENTIALS, ObjectStore, Registry, Skill, eventually};

#[test]
fn mirror_follows_one_bucket_and_writes_another() {
    let store = ObjectStore::start();
    let registry = store.registry();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    store.settled(&registry);
    let other = ObjectStore::start();
    let mirror = Registry::configured(&other.settings());
    let mut variables = CREDENTIALS.to_vec();
    variables.extend([("AWS_ENDPOINT_URL", store.base()), ("AWS_REGION", "eu")]);
    let follow = ["generate", "--feed", "s3://skills/tree"];
    mirror.command_with_variables(follow, &variables).ok();
    assert_equal(&other, &mirror);
    let shown = other.client().get("/api/v1/skills/global/hello").expect(200).body;
    assert_eq!(shown, store.client().get("/api/v1/skills/global/hello").expect(200).body);
    registry.publish(Skill::named("later")).by(&registry.admin()).expect(201);
    store.settled(&registry);
    mirror.command_with_variables(follow, &variables).ok();
    eventually("the mirror's bucket has it", || {
        other.objects().contains_key("api/v1/skills/global/later").then_some(())
    });
    assert_equal(&other, &mirror);
}
