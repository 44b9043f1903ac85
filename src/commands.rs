//! All commands, in the groups and the order of `skillmirror --help`.
//!
//! Each command has a file of its own with its arguments, its description, its examples and what it does. The
//! groups for operators are in [`crate::operator`].

use std::process::ExitCode;

use clap::Subcommand;

use crate::Failure;
#[cfg(feature = "operator")]
use crate::arguments::folders::Folders;
#[cfg(not(feature = "operator"))]
use crate::client_commands::client_only::{Folders, TokenCommand, VerifyArguments, token_in, verify_in};
use crate::client_commands::installed::{install, list, outdated, sbom, uninstall, update};
use crate::client_commands::team::{
    advisory, bundle, me, member, namespace, opinion, promote, publisher, removal, review, session, tag,
    transfer, yank,
};
use crate::client_commands::writing::{check, diff, init, pack};
use crate::client_commands::{account, agents, info, mcp, policy, publish, resolve, search, trust};
use crate::help::{completions, man};
#[cfg(feature = "operator")]
use crate::operator::{
    MirrorCommand, RunCommand,
    token::{Command as TokenCommand, token_in},
    verify::{VerifyArguments, verify_in},
};

/// A command of the program.
#[derive(Subcommand)]
pub enum Command {
    #[command(flatten)]
    Use(UseCommand),
    #[command(flatten)]
    Write(WriteCommand),
    #[command(flatten)]
    Team(TeamCommand),
    #[cfg(feature = "operator")]
    #[command(flatten)]
    Run(RunCommand),
    #[cfg(feature = "operator")]
    #[command(flatten)]
    Mirror(MirrorCommand),
    #[command(flatten)]
    Program(ProgramCommand),
}

/// The groups with their commands, named as their headings.
pub fn groups() -> Vec<clap::Command> {
    vec![
        UseCommand::augment_subcommands(clap::Command::new("Use skills")),
        WriteCommand::augment_subcommands(clap::Command::new("Write skills")),
        TeamCommand::augment_subcommands(clap::Command::new("Work in a team")),
        #[cfg(feature = "operator")]
        RunCommand::augment_subcommands(clap::Command::new("Run a registry")),
        #[cfg(feature = "operator")]
        MirrorCommand::augment_subcommands(clap::Command::new("Keep trees and mirrors")),
        ProgramCommand::augment_subcommands(clap::Command::new("This program")),
    ]
}

/// A command that finds and installs skills.
#[derive(Subcommand)]
pub enum UseCommand {
    #[command(visible_alias = "find")]
    Search(search::Arguments),
    #[command(visible_aliases = ["show", "view"])]
    Info(info::Arguments),
    #[command(visible_alias = "add")]
    Install(install::Arguments),
    #[command(visible_alias = "ls")]
    List(list::Arguments),
    Outdated(outdated::Arguments),
    Update(update::Arguments),
    #[command(visible_aliases = ["remove", "rm"])]
    Uninstall(uninstall::Arguments),
    Resolve(resolve::Arguments),
    Verify(VerifyArguments),
    Sbom(sbom::Arguments),
    #[command(subcommand)]
    Advisory(advisory::Command),
    #[command(subcommand)]
    Policy(policy::Command),
    #[command(subcommand)]
    Trust(trust::Command),
    Agents(agents::Arguments),
    Mcp(mcp::Arguments),
}

/// A command for people who write skills.
#[derive(Subcommand)]
pub enum WriteCommand {
    #[command(visible_alias = "new")]
    Init(init::Arguments),
    #[command(visible_alias = "lint")]
    Check(check::Arguments),
    Diff(diff::Arguments),
    Pack(pack::Arguments),
    Publish(publish::Arguments),
}

/// A command of people with an account.
#[derive(Subcommand)]
pub enum TeamCommand {
    Login(account::LoginArguments),
    Logout(account::LogoutArguments),
    Whoami(account::WhoamiArguments),
    Me(me::Arguments),
    #[command(subcommand)]
    Namespace(namespace::Command),
    #[command(subcommand)]
    Member(member::Command),
    #[command(subcommand)]
    Bundle(bundle::Command),
    #[command(subcommand)]
    Publisher(publisher::Command),
    #[command(subcommand)]
    Review(review::Command),
    #[command(subcommand)]
    Tag(tag::Command),
    Yank(yank::YankArguments),
    Unyank(yank::UnyankArguments),
    Delete(removal::DeleteArguments),
    Restore(removal::RestoreArguments),
    #[command(subcommand)]
    Transfer(transfer::Command),
    Promote(promote::Arguments),
    Star(opinion::StarArguments),
    Unstar(opinion::UnstarArguments),
    Rate(opinion::RateArguments),
    #[command(subcommand)]
    Token(TokenCommand),
    #[command(subcommand)]
    Session(session::Command),
}

/// A command about the program itself.
#[derive(Subcommand)]
pub enum ProgramCommand {
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// The commands of `RunCommand` and `MirrorCommand`, for the message of a build without them. It leaves out
/// `upgrade`: who has no registry and types it means `update`, which clap suggests.
#[cfg(any(test, not(feature = "operator")))]
pub const OF_OPERATORS: &str = "serve user import source hosts audit downloads count-downloads scan gc journal key read-key generate watch snapshot";

/// Whether the command with this name has the options of [`Folders`].
#[cfg(feature = "operator")]
pub fn has_folders(name: &str) -> bool {
    let is_for_both = ["verify", "token"].contains(&name);
    is_for_both || RunCommand::has_subcommand(name) || MirrorCommand::has_subcommand(name)
}

impl Command {
    /// Whether the command runs until SIGTERM, so that it has no result.
    #[cfg(feature = "operator")]
    pub fn runs_on(&self) -> bool {
        match self {
            Self::Run(command) => command.runs_on(),
            Self::Mirror(command) => command.runs_on(),
            _ => false,
        }
    }
}

impl UseCommand {
    /// Runs the command and prints its result.
    pub fn run(self, folders: Folders) -> ExitCode {
        match self {
            Self::Search(arguments) => arguments.options.run(|chosen| search::run(&arguments, chosen)),
            Self::Info(arguments) => arguments.run(),
            Self::Install(arguments) => install::run(&arguments),
            Self::List(arguments) => list::run(&arguments),
            Self::Outdated(arguments) => outdated::run(&arguments),
            Self::Update(arguments) => update::run(&arguments),
            Self::Uninstall(arguments) => uninstall::run(&arguments),
            Self::Resolve(arguments) => resolve::run(&arguments),
            Self::Sbom(arguments) => sbom::run(&arguments),
            Self::Advisory(command) => advisory::run(&command),
            Self::Policy(command) => policy::run(&command),
            Self::Verify(arguments) => verify_in(folders, &arguments),
            Self::Trust(command) => trust::run(&command),
            Self::Agents(arguments) => agents::run(&arguments),
            Self::Mcp(arguments) => mcp::run(&arguments),
        }
    }
}

impl WriteCommand {
    /// Runs the command and prints its result.
    pub fn run(self) -> ExitCode {
        match self {
            Self::Init(arguments) => init::run(&arguments),
            Self::Check(arguments) => check::run(&arguments),
            Self::Diff(arguments) => diff::run(&arguments),
            Self::Pack(arguments) => pack::run(&arguments),
            Self::Publish(arguments) => arguments.options.run(|chosen| publish::run(&arguments, chosen)),
        }
    }
}

impl TeamCommand {
    /// Runs the command and prints its result.
    pub fn run(self, folders: Folders) -> ExitCode {
        match self {
            Self::Login(arguments) => arguments.options.run(|chosen| account::login(&arguments, chosen)),
            Self::Logout(arguments) => arguments.options.run(|chosen| account::logout(&arguments, chosen)),
            Self::Whoami(arguments) => arguments.options.run(account::whoami),
            Self::Me(arguments) => arguments.options.run(|chosen| me::run(&arguments, chosen)),
            Self::Namespace(command) => namespace::run(&command),
            Self::Member(command) => member::run(&command),
            Self::Bundle(command) => bundle::run(&command),
            Self::Publisher(command) => publisher::run(&command),
            Self::Review(command) => review::run(&command),
            Self::Tag(command) => tag::run(&command),
            Self::Yank(arguments) => arguments.options.run(|chosen| yank::yank(&arguments, chosen)),
            Self::Unyank(arguments) => arguments.options.run(|chosen| yank::unyank(&arguments, chosen)),
            Self::Delete(arguments) => arguments.options.run(|chosen| removal::delete(&arguments, chosen)),
            Self::Restore(arguments) => arguments.options.run(|chosen| removal::restore(&arguments, chosen)),
            Self::Transfer(command) => transfer::run(&command),
            Self::Promote(arguments) => arguments.options.run(|chosen| promote::run(&arguments, chosen)),
            Self::Star(arguments) => arguments.options.run(|chosen| opinion::star(&arguments, chosen)),
            Self::Unstar(arguments) => arguments.options.run(|chosen| opinion::unstar(&arguments, chosen)),
            Self::Rate(arguments) => arguments.options.run(|chosen| opinion::rate(&arguments, chosen)),
            Self::Token(command) => token_in(folders, command),
            Self::Session(command) => session::run(&command),
        }
    }
}

impl ProgramCommand {
    /// Runs the command. `program` describes all commands.
    pub fn run(&self, program: clap::Command) -> Result<ExitCode, Failure> {
        match self {
            Self::Completions(arguments) => completions::run(arguments, program),
            Self::Man(arguments) => man::run(arguments, program),
        }
    }
}

#[cfg(all(test, feature = "operator"))]
mod tests {
    use super::*;

    #[test]
    fn client_only_build_knows_the_names_of_the_other_commands() {
        let known: Vec<_> = OF_OPERATORS.split(' ').chain(["upgrade"]).collect();
        for group in [RunCommand::augment_subcommands, MirrorCommand::augment_subcommands] {
            for command in group(clap::Command::new("group")).get_subcommands() {
                let name = command.get_name();
                assert!(known.contains(&name), "add `{name}` to OF_OPERATORS");
            }
        }
        assert!(known.iter().all(|name| has_folders(name)), "{known:?}");
    }
}
