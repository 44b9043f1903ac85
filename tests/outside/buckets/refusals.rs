//! Buckets that are refused, and secrets that stay secret.

use super::{failure, log};
use crate::harness::{CREDENTIALS, ObjectStore, Registry, Reply, Skill, eventually};

#[test]
fn store_that_ignores_conditions_is_refused_and_nothing_is_written() {
    let store = ObjectStore::overwriting();
    let registry = Registry::configured(&store.settings());
    let said = registry.command_with_variables(["serve"], &CREDENTIALS);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stderr.contains("ignores conditional puts (If-None-Match: *)"), "{said:?}");
    assert!(store.objects().is_empty());
}

#[test]
fn bucket_of_another_registry_is_refused_unless_it_is_replaced() {
    let store = ObjectStore::start();
    let registry = store.registry();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    store.settled(&registry);
    let before = store.put().len();
    let mut other = Registry::configured(&store.settings());
    let said = other.command_with_variables(["serve"], &CREDENTIALS);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stderr.contains("s3://skills/tree belongs to another registry (epoch "), "{said:?}");
    assert!(store.put()[before..].iter().all(|key| key.starts_with(".skillmirror/")));
    drop(registry);
    let said = other.command_with_variables(["generate", "--replace-tree"], &CREDENTIALS).ok();
    assert!(said.printed().contains("s3://skills/tree is up to date"), "{said:?}");
    assert!(store.objects().keys().all(|key| !key.contains("hello")));
    other.start_with_variables(&CREDENTIALS);
}

#[test]
fn objects_of_somebody_else_are_put_again_even_if_their_bytes_are_right() {
    let store = ObjectStore::start();
    let mut registry = store.registry();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    store.settled(&registry);
    registry.stop();
    // As `rclone` copies a tree: the same bytes, with the types that it guesses.
    let objects = store.objects();
    store.keys().iter().for_each(|key| store.remove_object(key));
    objects.iter().for_each(|(key, object)| store.set(key, &object.bytes));
    store.age(60);
    registry.start_with_variables(&CREDENTIALS);
    store.settled(&registry);
    for (key, object) in &store.objects() {
        assert!(object.headers.contains_key("cache-control"), "{key}");
    }
}

/// A store that shows in its error what it was sent, as a careless proxy would.
#[test]
fn credentials_are_in_no_message() {
    let store = ObjectStore::start();
    let registry = store.registry();
    let admin = registry.admin();
    store.settled(&registry);
    for status in [400, 403, 500] {
        store.fail(move |asked| {
            let headers: Vec<_> =
                asked.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
            Some(Reply::bytes(format!("{} {headers:?}", asked.path)).with_status(status))
        });
        registry.publish(Skill::named(&format!("skill-{status}"))).by(&admin).expect(201);
        eventually("the failure is named", || failure(&registry));
        store.mend();
        eventually("the failure is over", || failure(&registry).is_none().then_some(()));
    }
    let (log, ready) = (log(&registry), registry.get("/readyz").text());
    assert!(log.contains("cannot bring the bucket"), "{log}");
    for secret in ["AKIDOFTHETESTS", "secret/of+the.tests", "Signature=", "AWS4-HMAC"] {
        assert!(!log.contains(secret) && !ready.contains(secret), "{secret}: {log}");
    }
}

/// Of Azure, the signature of an address is the credential.
#[test]
fn signed_address_is_in_no_message() {
    let store = ObjectStore::start();
    store.fail(|asked| Some(Reply::bytes(asked.path.clone()).with_status(500)));
    let settings = format!(
        "listen = 0\n[mirror]\ntarget = \"az://skills/tree\"\ntarget_endpoint = \"{}\"\n",
        store.base()
    );
    let mut registry = Registry::configured(&settings);
    let secret = "c2VjcmV0c2lnbmF0dXJl";
    let token = format!("sv=2024-01-01&sp=rwdl&sig={secret}");
    registry.start_with_variables(&[
        ("AZURE_STORAGE_ACCOUNT_NAME", "tests"),
        ("AZURE_STORAGE_SAS_TOKEN", token.as_str()),
    ]);
    let message = eventually("the failure is named", || failure(&registry));
    assert!(store.asked().iter().any(|asked| asked.path.contains(secret)), "the store is asked with it");
    let log = log(&registry);
    assert!(!log.contains(secret) && !message.contains(secret), "{log}");
}
