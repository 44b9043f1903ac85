//! `skillmirror login`, `logout` and `whoami`: the saved tokens.

use clap::Args;
use client::http::Http;
use client::login::DeviceLogin;
use client::registry_choice::RegistryChoice;
use client::{ClientError, Credentials, Login, RegistryAddress, Token};
use registry::api::private::Whoami;
use serde_json::json;

use super::Report;
use super::read_login::{ReadForms, save_for_reads, secret};
use super::registry_options::RegistryOptions;
use super::trust::trust_at_login;
use crate::output::{escape_line, print_error, print_note};

/// Save a token for a registry
///
/// The registry then is the default of all commands, if it is the first one or with `--default`. You get
/// the first token from the people who run the registry (`skillmirror token issue`).
///
/// With --read-only, --basic, --header or --credential-command, what is saved is only for reads, of a host that does
/// not answer everybody.
#[derive(Args)]
#[command(after_help = "
    login --registry https://skills.example.org                    # Ask for a token, and save it
    login --registry https://skills.example.org --token-stdin < t  # In a script
    login --registry https://skills.example.org --web              # In a browser
")]
pub struct LoginArguments {
    /// The token. Other users can see it in the process list [default: ask at the terminal]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Log in with a browser, on this machine or another: shows a code to enter there
    #[arg(long, conflicts_with_all = ["token", "token_stdin"])]
    web: bool,
    /// Read the token (or password, or one value for each --header) from lines of standard input
    #[arg(long, conflicts_with = "token")]
    token_stdin: bool,
    #[command(flatten)]
    reads: ReadForms,
    /// Make this the default registry. The first login always is
    #[arg(long)]
    default: bool,
    /// Trust the key that signs the registry's history, without asking
    #[arg(long, short)]
    yes: bool,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Saves a token for the registry.
pub fn login(arguments: &LoginArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let RegistryChoice { address, site, .. } = chosen;
    // Fails on an unusable credentials file before anybody types a token.
    Credentials::prepare()?;
    Credentials::load()?;
    let warning = address.is_unencrypted().then(|| {
        format!(
            "{address} is not encrypted, so others can read the token: use https if the registry supports it"
        )
    });
    // In JSON, the warning is part of the document.
    if !arguments.options.json {
        if let Some(warning) = &warning {
            print_error(format_args!("warning: {warning}"));
        }
        if let Some(site) = chosen.naming_site() {
            print_error(format_args!("{site} names {address} as its registry: the token goes there"));
        }
    }
    if let Some(credential) = arguments.reads.credential(address, arguments.token_stdin)? {
        return save_for_reads(address, credential, arguments.default);
    }
    let token = arguments.token(chosen)?;
    let user = client::login::whoami(&Http::to(address), address, &token)?;
    let site = site.as_ref().filter(|site| *site != address).map(ToString::to_string);
    let login = Login { token, handle: user.handle.to_string(), site: site.clone() };
    let is_default = Credentials::change(|logins| {
        logins.insert(address, login);
        if arguments.default {
            logins.make_default(address);
        }
        Ok(logins.is_default(address))
    })?;
    let trust = trust_at_login(address, arguments.yes)?;
    let default = if is_default { " (now the default registry)" } else { "" };
    let mut text = format!("logged in to {address} as {}{default}\n", escape_line(&user.handle));
    text.extend(trust.iter().map(|line| format!("{line}\n")));
    let json = json!({
        "handle": user.handle, "displayName": user.display_name, "role": user.role,
        "registry": address.to_string(), "site": site, "default": is_default, "warning": warning,
        "trust": trust,
    });
    Ok(Report { text, json })
}

/// Asks for a token with a browser.
fn token_of_browser(address: &RegistryAddress) -> Result<Token, ClientError> {
    let http = Http::to(address);
    let login = DeviceLogin::begin(&http, address, &label())?;
    let page = escape_line(&login.verification_uri);
    print_note(format_args!("open {page} and enter the code {}", escape_line(&login.user_code)));
    open_browser(&login.verification_uri);
    login.wait(&http, address, std::thread::sleep)
}

/// The name of this machine, by which people know its token.
fn label() -> String {
    let names = ["HOSTNAME", "COMPUTERNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    let of_file = std::fs::read_to_string("/etc/hostname").ok();
    let name = names.chain(of_file).map(|name| name.trim().to_owned()).find(|name| !name.is_empty());
    let label = name.map_or_else(|| "skillmirror".to_owned(), |name| format!("skillmirror on {name}"));
    label.chars().take(64).collect()
}

/// Opens a page in the browser, if there is one. The page is also shown, so a failure is none.
fn open_browser(page: &str) {
    if !page.starts_with("http://") && !page.starts_with("https://") {
        return;
    }
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let program = std::env::var_os("BROWSER").unwrap_or_else(|| program.into());
    let nothing = std::process::Stdio::null;
    let _ = std::process::Command::new(program)
        .arg(page)
        .stdin(nothing())
        .stdout(nothing())
        .stderr(nothing())
        .spawn();
}

impl LoginArguments {
    fn token(&self, chosen: &RegistryChoice) -> Result<Token, ClientError> {
        match &self.token {
            Some(token) => token.parse(),
            None if self.web => token_of_browser(&chosen.address),
            None => secret("Token", &chosen.address, self.token_stdin)?.parse(),
        }
    }
}

/// Remove what is saved for a registry
#[derive(Args)]
#[command(after_help = "
    logout                                        # Forget the token of your registry
    logout --revoke                               # Also revoke it there
    logout --registry https://skills.example.org  # Another registry's
")]
pub struct LogoutArguments {
    /// Also revoke the token at the registry, with all tokens that were made with it
    #[arg(long)]
    revoke: bool,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Removes the saved token of the registry. With `--revoke`, keeps it until the registry has
/// revoked it.
pub fn logout(arguments: &LogoutArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let address = &chosen.address;
    if arguments.revoke {
        let saved = Credentials::load()?.own_login(address).map(|login| login.token.clone());
        let token = saved.ok_or_else(|| ClientError::NoLogin(address.to_string()))?;
        client::login::revoke(&Http::to(address), address, &token)?;
    }
    let handle = Credentials::change(|logins| {
        let handle = logins.own_login(address).map(|login| login.handle.clone());
        let is_removed = logins.remove(address);
        is_removed.then_some(handle).ok_or_else(|| ClientError::NoLogin(address.to_string()))
    })?;
    let text = match (&handle, arguments.revoke) {
        (Some(handle), true) => {
            format!("logged out of {address} as {}; the token is revoked\n", escape_line(handle))
        }
        (Some(handle), false) => format!(
            "logged out of {address} as {}; the token stays valid until it is revoked there (`logout --revoke` does \
             both)\n",
            escape_line(handle)
        ),
        (None, _) => format!("forgot the credential for reads of {address}\n"),
    };
    let json = json!({
        "handle": handle, "registry": address.to_string(), "revoked": arguments.revoke,
    });
    Ok(Report { text, json })
}

/// Show which user a registry knows you as
#[derive(Args)]
#[command(after_help = "
    whoami                                        # Who you are at your registry
    whoami --registry https://skills.example.org  # At another one
    whoami --json                                 # For programs
")]
pub struct WhoamiArguments {
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Shows the user of the saved token.
pub fn whoami(chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let http = Http::to(&chosen.address);
    let token = chosen.token(&http, "has no users")?;
    let Whoami { handle, display_name, role } = client::login::whoami(&http, &chosen.address, &token)?;
    let text = format!("{handle} ({display_name}), {}, at {}", role.as_str(), chosen.address);
    let json = json!({
        "handle": handle, "displayName": display_name, "role": role, "registry": chosen.address.to_string(),
    });
    Ok(Report { text: escape_line(text) + "\n", json })
}
