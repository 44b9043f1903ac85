//! `skillmirror session list` and `end`: where you are signed in.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::ClientError;
use client::registry_choice::RegistryChoice;
use registry::api::private::SessionRecord;
use registry::api::public::FullList;
use serde_json::Value;

use super::cells::{day, day_or, one_line};
use super::report;
use crate::arguments::confirmation::Confirmation;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::narrowing_table;

/// Show where you are signed in, and end sessions
#[derive(Subcommand)]
#[command(after_help = "
    session list                   # Browsers, and clients that were logged in with one
    session end abcdefghijklmnop   # With the tokens that were made in it
    session list --json            # For programs
")]
pub enum Command {
    /// List your sessions
    #[command(after_help = "session list  # Browsers and clients")]
    List(ListArguments),
    /// End a session
    #[command(after_help = "session end abcdefghijklmnop  # By the id that `session list` shows")]
    End(EndArguments),
}

/// The list has no arguments of its own.
#[derive(Args)]
pub struct ListArguments {
    #[command(flatten)]
    options: RegistryOptions,
}

/// A session to end.
#[derive(Args)]
pub struct EndArguments {
    /// The id, as `session list` shows it
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::List(arguments) => arguments.options.run(list),
        Command::End(arguments) => arguments.options.run(|chosen| end(arguments, chosen)),
    }
}

fn list(chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let row = |session: &SessionRecord| {
        let text = |text: &Option<String>| one_line(text.as_deref().unwrap_or("-"));
        [
            one_line(&session.id),
            if session.is_of_client { "client" } else { "browser" }.to_owned(),
            one_line(session.provider.as_deref().unwrap_or("password")),
            text(&session.address),
            day(session.created_at),
            day_or(session.last_used_at, "never"),
            day(session.expires_at),
            one_line(&session.tokens.join(",")),
            text(&session.browser),
        ]
    };
    let header =
        ["ID", "KIND", "SIGNED IN WITH", "ADDRESS", "SINCE", "LAST USED", "UNTIL", "TOKENS", "PROGRAM"];
    report(
        chosen,
        |of| of.get("/api/v1/sessions"),
        |found: &FullList<SessionRecord>| match found.items.as_slice() {
            [] => "you have no session\n".to_owned(),
            all => narrowing_table(
                header,
                &["PROGRAM", "UNTIL", "SINCE", "ADDRESS", "TOKENS"],
                all.iter().map(row),
            ),
        },
    )
}

fn end(arguments: &EndArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let EndArguments { id, confirmation, .. } = arguments;
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if id.is_empty() || !id.bytes().all(fits) {
        return Err(ClientError::Unsupported(format!(
            "{id:?} is no id of a session: `session list` shows them"
        )));
    }
    let after = "It stops at once, with the tokens that were made in it. This cannot be undone.";
    confirmation.ask(&format!("end session {id}"), after)?;
    report(
        chosen,
        |of| of.delete::<Value>(&format!("/api/v1/sessions/{id}")),
        |_| format!("ended session {id}, and the tokens that were made in it\n"),
    )
}
