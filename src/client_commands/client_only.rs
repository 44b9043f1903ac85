//! What a build without the commands of operators has instead of theirs.

use std::process::ExitCode;

use clap::{Args, Subcommand};

pub use super::installed::verify::Arguments as VerifyArguments;
use super::team::token::{self, CreateArguments, ListArguments, RevokeArguments};

/// The folders of a registry, which this build does not know.
#[derive(Args)]
pub struct Folders {}

/// Create, list and revoke your own tokens at a registry
#[derive(Subcommand)]
#[command(after_help = "
    token create ci --scopes read,publish  # A token of your own, at the registry of your login
    token list                             # Your tokens
    token revoke 17                        # End one
")]
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

/// Verifies packages and installed skills.
pub fn verify_in(_: Folders, arguments: &VerifyArguments) -> ExitCode {
    arguments.run()
}

/// Runs a command on your own tokens.
pub fn token_in(_: Folders, command: TokenCommand) -> ExitCode {
    match command {
        TokenCommand::Create(new) => new.options.run(|chosen| token::create(&new, chosen)),
        TokenCommand::List(own) => own.options.run(|chosen| token::list(&own, chosen)),
        TokenCommand::Revoke(own) => own.options.run(|chosen| token::revoke(&own, chosen)),
    }
}
