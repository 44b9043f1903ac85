//! `skillmirror login` with a credential that is only for reads.

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal, Read};

use clap::Args;
use client::http::ReadAccess;
use client::login::Reads;
use client::{ClientError, Credentials, ReadCredential, RegistryAddress, Source};
use generator::address::Document;
use serde_json::{Value, json};

use super::Report;

/// The size limit of a secret on standard input, so that endless input is not read to its end.
const MAX_INPUT: u64 = 64 << 10;

/// The forms of a credential for reads. No option has a secret.
#[derive(Args)]
#[group(multiple = false, conflicts_with = "token")]
pub struct ReadForms {
    /// The token is only for reads: of a host that knows tokens but no users
    #[arg(long)]
    read_only: bool,
    /// Save a user name, and a password that is asked for
    #[arg(long, value_name = "USER")]
    basic: Option<String>,
    /// Save a header, and a value that is asked for (repeatable)
    #[arg(long = "header", value_name = "NAME")]
    headers: Vec<String>,
    /// Save a command with its arguments, as the last option. The first line that it prints is a token
    #[arg(long, value_name = "COMMAND", num_args = 1.., allow_hyphen_values = true)]
    credential_command: Vec<String>,
}

impl ReadForms {
    /// The credential, if an option names a form. Asks for its secrets.
    pub fn credential(
        &self,
        address: &RegistryAddress,
        is_on_stdin: bool,
    ) -> Result<Option<ReadCredential>, ClientError> {
        let secret = |what: &str| secret(what, address, is_on_stdin);
        Ok(Some(match self {
            Self { read_only: true, .. } => ReadCredential::Token(secret("Token")?.parse()?),
            Self { basic: Some(user), .. } => {
                ReadCredential::Basic { user: user.clone(), password: secret("Password")? }
            }
            Self { credential_command: command, .. } if !command.is_empty() => {
                ReadCredential::Command(command.clone())
            }
            Self { headers, .. } if !headers.is_empty() => {
                let value = |name: &String| Ok((name.clone(), secret(name)?));
                ReadCredential::Headers(
                    headers.iter().map(value).collect::<Result<BTreeMap<_, _>, ClientError>>()?,
                )
            }
            _ => return Ok(None),
        }))
    }
}

/// The next line of standard input, or an answer at the terminal. `what` it is, for the question.
pub fn secret(what: &str, address: &RegistryAddress, is_on_stdin: bool) -> Result<String, ClientError> {
    if is_on_stdin {
        let mut text = String::new();
        // Invalid UTF-8 cannot be a token.
        let read = std::io::stdin().lock().take(MAX_INPUT).read_line(&mut text);
        read.ok().filter(|size| *size > 0).ok_or(ClientError::Token)?;
        return Ok(text.trim_end_matches(['\r', '\n']).to_owned());
    }
    if !std::io::stdin().is_terminal() {
        return Err(ClientError::NoTerminal);
    }
    rpassword::prompt_password(format!("{what} for {address}: ")).map_err(|_| ClientError::NoTerminal)
}

/// Tries a credential with a read, and saves it.
pub fn save_for_reads(
    address: &RegistryAddress,
    credential: ReadCredential,
    make_default: bool,
) -> Result<Report, ClientError> {
    if address.is_unencrypted() || address.as_url().is_none() {
        let why = format!("{address} gets no credential for reads: use an https address");
        return Err(ClientError::Unsupported(why));
    }
    let source = Source::with(ReadAccess::with(address.clone(), credential.clone()));
    if source.document::<Value>(&Document::Head)?.is_none() {
        let what = format!("{address} has no head");
        return Err(source.missing(what, "name a registry with a complete tree"));
    }
    let (form, always) = (credential.form(), source.asks_for_credential());
    let is_default = Credentials::change(|logins| {
        logins.insert_reads(address, Reads { always, credential: Some(credential) });
        if make_default {
            logins.make_default(address);
        }
        Ok(logins.is_default(address))
    })?;
    let default = if is_default { " (now the default registry)" } else { "" };
    let asked = if always { "" } else { "; it is sent once the registry asks for it" };
    let text = format!("saved the credential for reads of {address}{default}{asked}\n");
    let json =
        json!({ "registry": address.to_string(), "form": form, "default": is_default, "asked": always });
    Ok(Report { text, json })
}
