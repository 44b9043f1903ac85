//! Witnesses that do not cosign. `tests/transparency` asks one that does.

use std::net::TcpListener;

use crate::harness::{Registry, run};

/// A key that signs nothing here.
const KEY: &str = "witness.example+3c436f90+BIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";

#[test]
fn witness_that_never_answers_delays_no_publication() {
    // Connections wait in its queue.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let witnesses = [silent.local_addr().unwrap(), closed].map(|at| format!("\"http://{at} {KEY}\""));
    let toml =
        format!("[mirror]\ncounter_interval = 86400\n[signing]\nwitnesses = [{}]\n", witnesses.join(", "));
    let mut registry = Registry::configured(&toml);
    let key = registry.command(["key", "new", "--name", "skills.example.org"]).ok().stdout.trim().to_owned();
    registry.restart();
    let admin = registry.admin();
    registry.versions("global/hello", &["1.0.0", "1.1.0"], &admin);
    let (_, asked) = (registry.tree_bytes(), silent.accept().unwrap());
    let mirror = ["generate", "--feed", "public", "--out", "mirror", "--vkey", &key];
    run(registry.folder(), &mirror.map(Into::into)).ok();
    drop(asked);
    registry.command(["verify"]).ok();
}

#[test]
fn invalid_witness_is_refused_at_start() {
    let registry = Registry::configured("[signing]\nwitnesses = [\"https://witness.example\"]\n");
    let refused = registry.command(["key", "list"]);
    assert!(
        refused.stderr.contains("signing.witnesses") && refused.stderr.contains("a URL and a public key"),
        "{refused:?}"
    );
}
