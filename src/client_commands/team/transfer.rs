//! `skillmirror transfer`: skills that get another author.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::registry_choice::RegistryChoice;
use client::team::{SignedIn, skill_path};
use client::{ClientError, SkillReference};
use registry::api::private::TransferRecord;
use registry::names::{Coordinate, Handle};
use serde_json::{Value, json};

use super::cells::{day, one_line, person};
use super::list_page::ListPage;
use super::{SkillArguments, report};
use crate::arguments::confirmation::Confirmation;
use crate::arguments::skill_argument::SkillName;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::narrowing_table;

/// Offer a skill to another author, or accept one
///
/// If the other person accepts, the skill is theirs and no longer yours. Until then you can withdraw the
/// offer.
#[derive(Subcommand)]
#[command(after_help = "
    transfer offer hello bob  # Offer a skill to bob
    transfer accept hello     # As bob: accept it
    transfer withdraw hello   # As the author: take the offer back
")]
pub enum Command {
    /// Offer a skill to another author
    ///
    /// The offer can be accepted for 30 days. In a team, the new author has to be a member. Another
    /// offer of the same skill replaces the earlier one.
    #[command(after_help = "transfer offer hello bob --message \"It is yours\"  # With a note for bob")]
    Offer(OfferArguments),
    /// Accept a skill that was offered to you. You become its author
    #[command(after_help = "transfer accept hello  # You become the author")]
    Accept(SkillArguments),
    /// Take an offer back, or decline one
    #[command(after_help = "transfer withdraw hello  # Bob can accept it no more")]
    Withdraw(SkillArguments),
    /// List the offers that you made or got
    #[command(after_help = "transfer list  # What you offered, or were offered")]
    List(ListArguments),
}

/// An offer.
#[derive(Args)]
pub struct OfferArguments {
    /// The skill: hello, @namespace/hello or namespace--hello
    #[arg(value_name = "SKILL")]
    skill: SkillName,
    /// The permanent name of the new author
    #[arg(value_name = "HANDLE")]
    to: Handle,
    /// A note for the new author
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Which offers to list.
#[derive(Args)]
pub struct ListArguments {
    #[command(flatten)]
    page: ListPage,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::Offer(arguments) => arguments.options.run(|chosen| offer(arguments, chosen)),
        Command::Accept(arguments) => arguments.options.run(|chosen| accept(&arguments.skill, chosen)),
        Command::Withdraw(arguments) => arguments.options.run(|chosen| withdraw(&arguments.skill, chosen)),
        Command::List(arguments) => arguments.options.run(|chosen| list(&arguments.page, chosen)),
    }
}

fn transfer_path(skill: &Coordinate) -> String {
    format!("{}/transfer", skill_path(skill))
}

fn offer(arguments: &OfferArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let OfferArguments { skill: SkillName(skill), to, message, confirmation, .. } = arguments;
    let name = SkillReference::argument(skill);
    let undo = format!("`skillmirror transfer withdraw {name}` takes the offer back");
    let after = format!("Once {to} has accepted, you cannot take it back; until then {undo}.");
    confirmation.ask(&format!("offer {name} to {to}"), &after)?;
    report(
        chosen,
        |of| of.post(&transfer_path(skill), json!({"to": to, "message": message})),
        |offered: &TransferRecord| {
            format!(
                "offered {name} to {}, until {}: `skillmirror transfer accept {name}` accepts it, {undo}\n",
                person(&offered.to),
                day(offered.expires_at)
            )
        },
    )
}

fn accept(SkillName(skill): &SkillName, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let name = SkillReference::argument(skill);
    let request = |of: &SignedIn| of.post::<Value>(&format!("{}/accept", transfer_path(skill)), json!({}));
    report(chosen, request, |_| format!("you are the author of {name} now\n"))
}

fn withdraw(SkillName(skill): &SkillName, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let name = SkillReference::argument(skill);
    report(
        chosen,
        |of| of.delete::<Value>(&transfer_path(skill)),
        |_| format!("the offer of {name} is withdrawn\n"),
    )
}

fn list(page: &ListPage, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let row = |offer: &TransferRecord| {
        [
            SkillReference::argument(&offer.coordinate()),
            person(&offer.from),
            person(&offer.to),
            day(offer.expires_at),
            one_line(offer.message.as_deref().unwrap_or_default()),
        ]
    };
    let header = ["SKILL", "FROM", "TO", "EXPIRES", "MESSAGE"];
    report(
        chosen,
        |of| of.list("/api/v1/me/transfers", page.request()),
        |found| {
            page.text(found, "no skill is offered to you or by you", |all| {
                narrowing_table(header, &["MESSAGE", "EXPIRES"], all.iter().map(row))
            })
        },
    )
}
