//! The client commands. They use a registry from outside, and need no settings, data folder
//! or tree of their own.

mod account;
mod agents;
#[cfg(not(feature = "operator"))]
mod client_only;
mod file_list;
mod info;
mod installed;
mod mcp;
mod publish;
mod registry_options;
mod resolve;
mod search;
mod team;
mod trust;
mod writing;

use std::process::ExitCode;

use clap::Subcommand;
use client::ClientError;
use client::registry_choice::RegistryChoice;
use registry::names::Coordinate;
use registry::with_causes;
use serde_json::Value;

use crate::output::Printer;
#[cfg(not(feature = "operator"))]
pub use client_only::ClientOnlyCommand;
pub use installed::verify;
use installed::{install, list, outdated, uninstall, update};
pub use registry_options::RegistryOptions;
use registry_options::SkillArguments;
pub use team::token as own_token;
use team::{me, member, namespace, opinion, promote, removal, review, tag, transfer, yank};
use writing::{check, diff, init, pack};

/// A command that uses a registry from outside.
#[derive(Subcommand)]
pub enum ClientCommand {
    /// Search a registry for skills
    #[command(visible_alias = "find")]
    Search(search::Arguments),
    /// Show a skill and its versions
    #[command(visible_aliases = ["show", "view"])]
    Info(info::Arguments),
    /// Install skills, or all that this project records
    ///
    /// Each skill becomes a folder: `skills/hello` in the working folder, or in the folder of an agent. A
    /// project records what it has in `skills.lock`. Without names, `install` restores what is recorded
    /// there, and installs what `skills.toml` wants.
    ///
    /// Before it writes anything, it checks that the package is what the registry has published and, after
    /// `skillmirror trust add`, what it has signed.
    #[command(visible_alias = "add")]
    Install(install::Arguments),
    /// Move installed skills to newer versions
    ///
    /// They move as far as their requirements allow: what was installed as `hello@1` stays below 2.0.0.
    /// Without --dir and --agent it updates all folders that `skills.lock` records.
    Update(update::Arguments),
    /// List the skills that have newer versions
    ///
    /// WANTED is the version to which `update` moves a skill: the newest that its requirement allows. LATEST
    /// is the newest of all. The exit code is 1 if any skill is listed, also if `update` would not move it.
    /// Without --dir and --agent it looks at all folders that `skills.lock` records.
    Outdated(outdated::Arguments),
    /// List the installed skills
    ///
    /// Compares the files with the record of the installation. `--verify` compares them with the registry.
    /// Without --dir and --agent it lists all folders that `skills.lock` records.
    #[command(visible_alias = "ls")]
    List(list::Arguments),
    /// Remove installed skills
    ///
    /// Without --dir and --agent a skill is removed from every folder that `skills.lock` records.
    #[command(visible_aliases = ["remove", "rm"])]
    Uninstall(uninstall::Arguments),
    /// Show which version a name resolves to
    Resolve(SkillArguments),
    /// Trust registries by the keys that sign their history
    ///
    /// A registry can sign its history. If you trust its key, `install` proves each version before it
    /// writes anything.
    #[command(subcommand)]
    Trust(trust::Command),
    /// List where skills go, for each agent
    Agents(agents::Arguments),
    /// Serve a registry's skills to an agent, by MCP
    ///
    /// Speaks the Model Context Protocol over standard input and output. An agent starts it itself.
    Mcp(mcp::Arguments),
    /// Write a first SKILL.md
    ///
    /// Asks for the name, the description and the license, and writes a SKILL.md that passes
    /// `skillmirror check`. It never replaces a file.
    #[command(visible_alias = "new")]
    Init(init::Arguments),
    /// Say everything that publishing would, without a registry
    ///
    /// Reads the folder as `publish` does: the files that ignore files leave, the front matter, secrets and
    /// size limits. The exit code is 1 if there are errors, and 0 if there are only warnings.
    #[command(visible_alias = "lint")]
    Check(check::Arguments),
    /// Compare two versions, or a version with a folder
    ///
    /// Text files are compared line by line, and others by size and digest. Of a folder it takes the files
    /// that `publish` would send.
    Diff(diff::Arguments),
    /// Write the package that `publish` sends to a file
    ///
    /// The bytes depend only on the content: a registry that publishes the folder has a package with the
    /// same sha256.
    Pack(pack::Arguments),
    /// Publish a skill folder or a zip
    ///
    /// Checks everything on your machine first, as `skillmirror check` does. What people submit to `global`
    /// waits for a review by moderators. In the namespace of a team only its members publish; admins and
    /// owners review, if the team asks for that. `skillmirror me` shows what became of it. A new submission
    /// of a version replaces the one that waits, and `skillmirror review withdraw` takes it back.
    Publish(publish::Arguments),
    /// Save a token for a registry
    ///
    /// The registry then is the default of all commands, if it is the first one or with `--default`. You get
    /// the first token from the people who run the registry (`skillmirror token issue`).
    Login(account::LoginArguments),
    /// Remove the saved token of a registry
    Logout(account::LogoutArguments),
    /// Show which user a registry knows you as
    Whoami(RegistryOptions),
    /// Show your account, your skills and your submissions
    ///
    /// Shows what became of what you submitted for review, with the comments of reviewers.
    Me(me::Arguments),
    /// List, create and change namespaces
    #[command(subcommand)]
    Namespace(namespace::Command),
    /// Add, invite and remove members of a namespace
    #[command(subcommand)]
    Member(member::Command),
    /// List, compare and decide submissions
    #[command(subcommand)]
    Review(review::Command),
    /// Yank a version, so that nobody installs it by accident
    ///
    /// `install` refuses it, also by its exact number. Projects that have it in `skills.lock` keep it, and its
    /// package can still be downloaded.
    Yank(yank::YankArguments),
    /// Offer a yanked version again
    Unyank(yank::UnyankArguments),
    /// Set, remove and list the tags of a skill
    #[command(subcommand)]
    Tag(tag::Command),
    /// Remove a skill with all its versions
    ///
    /// Its name stays taken, and `skillmirror restore` brings everything back.
    Delete(removal::DeleteArguments),
    /// Restore a removed skill as it was
    Restore(removal::RestoreArguments),
    /// Offer a skill to another author, or accept one
    ///
    /// If the other person accepts, the skill is theirs and no longer yours. Until then you can withdraw the
    /// offer.
    #[command(subcommand)]
    Transfer(transfer::Command),
    /// Ask for a copy of a team's skill for everyone
    ///
    /// The copy is in the namespace `global`, after a review.
    Promote(promote::Arguments),
    /// Star a skill
    Star(opinion::StarArguments),
    /// Take your star back
    Unstar(opinion::StarArguments),
    /// Rate a skill
    Rate(opinion::RateArguments),
}

/// The result of a command, for people and for programs.
pub struct Report {
    /// Whole lines.
    pub text: String,
    /// One document.
    pub json: Value,
}

impl ClientCommand {
    /// Runs the command and prints its result.
    pub fn run(&self) -> ExitCode {
        match self {
            Self::Login(arguments) => arguments.options.run(|chosen| account::login(arguments, chosen)),
            Self::Logout(arguments) => arguments.options.run(|chosen| account::logout(arguments, chosen)),
            Self::Whoami(options) => options.run(account::whoami),
            Self::Search(arguments) => arguments.options.run(|chosen| search::run(arguments, chosen)),
            Self::Info(arguments) => arguments.run(),
            Self::Resolve(arguments) => arguments.run(resolve::run),
            Self::Publish(arguments) => arguments.options.run(|chosen| publish::run(arguments, chosen)),
            Self::Diff(arguments) => diff::run(arguments),
            Self::Trust(command) => trust::run(command),
            Self::Me(arguments) => arguments.options.run(|chosen| me::run(arguments, chosen)),
            Self::Namespace(command) => namespace::run(command),
            Self::Member(command) => member::run(command),
            Self::Review(command) => review::run(command),
            Self::Yank(arguments) => arguments.options.run(|chosen| yank::yank(arguments, chosen)),
            Self::Unyank(arguments) => arguments.options.run(|chosen| yank::unyank(arguments, chosen)),
            Self::Tag(command) => tag::run(command),
            Self::Delete(arguments) => arguments.options.run(|chosen| removal::delete(arguments, chosen)),
            Self::Restore(arguments) => arguments.options.run(|chosen| removal::restore(arguments, chosen)),
            Self::Transfer(command) => transfer::run(command),
            Self::Promote(arguments) => arguments.options.run(|chosen| promote::run(arguments, chosen)),
            Self::Star(arguments) => arguments.options.run(|chosen| opinion::star(arguments, chosen)),
            Self::Unstar(arguments) => arguments.options.run(|chosen| opinion::unstar(arguments, chosen)),
            Self::Rate(arguments) => arguments.options.run(|chosen| opinion::rate(arguments, chosen)),
            // These report on each skill by itself.
            Self::Install(arguments) => install::run(arguments),
            Self::Update(arguments) => update::run(arguments),
            Self::Outdated(arguments) => outdated::run(arguments),
            Self::List(arguments) => list::run(arguments),
            Self::Uninstall(arguments) => uninstall::run(arguments),
            Self::Mcp(arguments) => mcp::run(arguments),
            // These need no registry.
            Self::Agents(arguments) => agents::run(arguments),
            Self::Init(arguments) => init::run(arguments),
            Self::Check(arguments) => check::run(arguments),
            Self::Pack(arguments) => pack::run(arguments),
        }
    }
}

/// The address of a skill's page.
fn page_of(skill: &Coordinate, chosen: &RegistryChoice) -> String {
    format!("{}/{}/{}/", chosen.browser_address(), skill.namespace, skill.slug)
}

/// Prints the result, and returns the exit code.
fn report_or_error(result: Result<Report, ClientError>, as_json: bool) -> ExitCode {
    let printer = Printer { as_json };
    let reported = result.map_err(|why| (why.code().to_owned(), with_causes(&why))).and_then(|report| {
        printer.report(report.text, &report.json).map_err(|why| ("output".to_owned(), why))
    });
    let Err((code, message)) = reported else { return ExitCode::SUCCESS };
    printer.failure(&code, message);
    ExitCode::FAILURE
}
