//! `skillmirror logout`: a token is forgotten.

use clap::Args;
use client::{ClientError, Credentials};
use serde_json::json;

use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::escape_line;

/// Whose token.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Report, ClientError> {
    let address = arguments.options.choose()?.address;
    let removed = Credentials::change(|logins| {
        logins.remove(&address).ok_or_else(|| ClientError::NoLogin(address.to_string()))
    })?;
    let text = format!(
        "forgot the token of {} at {address}; the token itself is valid until it is revoked there\n",
        escape_line(&removed.handle)
    );
    Ok(Report { text, json: json!({"handle": removed.handle, "registry": address.to_string()}) })
}
