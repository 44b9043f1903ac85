//! `skillmirror logout`: removes a saved token.

use clap::Args;
use client::{ClientError, Credentials};
use serde_json::json;

use super::Report;
use super::registry_options::RegistryOptions;
use crate::output::escape_line;

/// Which registry's token to remove.
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
    let handle = escape_line(&removed.handle);
    let text =
        format!("logged out of {address} as {handle}; the token stays valid until it is revoked there\n");
    Ok(Report { text, json: json!({"handle": removed.handle, "registry": address.to_string()}) })
}
