//! `skillmirror whoami`: shows the user of the saved token.

use clap::Args;
use client::ClientError;
use client::account::{User, whoami};
use client::http::Http;
use serde_json::json;

use super::Report;
use super::registry_options::RegistryOptions;
use crate::output::escape_line;

/// Which registry to ask.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Report, ClientError> {
    let chosen = arguments.options.choose()?;
    let http = Http::new();
    let token = chosen.token(&http, "has no users")?;
    let user = whoami(&http, &chosen.address, &token).map_err(|why| chosen.explain(why))?;
    let User { handle, display_name, role } = &user;
    let text = format!("{handle} ({display_name}), {role}, at {}", chosen.address);
    let json = json!({
        "handle": handle, "displayName": display_name, "role": role, "registry": chosen.address.to_string(),
    });
    Ok(Report { text: escape_line(text) + "\n", json })
}
