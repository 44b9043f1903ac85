//! Which registry a client command asks.

use clap::Args;
use client::account::without_login;
use client::discovery::discover;
use client::http::Http;
use client::registry_choice::{Choice, Given, NamedBy, choose};
use client::{ClientError, Credentials, RegistryAddress, Source, Token};

/// What all commands take that ask a registry.
#[derive(Args)]
pub struct RegistryOptions {
    /// The registry's address without /api/v1, or file:///… for a folder [else: $CLI_REGISTRY]
    #[arg(long, value_name = "URL")]
    registry: Option<String>,
    /// The site that knows the registry's address [else: $CLI_SITE, else the saved login's]
    #[arg(long, value_name = "URL")]
    site: Option<String>,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    pub json: bool,
}

/// The registry that is asked.
pub struct ChosenRegistry {
    /// Where it is.
    pub address: RegistryAddress,
    /// The site that people see, where one is named.
    pub site: Option<RegistryAddress>,
    /// What named it.
    pub named_by: NamedBy,
}

impl RegistryOptions {
    /// Finds out which registry is meant; a site is asked for it.
    pub fn choose(&self) -> Result<ChosenRegistry, ClientError> {
        let given = Given {
            registry_flag: self.registry.clone(),
            site_flag: self.site.clone(),
            registry_variable: variable("CLI_REGISTRY"),
            site_variable: variable("CLI_SITE"),
        };
        let Choice { registry, site, named_by } = choose(&given, Credentials::load)?;
        let address = match (registry, &site) {
            (Some(registry), _) => registry,
            (None, Some(site)) => {
                discover(&Http::new(), site).map_err(|why| why.of_address_from(named_by.as_str()))?
            }
            (None, None) => return Err(ClientError::NoRegistry),
        };
        Ok(ChosenRegistry { address, site, named_by })
    }
}

/// A variable of the environment; one that is no text is shown as far as it is one.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

impl ChosenRegistry {
    /// Where its public documents are read. They need no token, so none is sent.
    pub fn source(&self) -> Source {
        Source::open(self.address.clone(), None)
    }

    /// The token that was saved for exactly this registry. Where there is none, and the
    /// registry has no users either, the error says `what` of it, as in "knows no users".
    pub fn token(&self, http: &Http, what: &str) -> Result<Token, ClientError> {
        let logins = Credentials::load()?;
        let login = logins.login(&self.address).map(|login| login.token.clone());
        login.ok_or_else(|| self.explain(without_login(http, &self.address, what)))
    }

    /// The site, where that alone says that the registry is on another host.
    pub fn naming_site(&self) -> Option<&RegistryAddress> {
        let by_site = matches!(self.named_by, NamedBy::SiteFlag | NamedBy::SiteVariable);
        self.site.as_ref().filter(|site| by_site && !site.has_origin_of(&self.address))
    }

    /// An error with where the address came from, where that helps.
    pub fn explain(&self, why: ClientError) -> ClientError {
        why.of_address_from(self.named_by.as_str())
    }

    /// What a command is given so that it asks this registry: nothing where the saved
    /// login says it.
    pub fn argument(&self) -> String {
        match self.named_by {
            NamedBy::SavedLogin => String::new(),
            _ => format!(" --registry {}", self.address),
        }
    }

    /// The address that people see.
    pub fn site(&self) -> &RegistryAddress {
        self.site.as_ref().unwrap_or(&self.address)
    }
}
