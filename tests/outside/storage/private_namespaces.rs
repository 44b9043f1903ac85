//! Private namespaces in databases and buckets of their own.

use serde_json::json;

use crate::harness::{CREDENTIALS, Client, ObjectStore, PostgresServer, Registry, Skill, eventually};

#[test]
fn private_namespace_has_a_database_and_buckets_of_its_own() {
    let (server, store) = (PostgresServer::shared(), ObjectStore::start());
    let (name, address) = server.database();
    let place = server.address(&format!("{name}_{{namespace}}"));
    let settings = format!(
        "{}[storage]\npackages = \"s3://skills/packages\"\nendpoint = \"{}\"\nregion = \"eu\"\n\
         [private]\njournal = \"{place}\"\npackages = \"s3://skills/private/{{namespace}}\"\n\
         target = \"s3://skills/trees/{{namespace}}\"\n",
        store.settings(),
        store.base(),
    );
    let mut registry = Registry::configured(&settings);
    registry.use_database(Some((address, server.clone())));
    registry.start_with_variables(&CREDENTIALS);
    let admin = registry.admin();
    let acme = Client::of(&format!("{}/-/acme", registry.base())).as_user(&admin);
    // Without its database nothing is noted, and a second attempt begins it as it asks for.
    let body = json!({"slug": "acme", "private": true, "reviewRequired": true});
    let create = || registry.as_user(&admin).post_json("/api/v1/namespaces", &body);
    create().expect(500);
    acme.get("/api/v1/skills").expect(404);
    server.sql("postgres", &format!("CREATE DATABASE {name}_acme"));
    assert_eq!(create().expect_json(201)["reviewRequired"], true);
    acme.get("/api/v1/skills").expect(200);
    create().problem(409, "conflict");
    registry.publish(Skill::named("hidden")).to("acme").try_through(&acme).unwrap().expect(201);
    assert_eq!(server.sql(&name, "SELECT count(*) FROM skillmirror.rows WHERE public LIKE '%hidden%'"), "0");
    let rows = server.sql(&format!("{name}_acme"), "SELECT count(*) FROM skillmirror.rows");
    assert!(rows.parse::<u32>().unwrap() >= 3, "{rows}");
    let keys = || store.asked().into_iter().filter(|asked| asked.method == "PUT").map(|asked| asked.path);
    let has = |start: &str| keys().any(|key| key.starts_with(&format!("/skills/{start}")));
    eventually("the bucket follows", || has("trees/acme/api/v1/skills/acme/hidden").then_some(()));
    assert!(has("private/acme/"));
    assert!(keys().all(|key| key.contains("/trees/acme/") || !key.contains("hidden")));
}
