//! `skillmirror mcp`: the skills of a registry for agents, over standard input and output.

mod installer;
#[cfg(feature = "operator")]
mod snapshot;
mod source;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use ::mcp::SkillServer;
use clap::Args;
use client::Source;
use client::policy::Policy;
use registry::with_causes;

use super::registry_options::RegistryNames;
use crate::Failure;
use crate::output::print_error;
use crate::process::log::{LogFormat, log_to_standard_error};
use installer::FolderInstaller;
use source::RegistrySource;

/// Serve a registry's skills to an agent, by MCP
///
/// Speaks the Model Context Protocol over standard input and output. An agent starts it itself.
#[derive(Args)]
#[cfg_attr(
    feature = "operator",
    command(after_help = "
    mcp                                 # Let an agent read the skills of the registry of your login
    mcp --allow-install .claude/skills  # Also let it install, into this folder only
    mcp --snapshot skills.tar.zst       # Read a snapshot instead of a registry
")
)]
#[cfg_attr(
    not(feature = "operator"),
    command(after_help = "
    mcp                                 # Let an agent read the skills of the registry of your login
    mcp --allow-install .claude/skills  # Also let it install, into this folder only
    mcp --registry file:///srv/skills   # Read the tree of a registry in a folder
")
)]
pub struct Arguments {
    /// Offer a tool that installs skills, into this folder only
    #[arg(long, value_name = "DIR")]
    allow_install: Option<PathBuf>,
    #[cfg(feature = "operator")]
    #[command(flatten)]
    snapshot: snapshot::SnapshotArguments,
    #[command(flatten)]
    names: RegistryNames,
}

/// Answers requests until standard input ends.
pub fn run(arguments: &Arguments) -> ExitCode {
    if std::io::stdin().is_terminal() {
        print_error(
            "`mcp` gives the skills of a registry to an agent, which starts it and speaks to it by MCP: it has nothing to \
             say at a terminal. Add it to your agent, for example with `claude mcp add skills -- skillmirror mcp \
             --registry URL`, or in the agent's settings with the command `skillmirror` and the arguments `mcp`, \
             `--registry` and URL",
        );
        return ExitCode::FAILURE;
    }
    match serve(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            print_error(with_causes(&*why));
            ExitCode::FAILURE
        }
    }
}

fn open(arguments: &Arguments) -> Result<Source, Failure> {
    #[cfg(feature = "operator")]
    if let Some(source) = arguments.snapshot.source()? {
        return Ok(source);
    }
    let chosen = arguments.names.choose()?;
    Ok(chosen.source().map_err(|why| chosen.explain(why))?)
}

fn serve(arguments: &Arguments) -> Result<(), Failure> {
    log_to_standard_error(LogFormat::default());
    // A mistake in it is told at once. Each request reads it again.
    Policy::load()?;
    let source = Arc::new(open(arguments)?);
    let installer = arguments.allow_install.as_ref().map(|folder| {
        let installer = FolderInstaller::new(Arc::clone(&source), folder);
        Box::new(installer) as Box<dyn mcp::Installer>
    });
    let server = SkillServer::new(Arc::new(RegistrySource(source)), installer);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(mcp::stdio::serve(server));
    // A pending read of standard input must not keep the process alive.
    runtime.shutdown_background();
    Ok(served?)
}
