//! `skillmirror verify`: is the tree what it should be?

use std::process::ExitCode;
use std::time::{Duration, Instant};

use generator::render::View;
use generator::tree::{Tree, verify};

use crate::Failure;
use crate::config::Config;
use crate::store::open_existing;

/// Runs the command. Exit code 1 where tree and journal differ.
pub fn run(config: &Config) -> Result<ExitCode, Failure> {
    let registry = open_existing(config)?.registry;
    let tree = Tree::at(&config.public);
    let public = registry.public();
    let catalog = public.read();
    // A server at work may be about to write what was committed just now.
    let patience = Instant::now() + config.wait_timeout();
    let is_behind = || tree.holds(catalog.feed().epoch()) < catalog.revision();
    while is_behind() && tree.lock()?.is_none() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
    let store = registry.store();
    let settings = config.tree_settings();
    let differences = verify(&tree, View { catalog: &catalog, store: &*store, settings: &settings })?;
    for difference in &differences {
        println!("{:10} {}", difference.fault, difference.file);
    }
    if differences.is_empty() {
        println!(
            "{} holds everything up to revision {} and nothing else",
            config.public.display(),
            catalog.revision()
        );
        return Ok(ExitCode::SUCCESS);
    }
    let (files, differ) = if differences.len() == 1 { ("file", "differs") } else { ("files", "differ") };
    eprintln!(
        "skillmirror: {} {files} of {} {differ} from the journal: `skillmirror generate` mends that",
        differences.len(),
        config.public.display()
    );
    Ok(ExitCode::FAILURE)
}
