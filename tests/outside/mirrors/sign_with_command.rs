//! `signing.command`: the private key is somewhere else.

use std::fs;
use std::path::Path;

use data_encoding::BASE64;

use crate::harness::{CommandOutput, Registry, User, eventually, run};

const CHECKPOINT: &str = "api/v1/log/checkpoint";

/// Signs like an HSM: with a key that only this script can use.
const SCRIPT: &str = "t=$(mktemp) && cat > $t && [ $SKILLMIRROR_KEY = NAME ] && \
                      openssl pkeyutl -sign -rawin -inkey key.pem -in $t";

/// A registry whose key is in `key.pem`, where only the command of its configuration reads it.
struct WithCommand {
    registry: Registry,
    admin: User,
    key: String,
}

impl WithCommand {
    fn start() -> Self {
        let keys = Registry::not_started();
        let key = keys.command(["key", "new", "--name", "skills.example.org"]).ok().stdout.trim().to_owned();
        let file = fs::read_dir(keys.folder().join("keys")).unwrap().next().unwrap().unwrap().path();
        let secret = fs::read_to_string(file).unwrap();
        let toml = format!(
            "[mirror]\ncounter_interval = 86400\n[signing]\nverifiers = [\"{key}\"]\ncommand = [\"sh\", \"sign.sh\"]\n\
             command_timeout = 60\n"
        );
        let mut registry = Registry::configured(&toml);
        registry.write("key.pem", pem(&secret).as_bytes());
        write_script(&registry, &key, SCRIPT);
        registry.restart();
        let admin = registry.admin();
        Self { registry, admin, key }
    }

    fn script(&self, text: &str) {
        write_script(&self.registry, &self.key, text);
    }

    fn until_signed(&self, rows: u64) {
        let start = format!("skills.example.org\n{rows}\n");
        eventually("the rows are signed", || {
            let text = fs::read_to_string(self.registry.public().join(CHECKPOINT)).ok()?;
            text.starts_with(&start).then_some(())
        });
    }

    /// Signs for a new tree.
    fn sign(&self) -> CommandOutput {
        self.sign_within("60")
    }

    fn sign_within(&self, seconds: &str) -> CommandOutput {
        let arguments = ["generate", "--out", "signed"];
        let limit = [("SKILLMIRROR_SIGNING_COMMAND_TIMEOUT", seconds)];
        self.registry.run_other_with_variables(&arguments, &limit)
    }
}

fn write_script(registry: &Registry, key: &str, text: &str) {
    let name = key.splitn(3, '+').take(2).collect::<Vec<_>>().join("+");
    // Replaced as a whole: the server may be running it.
    let new = registry.write("sign.new", text.replace("NAME", &name).as_bytes());
    fs::rename(new, registry.folder().join("sign.sh")).unwrap();
}

/// The seed of a private key, as openssl reads it (RFC 8410, section 7).
fn pem(secret: &str) -> String {
    let key = BASE64.decode(secret.trim().splitn(5, '+').last().unwrap().as_bytes()).unwrap();
    let prefix = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    let body = BASE64.encode(&[&prefix, &key[1..]].concat());
    format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n")
}

fn mirror(registry: &Registry, key: &str) -> CommandOutput {
    let arguments = ["generate", "--feed", "public", "--out", "mirror", "--vkey", key];
    run(Path::new(registry.folder()), &arguments.map(Into::into))
}

#[test]
fn command_signs_and_a_failing_one_delays_only_the_signature() {
    let mut with = WithCommand::start();
    with.until_signed(1);
    with.script("exit 3");
    with.registry.versions("global/hello", &["1.0.0"], &with.admin);
    eventually("the head has the row", || {
        (with.registry.tree_json("api/v1/mirror/head.json")["log"]["size"] == 2).then_some(())
    });
    with.until_signed(1);
    assert!(mirror(&with.registry, &with.key).stderr.contains("covers 1 of 2 rows"));
    with.script(SCRIPT);
    with.until_signed(2);
    mirror(&with.registry, &with.key).ok();
    with.registry.command(["verify"]).ok();
    // The last checkpoint stays also after a start.
    with.script("exit 3");
    with.registry.stop();
    with.registry.restart();
    with.registry.versions("global/hello", &["1.1.0"], &with.admin);
    with.until_signed(2);
    with.registry.command(["verify"]).ok();
}

#[test]
fn command_signs_that_a_restored_history_goes_on() {
    let mut with = WithCommand::start();
    with.registry.command(["journal", "backup", "backup.zip"]).ok();
    with.registry.versions("global/lost", &["1.0.0"], &with.admin);
    with.until_signed(2);
    mirror(&with.registry, &with.key).ok();
    with.registry.stop();
    with.registry.command(["journal", "restore", "backup.zip"]).ok();
    with.registry.restart();
    with.registry.versions("global/new", &["1.0.0", "1.1.0"], &with.admin);
    eventually("the new history is signed", || (mirror(&with.registry, &with.key).code == 0).then_some(()));
    with.registry.command(["verify"]).ok();
}

#[test]
fn signature_of_the_command_is_checked_before_it_is_used() {
    let with = WithCommand::start();
    with.until_signed(1);
    with.script("exit 3");
    with.registry.versions("global/hello", &["1.0.0"], &with.admin);
    let other = pem(&format!("PRIVATE+KEY+a+b+{}", BASE64.encode(&[1; 33])));
    with.registry.write("other.pem", other.as_bytes());
    for (script, why) in [
        ("exit 3".to_owned(), "has failed (exit status: 3)"),
        ("true".to_owned(), "has printed neither 64 bytes nor their base64"),
        ("head -c 4000 /dev/zero".to_owned(), "has printed neither 64 bytes nor their base64"),
        (SCRIPT.replace("key.pem", "other.pem"), "has printed a signature of another key or text"),
        ("head -c 64 /dev/zero".to_owned(), "has printed a signature of another key or text"),
        ("exec sleep 600".to_owned(), "takes longer than 1 seconds"),
    ] {
        with.script(&script);
        let refused = if script.contains("sleep") { with.sign_within("1") } else { with.sign() };
        assert!(refused.code == 1 && refused.stderr.contains(why), "{why}: {refused:?}");
        assert!(refused.stderr.contains("nothing is signed with skills.example.org+"), "{refused:?}");
        assert!(!with.registry.folder().join("signed").exists());
    }
    with.script(&format!("{SCRIPT} | base64 -w 0"));
    with.sign().ok();
}

#[test]
fn command_needs_its_public_key() {
    let registry = Registry::configured("[signing]\ncommand = [\"sh\"]\n");
    let refused = registry.command(["key", "list"]);
    assert!(
        refused.stderr.contains("signing.command: name its public key in signing.verifiers"),
        "{refused:?}"
    );
    let key = registry.folder().join("other");
    fs::create_dir(&key).unwrap();
    let key = run(&key, &["key", "new", "--name", "a.example"].map(Into::into)).ok().stdout;
    let registry = Registry::configured(&format!("[signing]\nverifiers = [\"{}\"]\n", key.trim()));
    let refused = registry.command(["key", "list"]);
    assert!(refused.stderr.contains("name the command that signs with them"), "{refused:?}");
    let registry = Registry::configured("[signing]\ncommand = [\"\"]\n");
    let refused = registry.command(["key", "list"]);
    assert!(refused.stderr.contains("signing.command: the first item is the program"), "{refused:?}");
}
