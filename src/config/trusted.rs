//! The sections `trusted.NAME`: the issuers whose jobs may publish.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use server::identity::{Issuer, IssuerSettings, Outbound};
use server::trusted::{ClaimNames, GITHUB, TokenKind, TrustedIssuer, TrustedIssuers};

use super::Config;

/// The issuers that a registry knows without settings. It asks them nothing before somebody names a publisher.
const KNOWN: [(&str, &str, Kind); 2] =
    [("github", GITHUB, Kind::Github), ("gitlab", "https://gitlab.com", Kind::Gitlab)];

/// How an issuer says which job a token is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Github,
    Gitlab,
    Claims,
}

/// One issuer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrustedSection {
    issuer: Option<String>,
    kind: Option<Kind>,
    keys_file: Option<PathBuf>,
    audience: Option<String>,
    claims: Option<ClaimNames>,
    enabled: Option<bool>,
}

impl TrustedSection {
    fn issuer(&self, name: &str, outbound: &Arc<dyn Outbound>) -> Result<TrustedIssuer, String> {
        let known = KNOWN.iter().find(|(known, ..)| *known == name);
        let address = self.issuer.clone().or_else(|| known.map(|(_, address, _)| (*address).to_owned()));
        let address =
            address.ok_or_else(|| format!("trusted.{name}.issuer: name the address of the issuer"))?;
        let kind = self.kind.or_else(|| known.map(|(.., kind)| *kind));
        let kind = match (kind, &self.claims) {
            (Some(Kind::Github), None) => TokenKind::Github,
            (Some(Kind::Gitlab), None) => TokenKind::Gitlab,
            (Some(Kind::Claims), Some(names)) => TokenKind::Claims(names.clone()),
            (Some(Kind::Claims), None) => {
                return Err(format!(
                    "trusted.{name}.claims: say which claims name repository, owner_id, workflow and commit"
                ));
            }
            (Some(_), Some(_)) => {
                return Err(format!("trusted.{name}.claims: only issuers of the kind \"claims\" have them"));
            }
            (None, _) => {
                return Err(format!("trusted.{name}.kind: write \"github\", \"gitlab\" or \"claims\""));
            }
        };
        let settings = IssuerSettings { address, keys_file: self.keys_file.clone() };
        let issuer = Issuer::new(settings, Arc::clone(outbound))
            .map_err(|why| format!("trusted.{name}.issuer: {why}"))?;
        Ok(TrustedIssuer { name: name.to_owned(), kind, audience: self.audience.clone(), issuer })
    }
}

impl Config {
    /// The issuers whose jobs may publish.
    ///
    /// Errors: an invalid setting, or two issuers with one address, of which only one could be found.
    pub fn trusted_issuers(&self, outbound: &Arc<dyn Outbound>) -> Result<TrustedIssuers, String> {
        let mut all = self.trusted.clone();
        for (name, ..) in KNOWN {
            all.entry(name.to_owned()).or_default();
        }
        let mut issuers: Vec<TrustedIssuer> = Vec::new();
        for (name, section) in all.iter().filter(|(_, section)| section.enabled.unwrap_or(true)) {
            let issuer = section.issuer(name, outbound)?;
            let address = issuer.issuer.address();
            if let Some(other) = issuers.iter().find(|other| other.issuer.address() == address) {
                return Err(format!(
                    "trusted.{name}.issuer: trusted.{} has this address already",
                    other.name
                ));
            }
            issuers.push(issuer);
        }
        Ok(TrustedIssuers(issuers))
    }
}
