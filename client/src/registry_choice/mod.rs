//! Chooses the registry: from flags, environment variables, or the saved login.

mod discovery;
mod newest;

use crate::http::{Http, ReadAccess};
use crate::login::missing_login;
use crate::{ClientError, Credentials, RegistryAddress, Source, Token};
use discovery::discover;

/// The settings that can name a registry, as the user wrote them. An empty text counts as
/// not set.
#[derive(Debug, Clone, Default)]
pub struct RegistrySettings {
    /// `--registry`: one address, or several of the same registry with commas between them
    pub registry_flag: Option<String>,
    /// `--site`
    pub site_flag: Option<String>,
    /// The registry that `skills.toml` names, for commands that install what a project wants
    pub project: Option<RegistryAddress>,
    /// `CLI_REGISTRY`
    pub registry_variable: Option<String>,
    /// `CLI_SITE`
    pub site_variable: Option<String>,
    /// `SKILLMIRROR_TOKEN`: the token for the chosen registry, instead of a saved one
    pub token_variable: Option<String>,
}

/// The setting that named a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamedBy {
    /// `--registry`
    RegistryFlag,
    /// `--site`
    SiteFlag,
    /// `skills.toml`
    Project,
    /// `CLI_REGISTRY`
    RegistryVariable,
    /// `CLI_SITE`
    SiteVariable,
    /// The default registry of the saved logins.
    SavedLogin,
}

impl NamedBy {
    /// The name of the setting in messages.
    fn as_str(self) -> &'static str {
        match self {
            Self::RegistryFlag => "--registry",
            Self::SiteFlag => "--site",
            Self::Project => "skills.toml",
            Self::RegistryVariable => "CLI_REGISTRY",
            Self::SiteVariable => "CLI_SITE",
            Self::SavedLogin => "the saved login",
        }
    }

    /// Adds the setting to an error, if a wrong address may be its cause.
    fn explain(self, why: ClientError) -> ClientError {
        why.of_address_from(self.as_str())
    }
}

/// The chosen registry.
#[derive(Debug)]
pub struct RegistryChoice {
    /// The address of the registry.
    pub address: RegistryAddress,
    /// Other addresses where the registry can be read.
    copies: Vec<RegistryAddress>,
    /// The address of the site, if one is named.
    pub site: Option<RegistryAddress>,
    /// The setting that named the registry, or else the site.
    named_by: NamedBy,
    /// The token of the environment.
    token: Option<Token>,
}

/// Chooses the registry: flags win over the project, that wins over variables, and those over the
/// saved login. Flags and variables count as pairs, so a flag for the site ignores the variable for the registry. If
/// only a site is named, asks it for its registry.
pub fn choose(settings: &RegistrySettings) -> Result<RegistryChoice, ClientError> {
    choose_with(settings, Credentials::load, discover)
}

/// Chooses the registry. `logins` is called only if no flag or variable is set, `discover` only
/// if a site is named without its registry.
fn choose_with(
    settings: &RegistrySettings,
    logins: impl FnOnce() -> Result<Credentials, ClientError>,
    discover: impl FnOnce(&RegistryAddress) -> Result<RegistryAddress, ClientError>,
) -> Result<RegistryChoice, ClientError> {
    let RegistrySettings {
        registry_flag,
        site_flag,
        project,
        registry_variable,
        site_variable,
        token_variable,
    } = settings;
    let token = token_variable.as_deref().filter(|text| !text.is_empty()).map(str::parse).transpose();
    // Its own message is about a token that somebody has typed.
    let token = token
        .map_err(|_| ClientError::Environment("SKILLMIRROR_TOKEN is no token: it must be one word".into()))?;
    let flags = [(registry_flag, NamedBy::RegistryFlag), (site_flag, NamedBy::SiteFlag)];
    let variables = [(registry_variable, NamedBy::RegistryVariable), (site_variable, NamedBy::SiteVariable)];
    for pair in [flags, variables] {
        let [registry, site] = pair.map(|(text, by)| {
            let text = text.as_deref().filter(|text| !text.is_empty());
            text.map(|text| Ok::<_, ClientError>((parse_all(text, by)?, by))).transpose()
        });
        let (address, copies, site, named_by) = match (registry?, site?) {
            (Some(((registry, copies), by)), site) => (registry, copies, site.map(|((site, _), _)| site), by),
            (None, Some(((site, _), by))) => {
                (discover(&site).map_err(|why| by.explain(why))?, Vec::new(), Some(site), by)
            }
            (None, None) => match project {
                Some(address) => (address.clone(), Vec::new(), None, NamedBy::Project),
                None => continue,
            },
        };
        // A project that somebody else wrote gets no token.
        let token = token.filter(|_| named_by != NamedBy::Project);
        return Ok(RegistryChoice { address, copies, site, named_by, token });
    }
    let logins = logins().map_err(|why| match why {
        ClientError::Credentials { path, why } => {
            let why = format!("{why}. To read a registry without a login, name it with --registry");
            ClientError::Credentials { path, why }
        }
        other => other,
    })?;
    let (registry, login) = logins.default_registry().ok_or(ClientError::NoRegistry)?;
    let named_by = NamedBy::SavedLogin;
    let site = login.and_then(|login| login.site.as_deref()).map(|site| parse(site, named_by)).transpose()?;
    Ok(RegistryChoice { address: parse(registry, named_by)?, copies: Vec::new(), site, named_by, token })
}

/// Parses an address. The error names the setting.
fn parse(text: &str, named_by: NamedBy) -> Result<RegistryAddress, ClientError> {
    text.parse().map_err(|why| named_by.explain(why))
}

/// Parses an address, or several with commas between them. A comma may also be a part of an address.
fn parse_all(text: &str, named_by: NamedBy) -> Result<(RegistryAddress, Vec<RegistryAddress>), ClientError> {
    let mut all = Vec::new();
    for piece in text.split(',').map(str::trim) {
        match piece.parse() {
            Ok(address) => all.push(address),
            Err(_) if all.is_empty() || text.parse::<RegistryAddress>().is_ok() => {
                return Ok((parse(text, named_by)?, Vec::new()));
            }
            Err(why) => return Err(named_by.explain(why)),
        }
    }
    let first = all.remove(0);
    Ok((first, all))
}

impl RegistryChoice {
    /// The source of public documents. Of several addresses, the newest. `SKILLMIRROR_READ_TOKEN` is for the first
    /// one, unless a project or a site on another host has named it.
    pub fn source(&self) -> Result<Source, ClientError> {
        let is_by_user = self.named_by != NamedBy::Project && self.naming_site().is_none();
        let access = if is_by_user { ReadAccess::named } else { ReadAccess::saved };
        let first = Source::with(access(self.address.clone()));
        if self.copies.is_empty() {
            return Ok(first);
        }
        newest::newest(std::iter::once(first).chain(self.copies.iter().cloned().map(Source::open)).collect())
    }

    /// The token for this registry: that of the environment, else that of the saved login.
    ///
    /// Errors: neither has a token. If the registry is not a server, the message says that it has no `lack`, for
    /// example "has no users".
    pub fn token(&self, http: &Http, lack: &str) -> Result<Token, ClientError> {
        if let Some(token) = &self.token {
            return Ok(token.clone());
        }
        let logins = Credentials::load()?;
        let login = logins.login(&self.address).map(|login| login.token.clone());
        login.ok_or_else(|| missing_login(http, &self.address, lack))
    }

    /// The token for this registry, if there is one. Asks nobody.
    pub fn known_token(&self) -> Option<Token> {
        let saved = || Credentials::load().ok()?.login(&self.address).map(|login| login.token.clone());
        self.token.clone().or_else(saved)
    }

    /// The site, if it alone named this registry on another host.
    pub fn naming_site(&self) -> Option<&RegistryAddress> {
        let by_site = matches!(self.named_by, NamedBy::SiteFlag | NamedBy::SiteVariable);
        self.site.as_ref().filter(|site| by_site && !site.has_same_origin(&self.address))
    }

    /// Adds the setting that named the registry to an error, if that may help.
    pub fn explain(&self, why: ClientError) -> ClientError {
        self.named_by.explain(why)
    }

    /// The end of a command line that uses this registry. Empty for the saved login.
    pub fn argument(&self) -> String {
        match self.named_by {
            NamedBy::SavedLogin => String::new(),
            _ => format!(" --registry {}", self.address),
        }
    }

    /// The address for browsers.
    pub fn browser_address(&self) -> &RegistryAddress {
        self.site.as_ref().unwrap_or(&self.address)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Login;

    const ORDER: [(&str, NamedBy); 4] = [
        ("https://a.example", NamedBy::RegistryFlag),
        ("https://b.example", NamedBy::SiteFlag),
        ("https://c.example", NamedBy::RegistryVariable),
        ("https://d.example", NamedBy::SiteVariable),
    ];

    fn given(which: [bool; 4]) -> RegistrySettings {
        let text = |at: usize| which[at].then(|| ORDER[at].0.to_owned());
        RegistrySettings {
            registry_flag: text(0),
            site_flag: text(1),
            project: None,
            registry_variable: text(2),
            site_variable: text(3),
            token_variable: None,
        }
    }

    const DISCOVERED: &str = "https://discovered.example";

    fn chosen(given: &RegistrySettings) -> (String, Option<String>, NamedBy) {
        let logins = || panic!("logins are read only if no setting names a registry");
        let choice = choose_with(given, logins, |_| DISCOVERED.parse()).unwrap();
        (choice.address.to_string(), choice.site.map(|site| site.to_string()), choice.named_by)
    }

    #[test]
    fn choose_prefers_flags_to_variables() {
        for bits in 1..16u8 {
            let which = [bits & 1, bits & 2, bits & 4, bits & 8].map(|bit| bit != 0);
            // Flags as a pair, or else variables as a pair.
            let first = if which[0] || which[1] { 0 } else { 2 };
            let text = |at: usize| which[at].then(|| ORDER[at].0.to_owned());
            let named_by = if which[first] { ORDER[first].1 } else { ORDER[first + 1].1 };
            let registry = text(first).unwrap_or_else(|| DISCOVERED.to_owned());
            assert_eq!(chosen(&given(which)), (registry, text(first + 1), named_by), "{which:?}");
        }
    }

    #[test]
    fn choose_without_settings_uses_the_saved_login() {
        let home = tempfile::tempdir().unwrap();
        let none = || Credentials::load_from(home.path());
        let empty = RegistrySettings { site_variable: Some(String::new()), ..RegistrySettings::default() };
        assert!(matches!(choose_with(&empty, none, discover).unwrap_err(), ClientError::NoRegistry));
        let saved = || {
            let mut logins = Credentials::load_from(home.path())?;
            let login =
                Login { token: "x".parse()?, handle: "ann".into(), site: Some("https://s.example".into()) };
            logins.insert(&"https://r.example".parse()?, login);
            Ok(logins)
        };
        let choice = choose_with(&empty, saved, discover).unwrap();
        assert_eq!(choice.named_by, NamedBy::SavedLogin);
        assert_eq!(choice.address.to_string(), "https://r.example");
        assert_eq!(choice.site.unwrap().to_string(), "https://s.example");
    }

    #[test]
    fn choose_with_invalid_address_names_its_setting() {
        for at in 0..4 {
            let mut which = [false; 4];
            which[at] = true;
            let mut given = given(which);
            for text in [
                &mut given.registry_flag,
                &mut given.site_flag,
                &mut given.registry_variable,
                &mut given.site_variable,
            ] {
                if text.is_some() {
                    *text = Some("example.org".to_owned());
                }
            }
            let why = choose_with(&given, || panic!("not read"), discover).unwrap_err().to_string();
            assert!(
                why.contains("`example.org`") && why.ends_with(&format!("{})", ORDER[at].1.as_str())),
                "{why}"
            );
        }
    }
}
