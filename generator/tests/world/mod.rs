//! A registry for random steps.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]
#![allow(unreachable_pub, missing_docs, dead_code, reason = "each test binary takes what it needs")]

mod change;
pub mod references;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use generator::settings::TreeSettings;
use generator::tree::Tree;
use generator::{Retention, Signing, Sources, TreePublisher};
use proptest::prelude::*;
use registry::access::{Credential, NamespaceCreation};
use registry::journal::MemoryJournal;
use registry::local::LocalStore;
use registry::names::{Coordinate, Digest, TolerantVersion};
use registry::ops::account::{self, ChangeAccount};
use registry::ops::namespaces::{self, CreateNamespace, NamespaceChanges, UpdateNamespace};
use registry::ops::publish::NamespaceConflict;
use registry::ops::set_up::{SetUp, set_up};
use registry::ops::users::{self, AddUser};
use registry::package::{Attestation, LooseFile, Package, ReadOptions, RequestedName, Strictness};
use registry::private::{PlatformRole, Secret};
use registry::public::NamespaceStatus;
use registry::publishing::{PublishInput, PublishMode};
use registry::transparency_log::SigningKey;
use registry::{Caller, Registry};

pub use change::{Change, change};

/// The default settings, with a public URL: some documents exist only if it is known.
pub fn with_public_url() -> TreeSettings {
    let public_url = Some("https://skills.example.org".parse().unwrap());
    TreeSettings { public_url, ..TreeSettings::default() }
}

/// The operator, acting for a person.
pub fn by(handle: &str) -> Caller {
    Caller { credential: Credential::Operator { acting_as: Some(handle.parse().unwrap()) }, request: None }
}

/// A change of public data.
#[derive(Debug, Clone)]
pub enum Step {
    Publish {
        namespace: u8,
        slug: u8,
        version: (u8, bool),
        tag: Option<u8>,
    },
    Status {
        namespace: u8,
        status: NamespaceStatus,
    },
    Describe {
        namespace: u8,
        text: String,
    },
    Change {
        namespace: u8,
        slug: u8,
        change: Change,
    },
    Rename {
        handle: u8,
        name: String,
    },
    /// Publishes the counters of two skills.
    Tick,
    CatchUp,
}

pub fn step() -> impl Strategy<Value = Step> {
    let status = prop_oneof![
        Just(NamespaceStatus::Active),
        Just(NamespaceStatus::Active),
        Just(NamespaceStatus::Frozen),
        Just(NamespaceStatus::Archived)
    ];
    prop_oneof![
        8 => (0..4u8, prop_oneof![0..30u8, 0..8u8], (0..4u8, any::<bool>()), proptest::option::of(0..2u8))
            .prop_map(|(namespace, slug, version, tag)| Step::Publish { namespace, slug, version, tag }),
        1 => (0..4u8, status).prop_map(|(namespace, status)| Step::Status { namespace, status }),
        8 => (0..4u8, 0..8u8, change())
            .prop_map(|(namespace, slug, change)| Step::Change { namespace, slug, change }),
        1 => (0..2u8, "[A-Z]{1,3}").prop_map(|(handle, name)| Step::Rename { handle, name }),
        2 => Just(Step::Tick),
        1 => (0..4u8, "[a-z]{0,5}").prop_map(|(namespace, text)| Step::Describe { namespace, text }),
        3 => Just(Step::CatchUp),
    ]
}

pub struct World {
    pub registry: Registry,
    pub local: LocalStore,
    pub caller: Caller,
    _data: tempfile::TempDir,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("World")
    }
}

impl World {
    pub fn new() -> Self {
        let registry = Registry::open(Arc::new(MemoryJournal::new())).unwrap();
        let operator = Caller { credential: Credential::Operator { acting_as: None }, request: None };
        let secret = Secret::generate().unwrap();
        let input =
            SetUp { admin: "admin".parse().unwrap(), digest: secret.digest(), prefix: secret.prefix() };
        registry.commit(&operator, |context| set_up(context, &input)).unwrap();
        let caller = by("admin");
        let bob = AddUser { handle: "bob".parse().unwrap(), display_name: None, role: PlatformRole::User };
        registry.commit(&caller, |context| users::add(context, &bob)).unwrap();
        let data = tempfile::tempdir().unwrap();
        let (local, _) = LocalStore::open(data.path()).unwrap();
        Self { registry, local, caller, _data: data }
    }

    /// Makes one step, unless the registry refuses it.
    pub fn step(&self, step: &Step) {
        let namespace = |n: &u8| if *n == 0 { "global".to_owned() } else { format!("team{n}") };
        match step {
            Step::Publish { namespace: n, slug, version, tag } => {
                self.publish(&namespace(n), *slug, *version, *tag)
            }
            Step::Status { namespace: n, status } => {
                self.update(&namespace(n), NamespaceChanges { status: Some(*status), ..Default::default() });
            }
            Step::Describe { namespace: n, text } => {
                self.update(
                    &namespace(n),
                    NamespaceChanges { description: Some(text.clone()), ..Default::default() },
                );
            }
            Step::Change { namespace: n, slug, change } => {
                let slug = format!("s{slug}").parse().unwrap();
                self.change(&Coordinate::new(namespace(n).parse().unwrap(), slug), change);
            }
            Step::Rename { handle, name } => {
                let caller = by(["admin", "bob"][usize::from(*handle)]);
                let input = ChangeAccount { display_name: Some(name.clone()), has_new_password: false };
                self.registry.commit(&caller, |context| account::change(context, &input)).unwrap();
            }
            Step::Tick => {
                self.registry.publish_counters(&self.local, 2).unwrap();
            }
            Step::CatchUp => {}
        }
    }

    pub fn update(&self, name: &str, changes: NamespaceChanges) {
        let input = UpdateNamespace { namespace: name.parse().unwrap(), changes };
        let _ = self.registry.commit(&self.caller, |context| namespaces::update(context, &input));
    }

    pub fn publish(&self, namespace: &str, slug: u8, (minor, pre): (u8, bool), tag: Option<u8>) {
        let create = CreateNamespace {
            slug: namespace.parse().unwrap(),
            display_name: None,
            description: String::new(),
            review_required: false,
            creation: NamespaceCreation::Open,
            quotas: registry::quotas::Quotas::UNLIMITED,
        };
        let _ = self.registry.commit(&self.caller, |context| namespaces::create(context, &create));
        // Words shared between skills, which change with the versions.
        const WORDS: [&str; 7] = ["alpha", "beta", "alphabet", "delta", "delt", "s1", "the"];
        let [one, other] = [slug % 7, slug.wrapping_add(minor.wrapping_mul(3)) % 7].map(usize::from);
        let (title, keyword) = (slug % 5, slug.wrapping_add(minor) % 3);
        let front =
            format!("name: s{slug}\ndescription: D{slug} M{minor}\ntitle: T{title}\nkeywords: [k{keyword}]");
        // Not itself, and none twice: that would be refused.
        let mut required = vec![
            format!("team1/s{}", slug % 3),
            format!("{namespace}/s{}", slug.wrapping_add(minor).wrapping_add(1) % 30),
        ];
        required.dedup();
        required.retain(|name| *name != format!("{namespace}/s{slug}"));
        let requires = format!("metadata:\n  requires: \"{}\"", required.join("@^1, "));
        let requires = if required.is_empty() { String::new() } else { requires };
        let text =
            format!("---\n{front}\n{requires}\n---\n# {} {}\n\n{minor} {pre}\n", WORDS[one], WORDS[other]);
        let file = LooseFile { path: "SKILL.md".into(), executable: false, content: text.into_bytes() };
        let options = ReadOptions {
            source_name: None,
            strictness: Strictness::Strict,
            limits: &Default::default(),
            allowed_files: &[],
        };
        let package = Package::from_files(vec![file], &options).unwrap();
        let version = format!("1.{minor}.0{}", if pre { "-rc.1" } else { "" });
        let read: TolerantVersion = version.parse().unwrap();
        let incoming = PublishInput {
            package: &package,
            namespace: Some(namespace.parse().unwrap()),
            requested_name: None::<RequestedName>,
            on_namespace_conflict: NamespaceConflict::Refuse,
            version: Some((read, version)),
            changelog: String::new(),
            tags: tag.into_iter().map(|n| format!("tag{n}").parse().unwrap()).collect(),
            source_published_at: None,
            attestation: (minor % 4 == 1).then(|| attestation(&package)),
            wait_level: None,
            source: None,
            quotas: registry::quotas::Quotas::UNLIMITED,
        };
        let _ = self.registry.publish(&self.caller, incoming, PublishMode::Commit);
    }

    pub fn mirror(&self, folder: &Path, settings: &TreeSettings) -> TreePublisher {
        let locked = Tree::at(folder).lock().unwrap().unwrap();
        TreePublisher::new(self.sources(), settings.clone(), locked, KEEP)
    }

    pub fn sources(&self) -> Sources {
        let sources = Sources::new(self.registry.public(), self.registry.store(), &TreeSettings::default());
        Sources { signing: Signing::own(vec![signing_key()], Vec::new(), false), ..sources }
    }
}

/// A fixed key of `skills.example.org`, so that two trees of one world are equal.
pub fn signing_key() -> SigningKey {
    SIGNING_KEY.parse().unwrap()
}

/// Made for these tests only.
const SIGNING_KEY: &str =
    "PRIVATE+KEY+skills.example.org+ca08b2be+AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";

/// Keeps all expired pieces for longer than any test runs.
pub const KEEP: Retention = Retention { time: Duration::from_secs(86_400), bytes: u64::MAX };

/// A Sigstore bundle about the archive of a package.
fn attestation(package: &Package) -> Attestation {
    let archive = Digest::of(&package.archive().unwrap());
    let statement = format!(
        r#"{{"_type":"https://in-toto.io/Statement/v1","subject":[{{"digest":{{"sha256":"{archive}"}}}}]}}"#
    );
    let payload = data_encoding::BASE64.encode(statement.as_bytes());
    let bundle = format!(
        r#"{{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","verificationMaterial":{{}},"dsseEnvelope":
        {{"payload":"{payload}","payloadType":"application/vnd.in-toto+json","signatures":[{{}}]}}}}"#
    );
    Attestation::parse(bundle).unwrap()
}

/// All files of a tree except expired pieces of the search index, whose times are times of day.
pub fn files(folder: &Path) -> BTreeMap<String, Digest> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file() && !is_expired(entry.path()));
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    files.map(|entry| (name(entry.path()), Digest::of(&std::fs::read(entry.path()).unwrap()))).collect()
}

/// Whether a file is a piece that the manifest does not name any more.
pub fn is_expired(file: &Path) -> bool {
    let is_piece = file.parent().is_some_and(|folder| folder.ends_with("api/v1/search/_index"));
    let modified = file.metadata().unwrap().modified().unwrap();
    is_piece && modified > UNIX_EPOCH + Duration::from_secs(1_735_689_600)
}
