//! `skillmirror verify`: compares the tree with the journal while a server may be writing to both.
//!
//! A comparison uses one state of the registry, so a file that the server writes meanwhile
//! looks like a difference. Differences are therefore compared again with a newer state, as
//! long as tree or journal change.

use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use generator::Sources;
use generator::render::RenderContext;
use generator::settings::TreeSettings;
use generator::tree::{Difference, State, Tree, VerifyError, verify, verify_file};
use registry::Registry;
use registry::journal::{Revision, SqliteJournal};
use registry::local::LocalStore;
use registry::public::PublicCatalog;
use serde::Serialize;

use crate::Failure;
use crate::arguments::folders::Folders;
use crate::client_commands::installed;
use crate::config::{self, Config};
use crate::engines::{ComparedBucket, ObjectDifference, compare_bucket};
use crate::operator::run_in;
use crate::output::Printer;
use crate::storage::open_registry::{Opened, open_existing};
use crate::tree::tree_progress::tree_progress;

/// The most comparisons of a changing tree. The last one counts.
const MAX_ROUNDS: usize = 10;

/// The pause between two looks at the head while another process writes the tree. It is short,
/// because tree and registry may agree only for a moment.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The least time that the other process gets, even if `mirror.wait_timeout` is shorter.
const MIN_WAIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The result, for programs.
#[derive(Serialize)]
struct Verified {
    /// The public revision of the journal.
    revision: Revision,
    differences: Vec<Difference>,
    /// How the bucket of the settings differs. It is compared if the tree is right.
    bucket: Option<Vec<ObjectDifference>>,
}

/// Verify installed skills, packages, or a registry's own tree
///
/// Proves that packages and installed skills are in the signed history of their registry: those at the
/// paths, or those of this project. In the folder of a registry, and with --data or --config, it compares
/// the static tree with the journal instead, and lists every wrong file.
#[derive(Args)]
#[command(after_help = "
    verify skills --offline               # Installed skills, without a network
    verify hello.zip --proof hello.proof  # A package with its proof
    verify                                # As an operator: compare the tree with the journal
")]
#[command(mut_arg("paths", |paths| {
    paths.help(
        "Packages (.zip), installed skills, or folders of them [default: the skills of this project]. In the \
         folder of a registry, or with --data or --config: its tree, compared with its journal",
    )
}))]
pub struct VerifyArguments {
    #[command(flatten)]
    skills: installed::verify::Arguments,
}

/// Verifies packages and installed skills, or else the tree of the registry that is meant.
pub fn verify_in(folders: Folders, arguments: &VerifyArguments) -> ExitCode {
    if arguments.skills.is_about_skills() || !is_of_registry(&folders) {
        return arguments.skills.run();
    }
    run_in(folders, |config, printer| run(&config, printer))
}

/// Whether a command without paths is about a registry: one is named, or has its settings or data here.
fn is_of_registry(folders: &Folders) -> bool {
    // Other projects have a folder `data` and a file `config.toml`, too.
    let has_journal = || SqliteJournal::is_in(Path::new("data")).unwrap_or(true);
    !folders.is_empty() || folders.name_a_registry() || has_journal() || config::is_here()
}

/// Compares the tree. The exit code is 1 if it differs from the journal.
fn run(config: &Config, printer: Printer) -> Result<ExitCode, Failure> {
    let ComparisonResult { differences, state } = Comparison::new(config, open_existing(config)?).run()?;
    let tree = config.public.display();
    let verified = Verified { revision: state.revision, differences, bucket: None };
    if verified.differences.is_empty() {
        return verify_bucket(config, verified, printer);
    }
    let line = |difference: &Difference| format!("{:10} {}\n", difference.fault, difference.file);
    printer.report(verified.differences.iter().map(line).collect::<String>(), &verified)?;
    let differences = verified.differences;
    let (files, differ) = if differences.len() == 1 { ("file", "differs") } else { ("files", "differ") };
    let kept = Tree::at(&config.public);
    let remedy = match kept.keeper().filter(|_| kept.lock().is_ok_and(|locked| locked.is_none())) {
        Some(id) => format!("send SIGHUP to process {id}, which keeps the tree (`kill -HUP {id}`)"),
        None => "run `skillmirror generate`".to_owned(),
    };
    let count = differences.len();
    let message =
        format!("{count} {files} in {tree} {differ} from the journal: to repair the tree, {remedy}");
    printer.failure("differs", message);
    Ok(ExitCode::FAILURE)
}

/// Compares the bucket of the settings with the tree.
fn verify_bucket(config: &Config, verified: Verified, printer: Printer) -> Result<ExitCode, Failure> {
    let (folder, revision) = (config.public.display(), verified.revision);
    let matches = format!("{folder} matches the journal up to revision {revision}\n");
    let Some(ComparedBucket { name, differences }) = compare_bucket(config)? else {
        printer.report(matches, &verified)?;
        return Ok(ExitCode::SUCCESS);
    };
    let count = differences.len();
    let line = |it: &ObjectDifference| format!("{:10} {name}/{}\n", it.fault, it.key);
    let lines = match count {
        0 => format!("{name} matches the tree\n"),
        _ => differences.iter().map(line).collect(),
    };
    printer.report(matches + &lines, &Verified { bucket: Some(differences), ..verified })?;
    if count == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let message = format!(
        "{count} objects in {name} differ from the tree: to repair the bucket, run `skillmirror generate`, or send SIGHUP to \
         the process that keeps the tree"
    );
    printer.failure("differs", message);
    Ok(ExitCode::FAILURE)
}

/// A comparison of a tree with its registry.
struct Comparison {
    registry: Arc<Registry>,
    local: Arc<LocalStore>,
    sources: Sources,
    tree: Tree,
    settings: TreeSettings,
    wait_timeout: Duration,
}

/// The result of a comparison.
struct ComparisonResult {
    /// The files that differ.
    differences: Vec<Difference>,
    /// The state of the registry in the first, complete comparison.
    state: State,
}

impl Comparison {
    /// Compares the configured tree with this registry.
    fn new(config: &Config, Opened { registry, local }: Opened) -> Self {
        let tree = Tree::at(&config.public);
        let settings = config.tree_settings(&tree);
        Self {
            sources: Sources {
                signing: config.signing(),
                ..Sources::new(registry.public(), registry.store(), &settings)
            },
            registry,
            local,
            tree,
            settings,
            wait_timeout: config.mirror.wait_timeout.max(MIN_WAIT_TIMEOUT),
        }
    }

    /// Compares everything once, then only the differences, until registry and tree no longer
    /// change. Comparing the few differences fits between two writes of a busy server.
    fn run(&self) -> Result<ComparisonResult, Failure> {
        let mut earlier: Option<ComparisonResult> = None;
        let mut round = 0;
        loop {
            round += 1;
            let state = self.await_tree()?;
            let (head, changes) = (self.head(), self.tree.completed_changes());
            let compared = match &earlier {
                None => self.compare_all(),
                Some(found) => self.compare_again(&found.differences),
            };
            let is_done = matches!(&compared, Ok(differences) if differences.is_empty())
                || round == MAX_ROUNDS
                || (self.head() == head && self.catch_up()? == state && !self.await_change(changes)?);
            let differences = match compared {
                // A folder was removed while it was read, so compare again.
                Err(VerifyError::Io(why)) if !is_done && why.kind() == ErrorKind::NotFound => continue,
                compared => compared?,
            };
            let state = earlier.map_or(state, |found| found.state);
            let found = ComparisonResult { differences, state };
            if is_done {
                return Ok(found);
            }
            earlier = Some(found);
        }
    }

    /// Reads the new rows and counters, and returns the public state.
    fn catch_up(&self) -> Result<State, Failure> {
        self.registry.catch_up()?;
        self.registry.refresh_counters(&self.local)?;
        self.tree.show_notes(&self.sources.signing);
        Ok(State::of(&self.registry.public().read()))
    }

    fn head(&self) -> Option<State> {
        self.tree.head().map(|head| State::from(&head))
    }

    /// Catches up with the registry. If another process keeps the tree, waits until the tree
    /// has caught up too.
    fn await_tree(&self) -> Result<State, Failure> {
        let state = self.catch_up()?;
        let epoch = self.registry.public().read().feed().epoch().clone();
        let end = Instant::now() + self.wait_timeout;
        while !self.tree.holds(&epoch).covers(state) && self.tree.lock()?.is_none() && Instant::now() < end {
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(state)
    }

    /// Whether another process has changed the tree since `earlier`, the number of its complete changes. Waits for the
    /// end of a change, as long as for a tree.
    fn await_change(&self, earlier: Option<u64>) -> Result<bool, Failure> {
        if earlier.is_some() && self.tree.completed_changes() == earlier {
            return Ok(false);
        }
        let end = Instant::now() + self.wait_timeout;
        while self.tree.lock()?.is_none() {
            if self.tree.completed_changes().is_some() || Instant::now() > end {
                return Ok(true);
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        // Nobody completes the change of a process that was killed.
        Ok(self.tree.completed_changes() != earlier)
    }

    fn context<'a>(&'a self, catalog: &'a PublicCatalog) -> RenderContext<'a> {
        let Sources { search, store, signing, .. } = &self.sources;
        RenderContext { catalog, search, store: &**store, settings: &self.settings, signing }
    }

    fn compare_all(&self) -> Result<Vec<Difference>, VerifyError> {
        verify(&self.tree, self.context(&self.sources.public.read()), &tree_progress())
    }

    /// The earlier differences that remain.
    fn compare_again(&self, earlier: &[Difference]) -> Result<Vec<Difference>, VerifyError> {
        let catalog = self.sources.public.read();
        let context = self.context(&catalog);
        let mut still = Vec::new();
        for Difference { file, .. } in earlier {
            let fault = verify_file(&self.tree, context, file)?;
            still.extend(fault.map(|fault| Difference { file: file.clone(), fault }));
        }
        Ok(still)
    }
}
