//! Chooses the registry: from flags, environment variables, or the saved login.

use crate::{ClientError, Credentials, RegistryAddress};

/// The settings that can name a registry, as the user wrote them. An empty text counts as
/// not set.
#[derive(Debug, Clone, Default)]
pub struct RegistrySettings {
    /// `--registry`
    pub registry_flag: Option<String>,
    /// `--site`
    pub site_flag: Option<String>,
    /// `CLI_REGISTRY`
    pub registry_variable: Option<String>,
    /// `CLI_SITE`
    pub site_variable: Option<String>,
}

/// The setting that named a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// `--registry`
    RegistryFlag,
    /// `--site`
    SiteFlag,
    /// `CLI_REGISTRY`
    RegistryVariable,
    /// `CLI_SITE`
    SiteVariable,
    /// The default registry of the saved logins.
    SavedLogin,
}

impl NamedBy {
    /// The name of the setting in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RegistryFlag => "--registry",
            Self::SiteFlag => "--site",
            Self::RegistryVariable => "CLI_REGISTRY",
            Self::SiteVariable => "CLI_SITE",
            Self::SavedLogin => "the saved login",
        }
    }
}

/// The chosen registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryChoice {
    /// The registry. None if it must be discovered from the site.
    pub registry: Option<RegistryAddress>,
    /// The site, if one is named.
    pub site: Option<RegistryAddress>,
    /// The setting that named the registry, or else the site.
    pub named_by: NamedBy,
}

/// Chooses the registry: flags win over variables, and those over the saved login. Flags and
/// variables count as pairs, so a flag for the site ignores the variable for the registry.
/// `logins` is called only if no flag or variable is set.
pub fn choose(
    settings: &RegistrySettings,
    logins: impl FnOnce() -> Result<Credentials, ClientError>,
) -> Result<RegistryChoice, ClientError> {
    let RegistrySettings { registry_flag, site_flag, registry_variable, site_variable } = settings;
    let flags = [(registry_flag, NamedBy::RegistryFlag), (site_flag, NamedBy::SiteFlag)];
    let variables = [(registry_variable, NamedBy::RegistryVariable), (site_variable, NamedBy::SiteVariable)];
    for pair in [flags, variables] {
        let [registry, site] =
            pair.map(|(text, by)| Some((text.as_deref().filter(|text| !text.is_empty())?, by)));
        if let Some((_, named_by)) = registry.or(site) {
            let [registry, site] =
                [registry, site].map(|named| named.map(|(text, by)| parse(text, by)).transpose());
            return Ok(RegistryChoice { registry: registry?, site: site?, named_by });
        }
    }
    let logins = logins().map_err(|why| match why {
        ClientError::Credentials { path, why } => {
            let why = format!("{why}. To read a registry without a login, name it with --registry");
            ClientError::Credentials { path, why }
        }
        other => other,
    })?;
    let (registry, login) = logins.default_login().ok_or(ClientError::NoRegistry)?;
    let named_by = NamedBy::SavedLogin;
    let site = login.site.as_deref().map(|site| parse(site, named_by)).transpose()?;
    Ok(RegistryChoice { registry: Some(parse(registry, named_by)?), site, named_by })
}

/// Parses an address. The error names the setting.
fn parse(text: &str, named_by: NamedBy) -> Result<RegistryAddress, ClientError> {
    text.parse().map_err(|why: ClientError| why.of_address_from(named_by.as_str()))
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
            registry_variable: text(2),
            site_variable: text(3),
        }
    }

    fn chosen(given: &RegistrySettings) -> (Option<String>, Option<String>, NamedBy) {
        let choice = choose(given, || panic!("logins are read only if no setting names a registry")).unwrap();
        let text = |address: Option<RegistryAddress>| address.map(|address| address.to_string());
        (text(choice.registry), text(choice.site), choice.named_by)
    }

    #[test]
    fn choose_prefers_flags_to_variables() {
        for bits in 1..16u8 {
            let which = [bits & 1, bits & 2, bits & 4, bits & 8].map(|bit| bit != 0);
            // Flags as a pair, or else variables as a pair.
            let first = if which[0] || which[1] { 0 } else { 2 };
            let text = |at: usize| which[at].then(|| ORDER[at].0.to_owned());
            let named_by = if which[first] { ORDER[first].1 } else { ORDER[first + 1].1 };
            assert_eq!(chosen(&given(which)), (text(first), text(first + 1), named_by), "{which:?}");
        }
    }

    #[test]
    fn choose_without_settings_uses_the_saved_login() {
        let home = tempfile::tempdir().unwrap();
        let none = || Credentials::load_from(home.path());
        let empty = RegistrySettings { site_variable: Some(String::new()), ..RegistrySettings::default() };
        assert!(matches!(choose(&empty, none).unwrap_err(), ClientError::NoRegistry));
        let saved = || {
            let mut logins = Credentials::load_from(home.path())?;
            let login =
                Login { token: "x".parse()?, handle: "ann".into(), site: Some("https://s.example".into()) };
            logins.insert(&"https://r.example".parse()?, login);
            Ok(logins)
        };
        let choice = choose(&empty, saved).unwrap();
        assert_eq!(choice.named_by, NamedBy::SavedLogin);
        assert_eq!(choice.registry.unwrap().to_string(), "https://r.example");
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
            let why = choose(&given, || panic!("not read")).unwrap_err().to_string();
            assert!(
                why.contains("`example.org`") && why.ends_with(&format!("{})", ORDER[at].1.as_str())),
                "{why}"
            );
        }
    }
}
