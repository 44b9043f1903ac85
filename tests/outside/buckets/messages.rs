//! What is said of a store: the cause and the remedy, in no words of a library.

use crate::harness::{CREDENTIALS, ObjectStore, Registry, Reply};

/// Words of the store's client.
const OF_THE_LIBRARY: [&str; 9] = [
    "Generic",
    "Error performing",
    "retries",
    "object_store",
    "169.254",
    "Server returned",
    "privileges",
    "at location",
    "metadata/",
];

#[track_caller]
fn assert_plain(said: &str) {
    for word in OF_THE_LIBRARY {
        assert!(!said.contains(word), "{word}: {said}");
    }
}

#[test]
fn store_without_credentials_names_the_variables_and_asks_nobody() {
    for (setting, variables, says) in [
        (
            "s3://skills/tree",
            &[][..],
            &["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_METADATA_ENDPOINT"][..],
        ),
        ("s3://skills/tree", &[("AWS_ACCESS_KEY_ID", "AKID")], &["AWS_SECRET_ACCESS_KEY is not set"]),
        ("gs://skills/tree", &[], &["GOOGLE_APPLICATION_CREDENTIALS"]),
        ("az://skills/tree", &[], &["AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT_KEY"]),
        ("az://skills/tree", &[("AZURE_STORAGE_ACCOUNT_NAME", "x")], &["AZURE_STORAGE_ACCOUNT_KEY"]),
    ] {
        let registry = Registry::configured(&format!("listen = 0\n[mirror]\ntarget = \"{setting}\"\n"));
        let variables = [&[("HOME", "/nowhere")], variables].concat();
        let said = registry.command_with_variables(["serve"], &variables);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(says.iter().all(|part| said.stderr.contains(part)), "{setting}: {said:?}");
        assert!(said.stderr.contains("mirror.target"), "{said:?}");
        assert_plain(&said.stderr);
        let said = registry.command_with_variables(["watch", "--feed", setting, "--once"], &variables);
        assert!(said.code == 1 && said.stderr.contains("--feed: "), "{said:?}");
        assert_plain(&said.stderr);
    }
}

#[test]
fn failing_store_is_told_in_plain_words() {
    let code = |status, code: &'static str| {
        Reply::bytes(format!("<Error><Code>{code}</Code></Error>")).with_status(status)
    };
    let store = ObjectStore::start();
    let mut registry = store.registry();
    store.settled(&registry);
    registry.stop();
    for (reply, says) in [
        (code(404, "NoSuchBucket"), "there is no such bucket"),
        (code(403, "InvalidAccessKeyId"), "the access key in the environment is not known there"),
        (code(403, "SignatureDoesNotMatch"), "the secret key in the environment does not belong"),
        (code(403, "AccessDenied"), "the store refuses the credentials"),
        (code(400, "AuthorizationHeaderMalformed"), "in another region"),
        (code(301, "PermanentRedirect"), "in another region"),
        (Reply::status(400), "the store refuses the request with status 400"),
    ] {
        store.fail(move |_| Some(reply.clone()));
        let said = registry.command_with_variables(["verify"], &CREDENTIALS);
        assert!(said.code == 1 && said.stderr.contains(says), "{says}: {said:?}");
        assert_plain(&said.stderr);
    }
}

#[test]
fn store_that_is_away_is_told_in_plain_words() {
    // Nothing listens at a connection's own port, and no other test gets it.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let connection = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let address = connection.local_addr().unwrap();
    for scheme in ["http", "https"] {
        let settings = format!(
            "listen = 0\n[storage]\npackages = \"s3://skills/packages\"\nendpoint = \"{scheme}://{address}\"\n"
        );
        let said = Registry::configured(&settings).command_with_variables(["serve"], &CREDENTIALS);
        assert!(said.code == 1 && said.stderr.contains("nothing listens at its address"), "{said:?}");
        assert_plain(&said.stderr);
    }
}
