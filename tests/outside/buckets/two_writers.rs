//! A bucket alone has one writer: the process that began last.

use std::process::Command;

use super::{difference_from, failure};
use crate::harness::{CREDENTIALS, ObjectStore, Skill, eventually};

/// Somebody starts a copy of a data folder on another machine.
#[test]
fn process_that_begins_last_writes_the_bucket_and_the_other_one_says_so() {
    let store = ObjectStore::start();
    let mut registry = store.registry();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    store.settled(&registry);
    registry.stop();
    let other = registry.folder().join("other");
    std::fs::create_dir(&other).unwrap();
    let copied = Command::new("cp")
        .arg("-a")
        .args([registry.data(), registry.public(), registry.folder().join("public.state")])
        .arg(&other)
        .status();
    assert!(copied.unwrap().success());
    registry.start_with_variables(&CREDENTIALS);
    store.settled(&registry);
    let [data, public, config] =
        [other.join("data"), other.join("public"), registry.folder().join("config.toml")]
            .map(|path| path.to_str().unwrap().to_owned());
    let serve = ["serve", "--data", &data, "--public", &public, "--config", &config];
    let second = registry.start_other_with_variables(&serve, &CREDENTIALS);
    let publish = registry.publish(Skill::named("there"));
    publish.try_through(&second.client().as_user(&admin)).unwrap().expect(201);
    eventually("the second server has written the bucket", || {
        store.objects().contains_key("api/v1/skills/global/there").then_some(())
    });
    eventually("the bucket shows its tree", || {
        difference_from(&store, &other.join("public")).is_none().then_some(())
    });
    registry.publish(Skill::named("late")).by(&admin).expect(201);
    let said = eventually("the first server says so", || failure(&registry));
    assert!(said.starts_with("another process has begun to write s3://skills/tree"), "{said}");
    assert_eq!(difference_from(&store, &other.join("public")), None, "it has written nothing");
}
