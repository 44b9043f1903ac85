//! Comparing a tree that a server may be writing to.
//!
//! Our state of the registry stands still while a comparison runs, and a server
//! goes on: what it writes meanwhile looks like a difference. So what differs
//! is compared again, against a newer state, for as long as anything moves.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::Sources;
use generator::render::RenderContext;
use generator::settings::TreeSettings;
use generator::tree::{Difference, State, Tree, VerifyError, verify, verify_file};
use registry::Registry;
use registry::local::LocalStore;
use registry::public::PublicCatalog;

use crate::Failure;
use crate::config::Config;
use crate::open_registry::Opened;

/// How often a tree that moves is looked at; then the last word counts.
const ROUNDS: usize = 10;

/// How often the head is looked at while another process does the work. A short
/// time: so may be the moment in which tree and registry agree.
const LOOK: Duration = Duration::from_millis(2);

/// How long that process has, even where `mirror.wait_timeout` is shorter.
const LEAST_PATIENCE: Duration = Duration::from_secs(2);

/// A registry and a tree.
pub struct Comparison {
    registry: Arc<Registry>,
    local: Arc<LocalStore>,
    sources: Sources,
    tree: Tree,
    settings: TreeSettings,
    patience: Duration,
}

/// What a comparison has found.
pub struct Found {
    /// What differs.
    pub differences: Vec<Difference>,
    /// The state of which everything was looked for.
    pub state: State,
}

impl Comparison {
    /// Of the configured tree with this registry.
    pub fn new(config: &Config, Opened { registry, local }: Opened) -> Self {
        let tree = Tree::at(&config.public);
        let settings = config.tree_settings(&tree);
        Self {
            sources: Sources::new(registry.public(), registry.store(), &settings),
            registry,
            local,
            tree,
            settings,
            patience: config.wait_timeout().max(LEAST_PATIENCE),
        }
    }

    /// Compares everything, and what differs again while registry or tree move.
    /// That is little and so is done between two writes, where everything may
    /// take longer than any server is at rest.
    pub fn run(&self) -> Result<Found, Failure> {
        let mut earlier: Option<Found> = None;
        let mut round = 0;
        loop {
            round += 1;
            let state = self.await_tree()?;
            let head = self.head();
            let compared = match &earlier {
                None => self.everything(),
                Some(found) => self.again(&found.differences),
            };
            let is_done = matches!(&compared, Ok(differences) if differences.is_empty())
                || round == ROUNDS
                || (self.head() == head && self.catch_up()? == state);
            let differences = match compared {
                // A folder went while it was read: as if not compared yet.
                Err(VerifyError::Io(why)) if !is_done && why.kind() == ErrorKind::NotFound => continue,
                compared => compared?,
            };
            let state = earlier.map_or(state, |found| found.state);
            let found = Found { differences, state };
            if is_done {
                return Ok(found);
            }
            earlier = Some(found);
        }
    }

    /// Takes in what others have written, and returns the public state.
    fn catch_up(&self) -> Result<State, Failure> {
        self.registry.catch_up()?;
        self.registry.refresh_counters(&self.local)?;
        Ok(State::of(&self.registry.public().read()))
    }

    fn head(&self) -> Option<State> {
        self.tree.head().map(|head| head.state())
    }

    /// Catches up, and waits until the tree has got there too where another
    /// process keeps it.
    fn await_tree(&self) -> Result<State, Failure> {
        let state = self.catch_up()?;
        let epoch = self.registry.public().read().feed().epoch().clone();
        let end = Instant::now() + self.patience;
        while !self.tree.holds(&epoch).covers(state) && self.tree.lock()?.is_none() && Instant::now() < end {
            std::thread::sleep(LOOK);
        }
        Ok(state)
    }

    fn view<'a>(&'a self, catalog: &'a PublicCatalog) -> RenderContext<'a> {
        let Sources { search, store, .. } = &self.sources;
        RenderContext { catalog, search, store: &**store, settings: &self.settings }
    }

    fn everything(&self) -> Result<Vec<Difference>, VerifyError> {
        verify(&self.tree, self.view(&self.sources.public.read()))
    }

    /// Which of these still differ.
    fn again(&self, earlier: &[Difference]) -> Result<Vec<Difference>, VerifyError> {
        let catalog = self.sources.public.read();
        let view = self.view(&catalog);
        let mut still = Vec::new();
        for Difference { file, .. } in earlier {
            let fault = verify_file(&self.tree, view, file)?;
            still.extend(fault.map(|fault| Difference { file: file.clone(), fault }));
        }
        Ok(still)
    }
}
