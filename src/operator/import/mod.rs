//! `skillmirror import`: publishes existing packages.

mod batch;
mod find;
mod found_package;
mod manifest;
mod outcome;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use registry::api::private::PublishReply;
use registry::names::{Handle, NameError, Namespace, TolerantVersion};
use registry::ops::namespaces::{self, CreateNamespace};
use registry::ops::publish::NamespaceConflict;
use registry::package::{Package, ReadOptions, RequestedName, Strictness};
use registry::publishing::{Prepared, PublishError, PublishInput};
use registry::{Caller, CommitError, Registry, with_causes};

use crate::Failure;
use crate::config::Config;
use crate::operator::user::require_user;
use crate::output::{Printer, count, progress_bar};
use crate::process::interrupt::{INTERRUPTED, Interrupted};
use crate::storage::open_registry::{open, operator};
use crate::storage::stores::is_registry_there;
use crate::tree::update_tree::update_tree;
use batch::Batches;
use found_package::FoundPackage;
use outcome::Outcome;

/// Publish existing skills without a server
///
/// Publishes at once, without a review. A server of the registry may be running.
#[derive(Args)]
#[command(after_help = "
    import skills                                     # All skills below a folder
    import old/*.zip --namespace tools --tolerant     # Into a namespace, and repair what can be repaired
    import skills --init --data /var/lib/skillmirror  # Create the registry first
")]
pub struct Arguments {
    /// Skill folders, zips, folders of them, or folders with a manifest.jsonl
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Import into this namespace, whatever the packages say
    #[arg(long, value_name = "NS")]
    namespace: Option<Namespace>,
    /// The publisher
    #[arg(long = "as", value_name = "HANDLE", default_value = "admin")]
    handle: Handle,
    /// Repair packages if possible, with a warning for each repair
    #[arg(long)]
    tolerant: bool,
    /// Accept this file in every package, though its name says that it holds secrets (repeatable)
    #[arg(long, value_name = "PATH")]
    allow_file: Vec<String>,
    /// List all warnings, and all versions that already existed
    #[arg(long, short)]
    verbose: bool,
    /// Create the registry if the data folder has none
    #[arg(long)]
    init: bool,
}

/// Runs the command. The exit code is 1 if a package was refused.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    if !arguments.init && !is_registry_there(config)? {
        let data = config.data.display();
        let why =
            format!("no registry in {data}: name its folder with --data, or create one there with --init");
        return Err(why.into());
    }
    let registry = open(config)?.registry;
    require_user(&registry, &arguments.handle)?;
    let interrupted = Interrupted::notice(
        "stopping after the packages that are being imported. Press Ctrl-C again to stop at once",
    );
    if let Some(namespace) = &arguments.namespace {
        // Otherwise each package would be refused for it.
        registry
            .read(|catalog| namespaces::accepts_packages(catalog, namespace))
            .map_err(|why| why.to_string())?;
    }
    let mut outcome = Outcome::default();
    let mut packages = Vec::new();
    for path in &arguments.paths {
        match find::find(path) {
            Ok(found) => packages.extend(found),
            Err(why) => outcome.refused(path, None, &why),
        }
    }
    found_package::sort_by_time(&mut packages);
    let importer = Importer { config, arguments, registry };
    let bar = progress_bar(packages.len() as u64, "{bar:30} {pos}/{len} {wide_msg}");
    let mut batches = Batches::new(&packages)?;
    let mut looked_at = 0;
    while let Some(batch) = batches.next().filter(|_| !interrupted.is_set()) {
        looked_at += batch.len();
        let read = batches.in_parallel(batch.iter().collect(), |package| importer.read(package));
        // In the order of the packages: a name may look like that of a namespace before it.
        let accepted = batch.iter().zip(read).map(|(package, read)| {
            let accepted = read.and_then(|read| importer.create_namespace(package).map(|()| read));
            (package, accepted)
        });
        let stored = batches.in_parallel(accepted.collect(), |(package, accepted)| {
            (package, accepted.and_then(|read| importer.store(package, read)))
        });
        let mut replies = Vec::with_capacity(stored.len());
        for (package, read) in stored {
            bar.set_message(package.name().unwrap_or_default());
            replies.push((package, read.and_then(|read| importer.publish(package, read))));
            bar.inc(1);
        }
        importer.registry.make_durable(None)?;
        for (package, reply) in replies {
            match reply {
                Ok(reply) => outcome.accepted(&package.path, &reply),
                Err(why) => outcome.refused(&package.path, package.version.as_deref(), &why),
            }
        }
    }
    bar.finish_and_clear();
    let code = outcome.report(arguments.verbose, printer);
    update_tree(config, &importer.registry);
    if interrupted.is_set() {
        let left = count(packages.len() - looked_at, "package");
        let why = format!(
            "interrupted: {left} left. Run the command again to go on: it skips versions that exist already"
        );
        printer.failure("interrupted", why);
        return Ok(INTERRUPTED.into());
    }
    code
}

struct Importer<'a> {
    config: &'a Config,
    arguments: &'a Arguments,
    registry: Arc<Registry>,
}

/// A package that has been read, and its archive.
struct ReadPackage {
    package: Package,
    version: Option<(TolerantVersion, String)>,
    prepared: Prepared,
}

impl Importer<'_> {
    /// Reads a package and makes its archive. Runs for several packages at once. The error is the
    /// reason for the refusal.
    fn read(&self, item: &FoundPackage) -> Result<ReadPackage, String> {
        let limits = self.config.package_limits();
        let strictness = if self.arguments.tolerant { Strictness::Tolerant } else { Strictness::Strict };
        let name = item.name();
        let allowed_files = &self.arguments.allow_file;
        let options =
            ReadOptions { source_name: name.as_deref(), strictness, limits: &limits, allowed_files };
        let package = item.read(&options, self.config.limits.zip as u64)?;
        let version = item.version.as_ref().map(|text| Ok((text.parse()?, text.clone())));
        let version = version.transpose().map_err(|why: NameError| why.to_string())?;
        let prepared = self.registry.prepare(&package).map_err(|why| with_causes(&why))?;
        Ok(ReadPackage { package, version, prepared })
    }

    /// Stores a package's archive unless the package would be refused as things are. Runs for
    /// several packages at once, so that the disk syncs their files together.
    fn store(&self, item: &FoundPackage, mut read: ReadPackage) -> Result<ReadPackage, String> {
        let (caller, input) = (self.caller(), self.input(item, &read.package, &read.version));
        match self.registry.store_if_accepted(&caller, &input, &mut read.prepared) {
            // A package before this one may change that: `publish` decides.
            Ok(_) | Err(PublishError::Commit(CommitError::Op(_))) => Ok(read),
            Err(why) => Err(with_causes(&why)),
        }
    }

    /// Publishes one package, after all before it. Its row is not durable yet. The error is the
    /// reason for the refusal.
    fn publish(&self, item: &FoundPackage, read: ReadPackage) -> Result<PublishReply, String> {
        let input = self.input(item, &read.package, &read.version);
        let published = self.registry.publish_prepared(&self.caller(), &input, read.prepared);
        published.map(|done| done.reply).map_err(|why| with_causes(&why))
    }

    fn input<'a>(
        &self,
        item: &FoundPackage,
        package: &'a Package,
        version: &Option<(TolerantVersion, String)>,
    ) -> PublishInput<'a> {
        PublishInput {
            package,
            namespace: self.arguments.namespace.clone().or_else(|| item.namespace.clone()),
            requested_name: item.slug.clone().map(|slug| RequestedName { namespace: None, slug }),
            on_namespace_conflict: NamespaceConflict::Override,
            version: version.clone(),
            changelog: String::new(),
            tags: Vec::new(),
            source_published_at: item.published,
            attestation: None,
            wait_level: None,
            source: None,
            quotas: registry::quotas::Quotas::UNLIMITED,
        }
    }

    fn caller(&self) -> Caller {
        operator(Some(self.arguments.handle.clone()))
    }

    /// Creates the namespace of a package that was read, unless it exists. An invalid package
    /// leaves no empty namespace, and a new namespace accepts every valid package. The error is the
    /// reason for the refusal.
    fn create_namespace(&self, item: &FoundPackage) -> Result<(), String> {
        let Some(namespace) = item.namespace.as_ref().filter(|_| self.arguments.namespace.is_none()) else {
            return Ok(());
        };
        if self.registry.read(|catalog| catalog.namespace(namespace).is_some()) {
            return Ok(());
        }
        let input = CreateNamespace {
            slug: namespace.clone(),
            display_name: None,
            description: String::new(),
            review_required: false,
            creation: registry::access::NamespaceCreation::Open,
            quotas: registry::quotas::Quotas::UNLIMITED,
        };
        let created =
            self.registry.commit_unsynced(&self.caller(), |context| namespaces::create(context, &input));
        created.map(drop).map_err(|why| with_causes(&why))
    }
}
