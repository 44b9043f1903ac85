//! A CDN is told what has changed.

use crate::harness::{
    CREDENTIALS, FakeHost, ObjectStore, ReceivedRequest, Registry, Reply, Skill, eventually,
};

/// The settings of a registry that tells an API, or a command.
fn settings(purge: &str) -> String {
    format!("listen = 0\npublic_url = \"https://skills.example.org\"\n[purge]\ninterval = 0\n{purge}\n")
}

/// The requests with the method POST whose body has the word.
fn with_word(host: &FakeHost, word: &str) -> Vec<ReceivedRequest> {
    let has_word = |asked: &ReceivedRequest| String::from_utf8_lossy(&asked.body).contains(word);
    host.asked().into_iter().filter(|asked| asked.method == "POST" && has_word(asked)).collect()
}

#[test]
fn cloudflare_is_told_the_urls_of_changed_documents() {
    let api = FakeHost::answering(|_| Reply::json(&serde_json::json!({"success": true})));
    let purge = format!("service = \"cloudflare\"\nid = \"zone1\"\nendpoint = \"{}\"", api.base);
    let mut registry = Registry::configured(&settings(&purge));
    registry.start_with_variables(&[("CLOUDFLARE_API_TOKEN", "secret-token")]);
    // The first tree is new as a whole.
    eventually("everything is purged", || api.asked().pop());
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let word = "\"https://skills.example.org/api/v1/skills/global/hello\"";
    let asked = eventually("the skill is purged", || with_word(&api, word).pop());
    assert_eq!(asked.path, "/client/v4/zones/zone1/purge_cache");
    assert_eq!(asked.header("authorization"), Some("Bearer secret-token"));
    eventually("the list is purged", || with_word(&api, "https://skills.example.org/api/v1/skills\"").pop());
    // A package never changes at its address.
    assert!(with_word(&api, "/versions/1.0.0/download").is_empty());
    registry.remove("global/hello", &registry.admin()).expect(204);
    eventually("a removed package is purged", || with_word(&api, "/versions/1.0.0/download\"").pop());
}

#[test]
fn api_that_fails_delays_no_write_and_is_named_without_the_token() {
    let api = FakeHost::answering(|asked| Reply::bytes(format!("{:?}", asked.headers)).with_status(403));
    let purge =
        format!("service = \"fastly\"\nid = \"service1\"\nby = \"tags\"\nendpoint = \"{}\"", api.base);
    let mut registry = Registry::configured(&settings(&purge));
    registry.start_with_variables(&[("FASTLY_API_TOKEN", "secret-token")]);
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let log = || std::fs::read_to_string(registry.folder().join("serve.log")).unwrap();
    eventually("the failure is logged", || log().contains("Fastly answers with status 403").then_some(()));
    assert!(!log().contains("secret-token"), "{}", log());
    assert!(api.asked().iter().all(|asked| asked.header("fastly-key") == Some("secret-token")));
}

#[test]
fn objects_are_purged_by_tag_after_they_are_put() {
    let store = ObjectStore::start();
    let api = FakeHost::answering(|_| Reply::status(200));
    let purge =
        format!("service = \"fastly\"\nid = \"service1\"\nby = \"tags\"\nendpoint = \"{}\"", api.base);
    let mut registry = Registry::configured(&format!(
        "public_url = \"https://skills.example.org\"\n{}[purge]\ninterval = 0\n{purge}\n",
        store.settings()
    ));
    let mut variables = CREDENTIALS.to_vec();
    variables.push(("FASTLY_API_TOKEN", "token"));
    registry.start_with_variables(&variables);
    store.settled(&registry);
    eventually("everything is purged", || api.asked().pop());
    // Nothing is put, so nothing is purged.
    store.fail(|asked| (asked.method == "PUT").then(|| Reply::status(503).header("Retry-After", "0")));
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    assert!(with_word(&api, "skill-global--hello").is_empty());
    store.mend();
    let asked = eventually("the skill is purged", || with_word(&api, "\"skill-global--hello\"").pop());
    assert_eq!(asked.path, "/service/service1/purge");
    eventually("lists are purged", || with_word(&api, "\"lists-global\"").pop());
}

#[test]
fn cloudfront_is_asked_with_a_signed_request() {
    let api = FakeHost::answering(|_| Reply::status(201));
    let purge = format!("service = \"cloudfront\"\nid = \"E1\"\nendpoint = \"{}\"", api.base);
    let mut registry = Registry::configured(&settings(&purge));
    registry.start_with_variables(&CREDENTIALS);
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let asked = eventually("something is purged", || with_word(&api, "<Path>").pop());
    assert_eq!(asked.path, "/2020-05-31/distribution/E1/invalidation");
    let signature = asked.header("authorization").unwrap();
    assert!(signature.contains("/us-east-1/cloudfront/aws4_request"), "{signature}");
}

#[test]
fn command_reads_the_urls() {
    let mut registry = Registry::configured("");
    let script = registry.write("purge.sh", b"cat >> purged.txt\n");
    let command = format!("service = \"command\"\ncommand = [\"sh\", \"{}\"]", script.display());
    registry.write("config.toml", settings(&command).as_bytes());
    registry.restart();
    let purged = || {
        let text = std::fs::read_to_string(registry.folder().join("purged.txt")).unwrap_or_default();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let url = "https://skills.example.org/global/hello/";
    // The first tree is new as a whole. A publication that comes with it is not named, so there are more.
    let is_named = (0..10).any(|number| {
        let before = purged().len();
        let version = format!("1.0.{number}");
        registry.publish(Skill::named("hello")).version(&version).by(&registry.admin()).expect(201);
        let new = || purged().split_off(before);
        eventually("it is purged", || new().iter().any(|line| line == url || line == "all").then_some(()));
        purged().iter().any(|line| line == url)
    });
    assert!(is_named, "{:?}", purged());
}

#[test]
fn incomplete_settings_are_named() {
    for (purge, says) in [
        ("service = \"cloudflare\"", "purge.id: name the id of the zone"),
        ("service = \"cloudflare\"\nid = \"a/b\"", "purge.id: name the id of the zone"),
        ("service = \"fastly\"\nid = \"a\"", "FASTLY_API_TOKEN"),
        ("service = \"command\"", "purge.command: name a program"),
        ("service = \"akamai\"", "purge.service"),
    ] {
        let registry = Registry::configured(&settings(purge));
        let said = registry.command(["serve"]);
        assert!(said.code == 1 && said.stderr.contains(says), "{purge}: {said:?}");
    }
    let registry = Registry::configured("listen = 0\n[purge]\nservice = \"command\"\ncommand = [\"true\"]\n");
    let said = registry.command(["serve"]);
    assert!(said.code == 1 && said.stderr.contains("set public_url"), "{said:?}");
}
