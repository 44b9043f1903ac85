//! The options that choose the registry of a client command.

use std::process::ExitCode;

use clap::Args;
use client::account::missing_login;
use client::discovery::discover;
use client::http::Http;
use client::registry_choice::{NamedBy, RegistryChoice, RegistrySettings, choose};
use client::{ClientError, Credentials, RegistryAddress, Source, Token};

use super::{Report, report_or_error};

/// The options of all commands that ask a registry.
#[derive(Args)]
pub struct RegistryOptions {
    /// The registry's base URL without /api/v1, or file:///… for a folder [env: CLI_REGISTRY]
    #[arg(long, value_name = "URL")]
    registry: Option<String>,
    /// The URL of a site that names its registry [env: CLI_SITE] [default: the saved login]
    #[arg(long, value_name = "URL")]
    site: Option<String>,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    pub json: bool,
}

/// The chosen registry.
pub struct ChosenRegistry {
    /// The address of the registry.
    pub address: RegistryAddress,
    /// The address of the site, if one is named.
    pub site: Option<RegistryAddress>,
    named_by: NamedBy,
}

impl RegistryOptions {
    /// Runs a command on the chosen registry, and prints its report.
    pub fn run(&self, command: impl FnOnce(&ChosenRegistry) -> Result<Report, ClientError>) -> ExitCode {
        let choice = self.choose();
        let report = choice.and_then(|chosen| command(&chosen).map_err(|why| chosen.explain(why)));
        report_or_error(report, self.json)
    }

    /// Chooses the registry. Asks the site for it if only a site is named.
    pub fn choose(&self) -> Result<ChosenRegistry, ClientError> {
        let settings = RegistrySettings {
            registry_flag: self.registry.clone(),
            site_flag: self.site.clone(),
            registry_variable: variable("CLI_REGISTRY"),
            site_variable: variable("CLI_SITE"),
        };
        let RegistryChoice { registry, site, named_by } = choose(&settings, Credentials::load)?;
        let address = match (registry, &site) {
            (Some(registry), _) => registry,
            (None, Some(site)) => discover(site).map_err(|why| why.of_address_from(named_by.as_str()))?,
            (None, None) => return Err(ClientError::NoRegistry),
        };
        Ok(ChosenRegistry { address, site, named_by })
    }
}

/// An environment variable. Invalid UTF-8 is replaced, so that messages can show the value.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

impl ChosenRegistry {
    /// The source of public documents, which are read without a token.
    pub fn source(&self) -> Source {
        Source::open(self.address.clone())
    }

    /// The token saved for this registry. If there is none because the registry is not a
    /// server, the error names what it lacks, as in "has no users".
    pub fn token(&self, http: &Http, lack: &str) -> Result<Token, ClientError> {
        let logins = Credentials::load()?;
        let login = logins.login(&self.address).map(|login| login.token.clone());
        login.ok_or_else(|| missing_login(http, &self.address, lack))
    }

    /// The site, if it alone named this registry on another host.
    pub fn naming_site(&self) -> Option<&RegistryAddress> {
        let by_site = matches!(self.named_by, NamedBy::SiteFlag | NamedBy::SiteVariable);
        self.site.as_ref().filter(|site| by_site && !site.has_origin_of(&self.address))
    }

    /// Adds the setting that named the registry to an error, if that may help.
    pub fn explain(&self, why: ClientError) -> ClientError {
        why.of_address_from(self.named_by.as_str())
    }

    /// The end of a command line that uses this registry. Empty for the saved login.
    pub fn argument(&self) -> String {
        match self.named_by {
            NamedBy::SavedLogin => String::new(),
            _ => format!(" --registry {}", self.address),
        }
    }

    /// The address for browsers.
    pub fn site(&self) -> &RegistryAddress {
        self.site.as_ref().unwrap_or(&self.address)
    }
}
