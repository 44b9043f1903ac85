//! `skillmirror token create`, `list` and `revoke`: your own tokens at a registry.

use std::time::Duration;

use clap::Args;
use client::ClientError;
use client::registry_choice::RegistryChoice;
use registry::api::private::{NewToken, TokenRecord};
use registry::public::Id;
use registry::roles::Scope;
use registry::time::Timestamp;
use serde_json::{Value, json};

use super::cells::{day, day_or, one_line};
use super::report;
use crate::arguments::duration_arg::duration;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::{narrowing_table, print_note};

use super::list_page::ListPage;
use crate::arguments::confirmation::Confirmation;

/// A token to create.
#[derive(Args)]
#[command(after_help = "
    token create laptop                                  # With all your rights
    token create ci --scopes read,publish --expires 30d  # For a build, for 30 days
")]
pub struct CreateArguments {
    /// The name of the token in your list
    #[arg(value_name = "NAME")]
    name: String,
    /// What the token allows: read, publish, social, manage, tokens [default: what your own allows]
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    scopes: Option<Vec<Scope>>,
    /// The time until it expires: 30d, 12h, 45m [default: when your own does]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    expires: Option<Duration>,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Creates a token. Its text is the only thing on standard output.
pub fn create(arguments: &CreateArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let CreateArguments { name, scopes, expires, options } = arguments;
    let expires_at = expires.map(|span| Timestamp::now().plus(span));
    report(
        chosen,
        |of| of.post("/api/v1/tokens", json!({"name": name, "scopes": scopes, "expiresAt": expires_at})),
        |created: &NewToken| {
            let token = &created.record;
            if !options.json {
                print_note(format_args!(
                    "created token {} ({}), expiry: {}. Its text is shown only now; `skillmirror token revoke {}` ends it",
                    token.id,
                    words(token, ", "),
                    day_or(token.expires_at, "never"),
                    token.id
                ));
            }
            format!("{}\n", one_line(&created.text))
        },
    )
}

/// A page of the caller's tokens.
#[derive(Args)]
#[command(after_help = "token list  # Your own tokens")]
pub struct ListArguments {
    #[command(flatten)]
    page: ListPage,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Lists the tokens of the caller.
pub fn list(arguments: &ListArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let page = &arguments.page;
    let row = |token: &TokenRecord| {
        [
            token.id.to_string(),
            one_line(&token.name),
            words(token, ","),
            day_or(token.expires_at, "never"),
            day_or(token.last_used_at, "never"),
            day(token.created_at),
            one_line(token.prefix.as_str()),
        ]
    };
    let header = ["ID", "NAME", "SCOPES", "EXPIRES", "LAST USED", "CREATED", "PREFIX"];
    report(
        chosen,
        |of| of.list("/api/v1/tokens", page.request()),
        |found| {
            page.text(found, "you have no token", |all| {
                narrowing_table(header, &["PREFIX", "CREATED", "LAST USED", "SCOPES"], all.iter().map(row))
            })
        },
    )
}

/// The scopes of a token.
fn words(token: &TokenRecord, separator: &str) -> String {
    let scopes: Vec<Scope> = token.scopes.clone().into();
    scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(separator)
}

/// A token to revoke.
#[derive(Args)]
#[command(after_help = "token revoke 17  # By the id that `token list` shows")]
pub struct RevokeArguments {
    /// The id, as `token list` shows it
    pub id: Id,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Revokes a token of the caller.
pub fn revoke(arguments: &RevokeArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let RevokeArguments { id, confirmation, .. } = arguments;
    let after = "It stops working at once, with all tokens that were made with it. This cannot be undone.";
    confirmation.ask(&format!("revoke token {id}"), after)?;
    report(
        chosen,
        |of| of.delete::<Value>(&format!("/api/v1/tokens/{id}")),
        |_| format!("revoked token {id}, and all tokens that were made with it\n"),
    )
}
