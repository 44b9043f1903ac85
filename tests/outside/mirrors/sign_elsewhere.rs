//! `skillmirror sign`: the key is not where the registry is.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{CommandOutput, Registry, User, Watch, eventually, run, tree};

const NAME: &str = "skills.example.org";
const CHECKPOINT: &str = "api/v1/log/checkpoint";

/// A key in the folder `signer/keys`, and a running registry that only has its public half.
struct Apart {
    registry: Registry,
    admin: User,
    key: String,
}

impl Apart {
    fn start() -> Self {
        let mut registry = Registry::not_started();
        let folder = registry.folder().join("signer");
        fs::create_dir(&folder).unwrap();
        let key = command(&folder, &["key", "new", "--name", NAME]).ok().stdout.trim().to_owned();
        let toml = format!("[mirror]\ncounter_interval = 86400\n[signing]\nverifiers = [\"{key}\"]\n");
        registry = Self::configured(registry, &toml);
        registry.restart();
        let admin = registry.admin();
        registry.team("tools", &admin);
        registry.versions("tools/hello", &["1.0.0"], &admin);
        Self { registry, admin, key }
    }

    fn configured(from: Registry, toml: &str) -> Registry {
        let registry = Registry::configured(toml);
        fs::rename(from.folder().join("signer"), registry.folder().join("signer")).unwrap();
        registry
    }

    fn folder(&self) -> PathBuf {
        self.registry.folder().join("signer")
    }

    fn sign(&self, further: &[&str]) -> CommandOutput {
        let public = self.registry.public();
        let tree = ["sign", "--tree", public.to_str().unwrap()];
        command(&self.folder(), &[&tree, further].concat())
    }

    fn mirror(&self) -> CommandOutput {
        let (source, mirror) = (self.registry.public(), self.registry.folder().join("mirror"));
        let [source, mirror] = [&source, &mirror].map(|path| path.to_str().unwrap());
        command(&self.folder(), &["generate", "--feed", source, "--out", mirror, "--vkey", &self.key])
    }

    fn checkpoint(&self) -> Option<String> {
        fs::read_to_string(self.registry.public().join(CHECKPOINT)).ok()
    }
}

fn command(folder: &Path, arguments: &[&str]) -> CommandOutput {
    run(folder, &arguments.iter().map(Into::into).collect::<Vec<_>>())
}

#[test]
fn registry_without_a_private_key_shows_what_another_process_has_signed() {
    let apart = Apart::start();
    let (registry, admin) = (&apart.registry, &apart.admin);
    assert!(registry.printed().contains("the history is signed elsewhere, with skills.example.org+"));
    assert_eq!(apart.checkpoint(), None);
    assert_eq!(apart.sign(&[]).ok().stdout, "signed 3 rows of skills.example.org\n");
    let first = apart.checkpoint().unwrap();
    assert!(first.starts_with("skills.example.org\n3\n"), "{first}");
    assert_eq!(registry.get("/api/v1/log/checkpoint").expect(200).text(), first);
    apart.mirror().ok();

    registry.versions("tools/hello", &["1.1.0"], admin);
    eventually("the tree has the row", || {
        (registry.tree_json("api/v1/mirror/head.json")["log"]["size"] == 4).then_some(())
    });
    assert_eq!(apart.checkpoint().unwrap(), first, "the old one stays");
    assert!(apart.mirror().stderr.contains("covers 3 of 4 rows: waiting until the others are signed"));
    apart.sign(&[]).ok();
    apart.mirror().ok();
    tree::assert_equal(&tree::contents(&registry.folder().join("mirror")), &registry.tree_bytes());
    registry.command(["verify"]).ok();
}

#[test]
fn sign_goes_on_until_it_is_terminated() {
    let apart = Apart::start();
    let signing = Watch::of("sign", &apart.folder(), ["--tree", "../public", "--watch"]);
    let signing = signing.until_it_says("signing skills.example.org");
    for rows in 3..6 {
        let start = format!("skills.example.org\n{rows}\n");
        eventually("all rows are signed", || apart.checkpoint()?.starts_with(&start).then_some(()));
        apart.registry.versions("tools/hello", &[&format!("1.{rows}.0")], &apart.admin);
    }
    assert_eq!(signing.terminate(), 0);
}

#[test]
fn sign_refuses_a_history_that_takes_back_what_was_signed() {
    let apart = Apart::start();
    apart.sign(&[]).ok();
    let record = apart.folder().join("keys/last-signed");
    let recorded = fs::read_to_string(&record).unwrap();
    let first = apart.checkpoint().unwrap();
    let (epoch, _) = recorded.split_once('\n').unwrap();
    let root = first.lines().nth(2).unwrap();
    let other = format!("{}{}", if root.starts_with('A') { "B" } else { "A" }, &root[1..]);
    let lies = [
        (recorded.replacen("\n3\n", "\n4\n", 1), "has 3 rows, but 4 were signed before: it was rolled back"),
        (recorded.replacen(root, &other, 1), "has other rows than the 3 that were signed before"),
        (recorded.replacen(epoch, "epoch 00", 1), "add --accept-new-history"),
        (recorded.replacen(NAME, "others.example.org", 1), "others.example.org was signed last"),
        ("nothing".into(), "last-signed is damaged"),
    ];
    for (lie, why) in lies {
        fs::write(&record, lie).unwrap();
        let refused = apart.sign(&[]);
        assert!(refused.code == 1 && refused.stderr.contains(why), "{why}: {refused:?}");
        assert_eq!(apart.checkpoint().unwrap(), first);
    }
    fs::write(&record, recorded.replacen(epoch, "epoch 00", 1)).unwrap();
    apart.sign(&["--accept-new-history"]).ok();
    assert_eq!(fs::read_to_string(&record).unwrap(), recorded);
}

#[test]
fn sign_names_a_key_that_the_tree_does_not_list() {
    let apart = Apart::start();
    let stranger = apart.registry.folder().join("stranger");
    fs::create_dir(&stranger).unwrap();
    let public = apart.registry.public();
    let sign = || command(&stranger, &["sign", "--tree", public.to_str().unwrap()]);
    assert!(sign().stderr.contains("no key signs here"), "{:?}", sign());
    command(&stranger, &["key", "new", "--name", NAME]).ok();
    let refused = sign();
    assert!(refused.stderr.contains("add the key to `signing.verifiers` of the registry"), "{refused:?}");
    assert_eq!(apart.checkpoint(), None);
    let secret = fs::read_dir(stranger.join("keys")).unwrap().next().unwrap().unwrap().path();
    let secret = fs::read_to_string(secret).unwrap();
    assert!(!refused.stderr.contains(secret.trim().splitn(5, '+').last().unwrap()));
}

#[test]
fn tree_at_an_address_is_signed_to_a_folder() {
    let apart = Apart::start();
    let base = apart.registry.base().to_owned();
    let refused = command(&apart.folder(), &["sign", "--tree", &base]);
    assert!(refused.stderr.contains("add --out DIR"), "{refused:?}");
    command(&apart.folder(), &["sign", "--tree", &base, "--out", "signed"]).ok();
    let text = fs::read_to_string(apart.folder().join("signed/checkpoint")).unwrap();
    assert!(text.starts_with("skills.example.org\n3\n"), "{text}");
    assert_eq!(apart.checkpoint(), None);
    // Where the registry looks for it.
    let handed_in = apart.registry.public().with_extension("state").join("signed");
    fs::create_dir(&handed_in).unwrap();
    fs::write(handed_in.join("checkpoint"), &text).unwrap();
    eventually("the tree has it", || (apart.checkpoint().as_ref() == Some(&text)).then_some(()));
}
