//! `skillmirror token`: issues, lists and revokes tokens in a data folder, or asks a registry for your
//! own ones.

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use client::ClientError;
use registry::api::private::TokenRecord;
use registry::local::{LocalError, LocalStore};
use registry::names::Handle;
use registry::ops::tokens::{self, IssueToken};
use registry::private::{Scope, Scopes, Secret, Token};
use registry::public::Id;
use registry::time::Timestamp;
use serde::Serialize;

use crate::Failure;
use crate::arguments::duration_arg::duration;
use crate::arguments::folders::Folders;
use crate::client_commands::registry_options::RegistryOptions;
use crate::client_commands::team::token as own_token;
use crate::config::Config;
use crate::operator::run_in;
use crate::operator::user::require_user;
use crate::output::{Items, Printer, borderless, escape_line, print_note, table_text};
use crate::storage::open_registry::{Opened, open_existing, operator};
use crate::tree::update_tree::update_tree;

/// Create, list and revoke tokens
///
/// `create`, `list` and `revoke` are about your own tokens at a registry. With `--data` or `--config`,
/// and with `issue`, they are about those of all users in a data folder.
#[derive(Subcommand)]
#[command(after_help = "
    token create ci --scopes read,publish  # A token of your own, at the registry of your login
    token list                             # Your tokens
    token issue ann --name laptop          # As an operator: a token for ann, in ./data
")]
pub enum Command {
    /// Create a token for yourself at a registry. Its text is shown this once
    ///
    /// `read` sees members, reviews and your own things, `publish` publishes, `social` stars and rates,
    /// `manage` changes skills, teams, reviews and your account, and `tokens` makes tokens.
    Create(own_token::CreateArguments),
    /// List your own tokens at a registry
    ///
    /// With --data, --config or the handle of a user it lists the tokens in the data folder of a registry.
    #[command(after_help = "
        token list              # Your own tokens
        token list --data data  # As an operator: those of all
    ")]
    List(List),
    /// Revoke a token, and all tokens that were made with it
    ///
    /// The token is one of your own at a registry. With --data or --config it is any token in the data
    /// folder of a registry.
    Revoke(own_token::RevokeArguments),
    /// Issue a token for any user, in the data folder of a registry. Prints only the token
    #[command(after_help = "
        token issue ann --name laptop                            # It reads, and ends after 90 days
        token issue ann --name ci --scopes read,publish > token  # That publishes, into a file
    ")]
    Issue(Issue),
}

/// Whose tokens to list.
#[derive(Args)]
pub struct List {
    /// A user of the registry in the data folder [default: all of them, or you at a registry]
    handle: Option<Handle>,
    #[command(flatten)]
    own: own_token::ListArguments,
}

/// A token to issue.
#[derive(Args)]
pub struct Issue {
    /// The user
    handle: Handle,
    /// The name of the token in the list of the user
    #[arg(long)]
    name: String,
    /// The scopes of the token: read, publish, social, manage, tokens
    /// [default: read]
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    scopes: Option<Vec<Scope>>,
    /// The time until it expires: 30d, 12h, 45m, or `never` [default: 90d]
    #[arg(long, value_name = "TIME", value_parser = lifetime)]
    expires: Option<Lifetime>,
}

/// How long a token lives if nobody says it: 90 days.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// How long a token lives.
#[derive(Debug, Clone, Copy)]
enum Lifetime {
    For(Duration),
    Unlimited,
}

fn lifetime(text: &str) -> Result<Lifetime, String> {
    if text == "never" { Ok(Lifetime::Unlimited) } else { duration(text).map(Lifetime::For) }
}

impl Command {
    /// Asks a registry, unless the command is about a data folder: then it returns None. `is_folder_named`
    /// says whether the command line or the environment names the folder.
    fn ask_registry(&self, is_folder_named: bool) -> Option<ExitCode> {
        match self {
            Self::Create(new) => Some(new.options.run(|chosen| own_token::create(new, chosen))),
            Self::List(List { handle: None, own }) if !is_folder_named => {
                let code = own.options.run(|chosen| own_token::list(own, chosen));
                Some(explain_folders(code, &own.options))
            }
            Self::Revoke(own) if !is_folder_named => {
                let code = own.options.run(|chosen| own_token::revoke(own, chosen));
                Some(explain_folders(code, &own.options))
            }
            Self::List(_) | Self::Revoke(_) | Self::Issue(_) => None,
        }
    }

    /// Refuses options that only a registry understands, which would be ignored.
    fn check_options(&self) -> Result<(), Failure> {
        let options = match self {
            Self::List(List { own, .. }) => &own.options,
            Self::Revoke(own) => &own.options,
            Self::Create(_) | Self::Issue(_) => return Ok(()),
        };
        if options.is_named() {
            let why = "--registry and --site are about your own tokens at a registry. A handle, --data and --config are \
                       about the data folder of a registry: leave out one or the other";
            return Err(why.into());
        }
        Ok(())
    }
}

/// Without a registry to ask, says how to work on a data folder: an operator may have meant that.
fn explain_folders(code: ExitCode, options: &RegistryOptions) -> ExitCode {
    let is_failure = code != ExitCode::SUCCESS && !options.json;
    if is_failure && matches!(options.choose(), Err(ClientError::NoRegistry)) {
        print_note(
            "for the tokens of all users of a registry on this machine, name its data folder: `--data data`",
        );
    }
    code
}

/// Runs the command at a registry, or on the data folder.
pub fn token_in(folders: Folders, command: Command) -> ExitCode {
    match command.ask_registry(folders.name_a_registry()) {
        Some(code) => code,
        None => run_in(folders, |config, printer| run(&config, command, printer)),
    }
}

fn run(config: &Config, command: Command, printer: Printer) -> Result<ExitCode, Failure> {
    command.check_options()?;
    config.require_main()?;
    match command {
        Command::Issue(arguments) => issue(config, arguments, printer)?,
        Command::List(List { handle, .. }) => list(&open_existing(config)?, handle.as_ref(), printer)?,
        Command::Revoke(own) => revoke(&open_existing(config)?, own.id, printer)?,
        // It always asks a registry.
        Command::Create(_) => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn issue(config: &Config, arguments: Issue, printer: Printer) -> Result<(), Failure> {
    let Issue { handle, name, scopes, expires } = arguments;
    let registry = open_existing(config)?.registry;
    require_user(&registry, &handle)?;
    let is_default = scopes.is_none() || expires.is_none();
    let scopes = Scopes::from(scopes.unwrap_or_else(|| vec![Scope::Read]));
    let expires_at = match expires.unwrap_or(Lifetime::For(DEFAULT_LIFETIME)) {
        Lifetime::For(time) => Some(Timestamp::now().plus(time)),
        Lifetime::Unlimited => None,
    };
    let secret = Secret::generate()?;
    let input = IssueToken {
        handle: Some(handle.clone()),
        name,
        scopes: Some(scopes),
        expires_at,
        digest: secret.digest(),
        prefix: secret.prefix(),
        quotas: registry::quotas::Quotas::UNLIMITED,
    };
    let record = registry.commit(&operator(None), |context| tokens::issue(context, &input))?.reply;
    if is_default {
        // On standard error: scripts read the token from standard output.
        let end = expires_at.map_or("does not expire".to_owned(), |at| format!("expires {at}"));
        print_note(format_args!(
            "token {:?} has the scopes {} and {end}: --scopes and --expires choose others",
            escape_line(&input.name),
            scope_names(input.scopes.as_ref())
        ));
    }
    let (user, text) = (handle, secret.reveal());
    printer.report(format!("{text}\n"), &TokenOfUser { record, user, token: Some(text.to_owned()) })?;
    // The first command on an empty data folder creates the first public row.
    update_tree(config, &registry);
    Ok(())
}

fn list(opened: &Opened, handle: Option<&Handle>, printer: Printer) -> Result<(), Failure> {
    if let Some(handle) = handle {
        require_user(&opened.registry, handle)?;
    }
    let tokens: Vec<Token> = opened.registry.read(|catalog| {
        let users = catalog.private.users().map(|user| &user.handle);
        let users = users.filter(|user| handle.is_none_or(|handle| handle == *user));
        users.flat_map(|user| catalog.private.tokens_of(user)).cloned().collect()
    });
    let records = tokens.iter().map(|token| record(token, &opened.local));
    let items = records.collect::<Result<_, _>>()?;
    let now = Timestamp::now();
    let rows: Vec<_> = tokens.iter().map(|token| row(token, &opened.local, now)).collect::<Result<_, _>>()?;
    let header = ["ID", "USER", "NAME", "PREFIX", "SCOPES", "LAST USED", "EXPIRES", "MADE WITH"];
    let least_first = &["PREFIX", "MADE WITH", "LAST USED", "SCOPES", "EXPIRES"];
    printer.report(table_text(borderless(header, rows).least_first(least_first)), &Items { items })?;
    Ok(())
}

/// A token for programs, as its owner gets it from the API.
#[derive(Serialize)]
struct TokenOfUser {
    #[serde(flatten)]
    record: TokenRecord,
    user: Handle,
    /// Its text, which is not kept anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

fn record(token: &Token, local: &LocalStore) -> Result<TokenOfUser, LocalError> {
    let last_used = local.token_last_used(&token.id.to_string())?;
    let (record, user) = (TokenRecord::new(token, last_used), token.issued.handle.clone());
    Ok(TokenOfUser { record, user, token: None })
}

fn scope_names(scopes: Option<&Scopes>) -> String {
    let scopes = scopes.map(|scopes| Vec::from(scopes.clone())).unwrap_or_default();
    scopes.into_iter().map(Scope::as_str).collect::<Vec<_>>().join(",")
}

fn row(token: &Token, local: &LocalStore, now: Timestamp) -> Result<[String; 8], LocalError> {
    let id = token.id.to_string();
    let scopes = scope_names(Some(&token.issued.scopes));
    let last_used = local.token_last_used(&id)?.map_or("never".to_owned(), |at| at.to_string());
    let expires = match token.issued.expires_at {
        Some(at) if token.is_expired(now) => format!("expired {at}"),
        Some(at) => at.to_string(),
        None => "never".to_owned(),
    };
    let parent = match (token.parent, &token.session) {
        (Some(parent), _) => format!("token {parent}"),
        (None, Some(session)) if local.is_session_active(session, now)? => format!("session {session}"),
        (None, Some(session)) => format!("session {session} (ended)"),
        (None, None) => "-".to_owned(),
    };
    let (handle, name) = (token.issued.handle.to_string(), escape_line(&token.issued.name));
    let prefix = token.issued.prefix.as_str().to_owned();
    Ok([id, handle, name, prefix, scopes, last_used, expires, parent])
}

fn revoke(opened: &Opened, id: Id, printer: Printer) -> Result<(), Failure> {
    let revoked = opened.registry.commit(&operator(None), |context| tokens::revoke(context, id))?.reply;
    let line = |token: &Token| {
        let because = if token.id == id { "" } else { ", which was made with it" };
        let (name, handle) = (escape_line(&token.issued.name), &token.issued.handle);
        format!("revoked token {} {name:?} of {handle}{because}\n", token.id)
    };
    let records = revoked.iter().map(|token| record(token, &opened.local));
    let items = records.collect::<Result<_, _>>()?;
    Ok(printer.report(revoked.iter().map(line).collect::<String>(), &Items { items })?)
}
