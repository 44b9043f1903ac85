//! Commands of which operators have more, in a build without the commands of operators.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use registry::public::Id;

use super::RegistryOptions;
use super::own_token::{self, Confirmation, CreateArguments, ListPage};
use super::verify;

/// A command that the other build has in the module `operator`.
#[derive(Subcommand)]
pub enum ClientOnlyCommand {
    /// Verify packages and installed skills
    ///
    /// It proves that they are in the signed history of their registry.
    #[command(mut_arg("paths", |paths| {
        paths.required(true).help("Packages (.zip), installed skills, or folders of them")
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
    Create(CreateArguments),
    /// List your own tokens
    List(List),
    /// Revoke a token, and all tokens that were made with it
    Revoke(Revoke),
}

/// Which tokens to list.
#[derive(Args)]
pub struct List {
    #[command(flatten)]
    page: ListPage,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A token to revoke.
#[derive(Args)]
pub struct Revoke {
    /// The id, as `token list` shows it
    id: Id,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    options: RegistryOptions,
}

impl ClientOnlyCommand {
    /// Runs the command and prints its result.
    pub fn run(&self) -> ExitCode {
        match self {
            Self::Verify(arguments) => arguments.run(),
            Self::Token(TokenCommand::Create(new)) => {
                new.options.run(|chosen| own_token::create(new, chosen))
            }
            Self::Token(TokenCommand::List(List { page, options })) => {
                options.run(|chosen| own_token::list(page, chosen))
            }
            Self::Token(TokenCommand::Revoke(Revoke { id, confirmation, options })) => {
                options.run(|chosen| own_token::revoke(*id, confirmation, chosen))
            }
        }
    }
}
