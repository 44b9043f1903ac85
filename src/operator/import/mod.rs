//! `skillmirror import`: packages that are there already come in.

mod find;
mod item;
mod manifest;
mod outcome;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use registry::names::{Handle, NameError, Namespace};
use registry::ops::create_namespace::{CreateNamespace, create_namespace};
use registry::ops::publish::NamespaceConflict;
use registry::package::{ReadOptions, RequestedName, Strictness};
use registry::publishing::{PublishInput, PublishMode};
use registry::{CommitError, Registry};

use crate::Failure;
use crate::await_tree::await_tree;
use crate::config::Config;
use crate::open_registry::{open, operator};
use item::Item;
use outcome::Outcome;

/// What to import, and how.
#[derive(Args)]
pub struct Arguments {
    /// Skill folders, folders of skill folders, or zips
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Into this namespace, whatever the packages say
    #[arg(long, value_name = "NS")]
    namespace: Option<Namespace>,
    /// For whom
    #[arg(long = "as", value_name = "HANDLE", default_value = "admin")]
    handle: Handle,
    /// Repair what can be repaired, with a warning for each repair
    #[arg(long)]
    tolerant: bool,
}

/// Runs the command. Exit code 1 where something was refused and nothing
/// accepted.
pub fn run(config: &Config, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let registry = open(config)?.registry;
    if registry.read(|catalog| catalog.private.user(&arguments.handle).is_none()) {
        let handle = &arguments.handle;
        return Err(
            format!("there is no user `{handle}`: add one with `skillmirror user add {handle}`").into()
        );
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
    let bar = progress(items.len());
    for item in &items {
        bar.set_message(item.shown());
        match importer.import(item) {
            Ok(is_new) => outcome.accepted(is_new),
            Err(why) => outcome.refused(&item.path, item.version.as_deref(), &why),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let code = outcome.report();
    await_tree(config, &importer.registry);
    Ok(code)
}

/// A bar on a terminal; nothing elsewhere.
fn progress(items: usize) -> ProgressBar {
    let bar = ProgressBar::new(items as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

struct Importer<'a> {
    config: &'a Config,
    arguments: &'a Arguments,
    registry: Arc<Registry>,
}

impl Importer<'_> {
    /// Publishes one package. Returns whether it was new; the error is the
    /// reason of a refusal.
    fn import(&self, item: &Item) -> Result<bool, String> {
        let limits = self.config.package_limits();
        let strictness = if self.arguments.tolerant { Strictness::Tolerant } else { Strictness::Strict };
        let name = item.name();
        let options = ReadOptions { source_name: name.as_deref(), strictness, limits: &limits };
        let package = item.read(&options, self.config.zip_limit())?;
        let version = item.version.as_ref().map(|text| Ok((text.parse()?, text.clone())));
        let version = version.transpose().map_err(|why: NameError| why.to_string())?;
        // Last, for a package that is refused must not leave a namespace behind;
        // with names and version understood, a new one takes whatever comes.
        if let Some(namespace) = item.namespace.as_ref().filter(|_| self.arguments.namespace.is_none()) {
            self.make_namespace(namespace).map_err(|why| why.to_string())?;
        }
        let incoming = PublishInput {
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
        let published = self.registry.publish(&caller, incoming, PublishMode::Commit);
        published.map(|done| done.revision.is_some()).map_err(|why| why.to_string())
    }

    fn make_namespace(&self, namespace: &Namespace) -> Result<(), CommitError> {
        if self.registry.read(|catalog| catalog.namespace(namespace).is_some()) {
            return Ok(());
        }
        let input = CreateNamespace {
            slug: namespace.clone(),
            display_name: None,
            description: String::new(),
            review_required: false,
            creation: registry::access::Creation::Open,
        };
        let caller = operator(Some(self.arguments.handle.clone()));
        self.registry.commit(&caller, |context| create_namespace(context, &input))?;
        Ok(())
    }
}
