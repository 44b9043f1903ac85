//! Commands of which operators have more, in a build without the commands of operators.

use std::process::ExitCode;

use clap::Subcommand;

use super::own_token::{self, CreateArguments, ListArguments, RevokeArguments};
use super::verify;

/// A command that the other build has in the module `operator`.
#[derive(Subcommand)]
pub enum ClientOnlyCommand {
    /// Verify packages and installed skills
    ///
    /// It proves that they are in the signed history of their registry.
    #[command(mut_arg("paths", |paths| {
        paths.help("Packages (.zip), installed skills, or folders of them [default: the skills of this project]")
    }))]
    Verify(verify::Arguments),
    /// Create, list and revoke your own tokens at a registry
    #[command(subcommand)]
    Token(TokenCommand),
}

/// What to do with your own tokens.
#[derive(Subcommand)]
pub enum TokenCommand {
    /// Create a token for yourself. Its text is shown this once
    ///
    /// `read` sees members, reviews and your own things, `publish` publishes, `social` stars and rates,
    /// `manage` changes skills, teams, reviews and your account, and `tokens` makes tokens.
    Create(CreateArguments),
    /// List your own tokens
    List(ListArguments),
    /// Revoke a token, and all tokens that were made with it
    Revoke(RevokeArguments),
}

impl ClientOnlyCommand {
    /// Runs the command and prints its result.
    pub fn run(&self) -> ExitCode {
        match self {
            Self::Verify(arguments) => arguments.run(),
            Self::Token(TokenCommand::Create(new)) => {
                new.options.run(|chosen| own_token::create(new, chosen))
            }
            Self::Token(TokenCommand::List(own)) => own.options.run(|chosen| own_token::list(own, chosen)),
            Self::Token(TokenCommand::Revoke(own)) => {
                own.options.run(|chosen| own_token::revoke(own, chosen))
            }
        }
    }
}
