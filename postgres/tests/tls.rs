//! TLS to the server: the certificate is checked.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::process::{Command, Stdio};

use postgres_store::{Address, Database, PostgresJournal, Roots};
use registry::journal::Journal;

use super::row;
use super::server::PostgresServer;

/// Makes a certificate of `localhost`, which signs itself, for the server.
fn certify(server: &PostgresServer) -> Vec<u8> {
    let folder = server.folder();
    let (key, certificate) = (folder.join("key.pem"), folder.join("certificate.pem"));
    let mut openssl = Command::new("openssl");
    openssl.args([
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]);
    openssl.args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]);
    // Otherwise it would be that of an authority, which no server may have.
    openssl.args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout"]).arg(&key);
    let made = openssl.arg("-out").arg(&certificate).output().expect("openssl starts");
    assert!(made.status.success(), "{made:?}");
    let owner = folder.metadata().unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    for path in [&key, &certificate] {
        chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
    }
    let der =
        Command::new("openssl").args(["x509", "-outform", "DER", "-in"]).arg(&certificate).output().unwrap();
    der.stdout
}

#[test]
fn certificate_of_an_unknown_authority_is_refused() {
    let server = PostgresServer::start();
    let (name, _) = server.database();
    let der = certify(&server);
    server.end();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let folder = server.folder().display();
    let options = format!(
        "-c listen_addresses=127.0.0.1 -c port={port} -c fsync=off -c ssl=on -c ssl_key_file={folder}/key.pem \
         -c ssl_cert_file={folder}/certificate.pem -k {folder}"
    );
    let mut control = server.command("pg_ctl");
    control.args(["-D", "data", "-w", "-s", "-l", "log", "-o", &options, "start"]);
    assert!(control.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());

    let at = |host: &str, mode: &str| -> Address {
        format!("postgres://postgres:hunter2@{host}:{port}/{name}?sslmode={mode}").parse().unwrap()
    };
    let roots = Roots::Specific(vec![der]);
    let refused = |address, roots: &Roots| {
        let why = registry::with_causes(&Database::open(address, roots).unwrap_err());
        assert!(!why.contains("hunter2"), "{why}");
        why
    };
    let why = refused(at("localhost", "require"), &Roots::Builtin);
    assert!(why.contains("its certificate is from an unknown authority"), "{why}");
    // The certificate does not name the address.
    let why = refused(at("127.0.0.1", "require"), &roots);
    assert!(why.contains("its certificate is for another name"), "{why}");

    let database = Database::open(at("localhost", "require"), &roots).unwrap();
    PostgresJournal::new(database.into()).append(&row(1)).unwrap();
    assert!(Database::has_journal(at("127.0.0.1", "disable"), &roots).unwrap());
}
