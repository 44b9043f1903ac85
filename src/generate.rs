//! `skillmirror generate`: the whole tree, made anew.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use generator::Mirror;
use generator::tree::Tree;

use crate::Failure;
use crate::config::Config;
use crate::folders::keep_apart;
use crate::store::open_existing;

/// How to generate.
#[derive(Args)]
pub struct Arguments {
    /// Into another folder than the configured output folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let folder = match &arguments.out {
        Some(out) => keep_apart(&config.data, out, "--out")?,
        None => config.public.clone(),
    };
    let registry = open_existing(config)?.registry;
    let tree = Tree::at(&folder);
    let Some(locked) = tree.lock()? else {
        let shown = folder.display();
        return Err(format!(
            "another process keeps {shown}: stop it first, or generate into another folder with --out DIR"
        )
        .into());
    };
    let mut mirror = Mirror::new(registry.public(), registry.store(), config.tree_settings(), locked);
    let revision = mirror.generate()?;
    mirror.persist()?;
    println!("{} holds everything up to revision {revision}", folder.display());
    Ok(ExitCode::SUCCESS)
}
