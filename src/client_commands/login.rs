//! `skillmirror login`: a token is tried and kept.

use std::io::{BufRead, IsTerminal, Read};

use clap::Args;
use client::account::whoami;
use client::http::Http;
use client::{ClientError, Credentials, Login, Token};
use serde_json::json;

use crate::client_commands::Report;
use crate::client_commands::registry_options::{ChosenRegistry, RegistryOptions};
use crate::output;
use crate::output::escape_line;

/// More than any token has: what does not end is not read to its end.
const MOST_INPUT: u64 = 64 << 10;

/// Which token, and for what.
#[derive(Args)]
pub struct Arguments {
    /// The token; others can see it in the list of processes [else: asked for at the terminal]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Read the token from the first line of standard input
    #[arg(long, conflicts_with = "token")]
    token_stdin: bool,
    /// Ask this registry where nothing says which; the first login is that anyway
    #[arg(long)]
    default: bool,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Report, ClientError> {
    let chosen = arguments.options.choose()?;
    let ChosenRegistry { address, site, .. } = &chosen;
    // Before anybody types a token in vain.
    Credentials::load()?;
    let warning = address.is_readable_on_the_way().then(|| {
        format!(
            "{address} is not encrypted: whoever is on the way can read the token; use https if the registry has it"
        )
    });
    // A program gets one document, and finds it there.
    if let Some(warning) = warning.as_ref().filter(|_| !arguments.options.json) {
        output::print_error(&format!("warning: {warning}"));
    }
    if let Some(site) = chosen.naming_site().filter(|_| !arguments.options.json) {
        output::print_error(&format!("{site} says that its registry is {address}: the token goes there"));
    }
    let token = arguments.token(&chosen)?;
    let who = whoami(&Http::new(), address, &token).map_err(|why| chosen.explain(why))?;
    let site = site.as_ref().filter(|site| *site != address).map(ToString::to_string);
    let login = Login { token, handle: who.handle.clone(), site: site.clone() };
    let is_default = Credentials::change(|logins| {
        logins.insert(address, login);
        if arguments.default {
            logins.make_default(address);
        }
        Ok(logins.is_default(address))
    })?;
    let default = if is_default { ", which is asked where nothing says which registry" } else { "" };
    let text = format!("logged in as {} at {address}{default}\n", escape_line(&who.handle));
    let json = json!({
        "handle": who.handle, "displayName": who.display_name, "role": who.role,
        "registry": address.to_string(), "site": site, "default": is_default, "warning": warning,
    });
    Ok(Report { text, json })
}

impl Arguments {
    fn token(&self, chosen: &ChosenRegistry) -> Result<Token, ClientError> {
        if let Some(token) = &self.token {
            return token.parse();
        }
        if self.token_stdin {
            let mut text = String::new();
            // What is no text is no token either.
            std::io::stdin().lock().take(MOST_INPUT).read_line(&mut text).map_err(|_| ClientError::Token)?;
            return text.parse();
        }
        if !std::io::stdin().is_terminal() {
            return Err(ClientError::NoTerminal);
        }
        let asked = rpassword::prompt_password(format!("Token for {}: ", chosen.address));
        asked.map_err(|_| ClientError::NoTerminal)?.parse()
    }
}
