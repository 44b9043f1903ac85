//! `skillmirror whoami`: whom a registry takes the caller for.

use clap::Args;
use client::ClientError;
use client::account::{Who, whoami};
use client::http::Http;
use serde_json::json;

use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::escape_line;

/// Whom to ask.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Report, ClientError> {
    let chosen = arguments.options.choose()?;
    let http = Http::new();
    let token = chosen.token(&http, "knows no users")?;
    let who = whoami(&http, &chosen.address, &token).map_err(|why| chosen.explain(why))?;
    let Who { handle, display_name, role } = &who;
    let text = format!(
        "{} ({}), {}, at {}\n",
        escape_line(handle),
        escape_line(display_name),
        escape_line(role),
        chosen.address
    );
    let json = json!({
        "handle": handle, "displayName": display_name, "role": role, "registry": chosen.address.to_string(),
    });
    Ok(Report { text, json })
}
