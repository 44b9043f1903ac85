//! `skillmirror token`: issues tokens.

use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use registry::names::Handle;
use registry::ops::tokens::{self, IssueToken};
use registry::private::{Scope, Scopes, Secret};
use registry::time::Timestamp;

use crate::Failure;
use crate::await_tree::await_tree;
use crate::config::Config;
use crate::open_registry::{open, operator};
use crate::output::print;
use crate::time_arg::duration;

/// What to do with tokens.
#[derive(Subcommand)]
pub enum Command {
    /// Issue a token and print only it on standard output
    Issue {
        /// The user
        handle: Handle,
        /// The name of the token in the list of the user
        #[arg(long)]
        name: String,
        /// The scopes of the token: read, publish, social, manage, tokens
        /// [default: all]
        #[arg(long, value_delimiter = ',', value_name = "A,B")]
        scopes: Option<Vec<Scope>>,
        /// The time until it expires: 30d, 12h, 45m [default: never]
        #[arg(long, value_name = "TIME", value_parser = duration)]
        expires: Option<Duration>,
    },
}

/// Runs the command.
pub fn run(config: &Config, command: Command) -> Result<ExitCode, Failure> {
    let Command::Issue { handle, name, scopes, expires } = command;
    let registry = open(config)?.registry;
    let secret = Secret::generate()?;
    let input = IssueToken {
        handle: Some(handle),
        name,
        scopes: Some(scopes.map_or_else(Scopes::all, Scopes::from)),
        expires_at: expires.map(|span| Timestamp::now().plus(span)),
        digest: secret.digest(),
        prefix: secret.prefix(),
    };
    registry.commit(&operator(None), |context| tokens::issue(context, &input))?;
    print(&format!("{}\n", secret.reveal()))?;
    // The first command on an empty data folder creates the first public row.
    await_tree(config, &registry);
    Ok(ExitCode::SUCCESS)
}
