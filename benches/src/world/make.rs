//! Making a world, through the registry's own code.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, Scope};

use registry::access::{Credential, NamespaceCreation};
use registry::journal::Storage;
use registry::local::write_secret_file;
use registry::names::{Namespace, Version};
use registry::ops::namespaces::{self, CreateNamespace};
use registry::ops::publish::NamespaceConflict;
use registry::ops::set_up::{SetUp, set_up};
use registry::package::Package;
use registry::private::Secret;
use registry::publishing::{PublishInput, PublishMode};
use registry::{Caller, Registry};

use super::no_packages::NoPackages;
use super::skill::{BRIEF, TEAMS, USUAL, namespace, package, slug, team, version};
use crate::Failure;

/// How much there is in a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Skills.
    pub skills: usize,
    /// Versions of each.
    pub versions: usize,
    /// Whether the packages are kept, not only the rows that name them.
    pub packages: bool,
}

impl Size {
    fn count(self) -> usize {
        self.skills * self.versions
    }
}

/// Packages that wait for the writer, for each of those who make them.
const MAX_QUEUED_PACKAGES: usize = 64;

/// Makes a registry of that size in `data`, an empty or missing folder. It has an admin, with a
/// token in `admin-token` as after a first start, and ten teams. All first versions are published
/// before any second version.
pub fn make(data: &Path, size: Size) -> Result<(), Failure> {
    let mut storage = Storage::in_folder(data)?;
    if !size.packages {
        storage.blobs = Arc::new(NoPackages);
    }
    let registry = Registry::open(storage)?;
    let admin = begin(&registry, data)?;
    for number in 1..=TEAMS {
        make_team(&registry, &admin, &team(number))?;
    }
    let makers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let queues: Vec<_> = (0..makers).map(|first| packages(scope, size, first, makers)).collect();
        for number in 0..size.count() {
            let queue = queues.get(number % makers).ok_or("there is nobody to make packages")?;
            publish(&registry, &admin, &queue.recv()??)?;
        }
        Ok(())
    })
}

/// A version of a skill, ready to publish.
struct Made {
    namespace: Namespace,
    version: Version,
    package: Package,
}

/// Makes every `step`th package from `first` on in a thread of its own: reading
/// and hashing them takes longer than writing the rows.
fn packages<'scope>(
    scope: &'scope Scope<'scope, '_>,
    size: Size,
    first: usize,
    step: usize,
) -> Receiver<Result<Made, Failure>> {
    let (sender, receiver) = sync_channel(MAX_QUEUED_PACKAGES);
    scope.spawn(move || {
        for number in (first..size.count()).step_by(step) {
            // The receiver is gone: another thread has failed.
            if sender.send(made(number, size)).is_err() {
                break;
            }
        }
    });
    receiver
}

fn made(number: usize, size: Size) -> Result<Made, Failure> {
    let (skill, version) = (number % size.skills, self::version(number / size.skills).parse()?);
    let shape = if size.packages { USUAL } else { BRIEF };
    let package = package(&slug(skill), &version, number as u64, shape)?;
    Ok(Made { namespace: namespace(skill).parse()?, version, package })
}

fn publish(registry: &Registry, admin: &Caller, made: &Made) -> Result<(), Failure> {
    let incoming = PublishInput {
        package: &made.package,
        namespace: Some(made.namespace.clone()),
        requested_name: None,
        on_namespace_conflict: NamespaceConflict::Refuse,
        version: Some((made.version.to_string().parse()?, made.version.to_string())),
        changelog: String::new(),
        tags: Vec::new(),
        source_published_at: None,
        wait_level: None,
        attestation: None,
        source: None,
        quotas: registry::quotas::Quotas::UNLIMITED,
    };
    registry.publish(admin, incoming, PublishMode::Commit)?;
    Ok(())
}

/// The first row, as a first start writes it. Returns the admin.
fn begin(registry: &Registry, data: &Path) -> Result<Caller, Failure> {
    let secret = Secret::generate()?;
    write_secret_file(data, "admin-token", &format!("{}\n", secret.reveal()))?;
    let input = SetUp { admin: "admin".parse()?, digest: secret.digest(), prefix: secret.prefix() };
    let operator = |acting_as| Caller { credential: Credential::Operator { acting_as }, request: None };
    registry.commit(&operator(None), |context| set_up(context, &input))?;
    Ok(operator(Some(input.admin)))
}

fn make_team(registry: &Registry, admin: &Caller, slug: &str) -> Result<(), Failure> {
    let input = CreateNamespace {
        slug: slug.parse()?,
        display_name: None,
        description: "Skills of one team.".to_owned(),
        review_required: false,
        creation: NamespaceCreation::Open,
        quotas: registry::quotas::Quotas::UNLIMITED,
    };
    registry.commit(admin, |context| namespaces::create(context, &input))?;
    Ok(())
}
