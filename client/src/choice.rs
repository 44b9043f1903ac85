//! Which registry is meant.

use crate::{ClientError, Credentials, RegistryAddress};

/// What says which registry is meant, as it was written. An empty text says nothing.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// `--registry`
    pub registry_flag: Option<String>,
    /// `--site`
    pub site_flag: Option<String>,
    /// `CLI_REGISTRY`
    pub registry_variable: Option<String>,
    /// `CLI_SITE`
    pub site_variable: Option<String>,
}

/// What names a registry.
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
    /// The default one of the saved logins.
    SavedLogin,
}

impl NamedBy {
    /// What messages call it.
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

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The registry; None where its site has to be asked for it.
    pub registry: Option<RegistryAddress>,
    /// The site, where one is named.
    pub site: Option<RegistryAddress>,
    /// What named the registry, or the site where nothing named the registry.
    pub named_by: NamedBy,
}

/// Chooses: flags before variables, each as a pair, then the saved login. The
/// logins are read only where nothing else says it.
pub fn choose(
    given: &Given,
    logins: impl FnOnce() -> Result<Credentials, ClientError>,
) -> Result<Choice, ClientError> {
    let flags = (&given.registry_flag, NamedBy::RegistryFlag, &given.site_flag, NamedBy::SiteFlag);
    let variables =
        (&given.registry_variable, NamedBy::RegistryVariable, &given.site_variable, NamedBy::SiteVariable);
    for (registry, by_registry, site, by_site) in [flags, variables] {
        let registry = registry.as_deref().filter(|text| !text.is_empty());
        let site = site.as_deref().filter(|text| !text.is_empty());
        let named_by = match (registry, site) {
            (Some(_), _) => by_registry,
            (None, Some(_)) => by_site,
            (None, None) => continue,
        };
        let read = |text: &str, by: NamedBy| {
            text.parse::<RegistryAddress>().map_err(|why| why.of_address_from(by.as_str()))
        };
        let registry = registry.map(|text| read(text, by_registry)).transpose()?;
        let site = site.map(|text| read(text, by_site)).transpose()?;
        return Ok(Choice { registry, site, named_by });
    }
    let logins = logins().map_err(|why| match why {
        ClientError::Credentials { path, why } => {
            let why =
                format!("{why}. Meanwhile name a registry with --registry to read there without a login");
            ClientError::Credentials { path, why }
        }
        other => other,
    })?;
    let (registry, login) = logins.default_login().ok_or(ClientError::NoRegistry)?;
    let named_by = NamedBy::SavedLogin;
    let read =
        |text: &str| text.parse::<RegistryAddress>().map_err(|why| why.of_address_from(named_by.as_str()));
    let site = login.site.as_deref().map(read).transpose()?;
    Ok(Choice { registry: Some(read(registry)?), site, named_by })
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

    fn given(which: [bool; 4]) -> Given {
        let text = |at: usize| which[at].then(|| ORDER[at].0.to_owned());
        Given {
            registry_flag: text(0),
            site_flag: text(1),
            registry_variable: text(2),
            site_variable: text(3),
        }
    }

    fn chosen(given: &Given) -> (Option<String>, Option<String>, NamedBy) {
        let choice = choose(given, || panic!("logins are read only when nothing else says it")).unwrap();
        let text = |address: Option<RegistryAddress>| address.map(|address| address.to_string());
        (text(choice.registry), text(choice.site), choice.named_by)
    }

    #[test]
    fn every_combination() {
        for bits in 1..16u8 {
            let which = [bits & 1, bits & 2, bits & 4, bits & 8].map(|bit| bit != 0);
            // Flags as a pair, else variables as a pair.
            let first = if which[0] || which[1] { 0 } else { 2 };
            let text = |at: usize| which[at].then(|| ORDER[at].0.to_owned());
            let named_by = if which[first] { ORDER[first].1 } else { ORDER[first + 1].1 };
            assert_eq!(chosen(&given(which)), (text(first), text(first + 1), named_by), "{which:?}");
        }
    }

    #[test]
    fn the_saved_login_comes_last() {
        let home = tempfile::tempdir().unwrap();
        let none = || Credentials::load_from(home.path());
        let empty = Given { site_variable: Some(String::new()), ..Given::default() };
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
    fn what_is_wrong_is_said_with_where_it_came_from() {
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
