//! `skillmirror import`: publishes existing packages.

mod find;
mod manifest;
mod outcome;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use registry::names::{Handle, NameError, Namespace};
use registry::ops::namespaces::{self, CreateNamespace};
use registry::ops::publish::NamespaceConflict;
use registry::package::{ReadOptions, RequestedName, Strictness};
use registry::publishing::{PublishInput, PublishMode};
use registry::{CommitError, Registry};

use crate::Failure;
use crate::await_tree::await_tree;
use crate::config::Config;
use crate::open_registry::{open, operator};
use crate::output::{progress_bar, with_causes};
use find::Item;
use outcome::Outcome;

/// What to import, and how.
#[derive(Args)]
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
}

/// Runs the command. The exit code is 1 if packages were refused and none was accepted.
pub fn run(config: &Config, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let registry = open(config)?.registry;
    if registry.read(|catalog| catalog.private.user(&arguments.handle).is_none()) {
        let handle = &arguments.handle;
        return Err(format!("no user `{handle}`: add one with `skillmirror user add {handle}`").into());
    }
    let mut outcome = Outcome::default();
    let mut items = Vec::new();
    for path in &arguments.paths {
        match find::find(path) {
            Ok(found) => items.extend(found),
            Err(why) => outcome.refused(path, None, &why),
        }
    }
    let importer = Importer { config, arguments, registry };
    let bar = progress_bar(items.len() as u64, "{bar:30} {pos}/{len} {wide_msg}");
    for item in &items {
        bar.set_message(item.name().unwrap_or_default());
        match importer.import(item) {
            Ok(is_new) => outcome.accepted(is_new),
            Err(why) => outcome.refused(&item.path, item.version.as_deref(), &why),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let code = outcome.report();
    await_tree(config, &importer.registry);
    code
}

struct Importer<'a> {
    config: &'a Config,
    arguments: &'a Arguments,
    registry: Arc<Registry>,
}

impl Importer<'_> {
    /// Publishes one package, and returns whether it is new. The error is the reason for the
    /// refusal.
    fn import(&self, item: &Item) -> Result<bool, String> {
        let limits = self.config.package_limits();
        let strictness = if self.arguments.tolerant { Strictness::Tolerant } else { Strictness::Strict };
        let name = item.name();
        let options = ReadOptions { source_name: name.as_deref(), strictness, limits: &limits };
        let package = item.read(&options, self.config.limits.zip as u64)?;
        let version = item.version.as_ref().map(|text| Ok((text.parse()?, text.clone())));
        let version = version.transpose().map_err(|why: NameError| why.to_string())?;
        // Created only now, so that an invalid package leaves no empty namespace. A new
        // namespace accepts every valid package.
        if let Some(namespace) = item.namespace.as_ref().filter(|_| self.arguments.namespace.is_none()) {
            self.create_namespace(namespace).map_err(|why| with_causes(&why))?;
        }
        let input = PublishInput {
            package: &package,
            namespace: self.arguments.namespace.clone().or_else(|| item.namespace.clone()),
            requested_name: item.slug.clone().map(|slug| RequestedName { namespace: None, slug }),
            on_namespace_conflict: NamespaceConflict::Override,
            version,
            changelog: String::new(),
            tags: Vec::new(),
            source_published_at: item.published,
        };
        let caller = operator(Some(self.arguments.handle.clone()));
        let published = self.registry.publish(&caller, input, PublishMode::Commit);
        published.map(|done| done.revision.is_some()).map_err(|why| with_causes(&why))
    }

    fn create_namespace(&self, namespace: &Namespace) -> Result<(), CommitError> {
        if self.registry.read(|catalog| catalog.namespace(namespace).is_some()) {
            return Ok(());
        }
        let input = CreateNamespace {
            slug: namespace.clone(),
            display_name: None,
            description: String::new(),
            review_required: false,
            creation: registry::access::NamespaceCreation::Open,
        };
        let caller = operator(Some(self.arguments.handle.clone()));
        self.registry.commit(&caller, |context| namespaces::create(context, &input))?;
        Ok(())
    }
}
