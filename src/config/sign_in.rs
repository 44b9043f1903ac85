//! The sections `sign_in` and `tokens`: how people sign in, and for how long.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use registry::names::Namespace;
use registry::private::MemberRole;
use serde::{Deserialize, Deserializer};
use server::identity::{Issuer, IssuerSettings, Outbound, Provider, ProviderSettings, SignInSettings};

use super::Config;
use super::number::seconds;
use super::path::path;

/// The longest time of these settings: 400 days, as long as browsers keep a cookie.
const MAX: u64 = 400 * 24 * 60 * 60;

/// The longest secret of a client.
const MAX_SECRET: usize = 1024;

/// How people sign in.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SignInSection {
    passwords: bool,
    #[serde(deserialize_with = "seconds::<_, 0, MAX>")]
    session_ttl: Duration,
    providers: BTreeMap<String, ProviderSection>,
}

impl Default for SignInSection {
    fn default() -> Self {
        Self { passwords: true, session_ttl: Duration::ZERO, providers: BTreeMap::new() }
    }
}

impl SignInSection {
    /// The names of its settings.
    pub const SETTINGS: &[&str] = &["passwords", "session_ttl", "providers"];
}

/// How long tokens work.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TokensSection {
    #[serde(deserialize_with = "seconds::<_, 0, MAX>")]
    reconfirm: Duration,
}

impl TokensSection {
    /// The names of its settings.
    pub const SETTINGS: &[&str] = &["reconfirm"];
}

/// A provider that people sign in with.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderSection {
    issuer: String,
    client_id: String,
    #[serde(default, deserialize_with = "path")]
    client_secret_file: Option<PathBuf>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default = "default_scopes")]
    scopes: Vec<String>,
    #[serde(default, deserialize_with = "path")]
    keys_file: Option<PathBuf>,
    #[serde(default = "default_handle_claim")]
    handle_claim: String,
    #[serde(default = "default_groups_claim")]
    groups_claim: String,
    #[serde(default)]
    allowed_groups: Vec<String>,
    #[serde(default)]
    admins: Vec<String>,
    #[serde(default)]
    roles: BTreeMap<String, Roles>,
}

fn default_scopes() -> Vec<String> {
    ["openid", "profile"].map(str::to_owned).into()
}

fn default_handle_claim() -> String {
    "preferred_username".to_owned()
}

fn default_groups_claim() -> String {
    "groups".to_owned()
}

/// The roles that a group gives: `"team:member"`, or a list of these.
#[derive(Debug, Clone)]
struct Roles(Vec<(Namespace, MemberRole)>);

impl<'de> Deserialize<'de> for Roles {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            One(String),
            Many(Vec<String>),
        }
        let texts = match Written::deserialize(from)? {
            Written::One(text) => vec![text],
            Written::Many(texts) => texts,
        };
        let role = |text: String| {
            let (namespace, role) = text.split_once(':').ok_or("write it as \"namespace:role\"")?;
            let namespace = namespace.parse().map_err(|why| format!("{why}"))?;
            Ok((namespace, role.parse::<MemberRole>()?))
        };
        let roles: Result<_, String> = texts.into_iter().map(role).collect();
        roles.map(Self).map_err(serde::de::Error::custom)
    }
}

impl Config {
    /// How people sign in. Reads the secrets of clients, and asks no provider anything.
    ///
    /// Errors: a setting is invalid, or its file cannot be read. The message names it.
    pub fn sign_in_settings(&self, outbound: &Arc<dyn Outbound>) -> Result<SignInSettings, String> {
        let SignInSection { passwords, session_ttl, providers } = &self.sign_in;
        if !passwords && providers.is_empty() {
            return Err(
                "sign_in.passwords: without passwords, name a provider in [sign_in.providers.NAME]".into()
            );
        }
        let providers = providers.iter().map(|(name, section)| {
            let of_setting = |(setting, why)| format!("sign_in.providers.{name}.{setting}: {why}");
            section.provider(name, outbound).map_err(of_setting)
        });
        let some = |duration: Duration| Some(duration).filter(|duration| !duration.is_zero());
        Ok(SignInSettings {
            passwords: *passwords,
            session_ttl: some(*session_ttl),
            reconfirm: some(self.tokens.reconfirm),
            providers: Arc::new(providers.collect::<Result<_, _>>()?),
        })
    }
}

impl ProviderSection {
    /// The error names the setting.
    fn provider(&self, name: &str, outbound: &Arc<dyn Outbound>) -> Result<Provider, (&'static str, String)> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.len() > 32 || !name.bytes().all(fits) {
            let why = "the name of a provider has at most 32 lower-case letters, digits and `-`";
            return Err(("issuer", why.to_owned()));
        }
        let issuer = IssuerSettings { address: self.issuer.clone(), keys_file: self.keys_file.clone() };
        let issuer = Issuer::new(issuer, Arc::clone(outbound)).map_err(|why| ("issuer", why))?;
        if !self.scopes.iter().any(|scope| scope == "openid") {
            return Err(("scopes", "`openid` has to be one of them".to_owned()));
        }
        let read = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
            let secret = text.trim_end().to_owned();
            let is_one = !secret.is_empty() && secret.len() <= MAX_SECRET && !secret.contains('\n');
            is_one
                .then_some(secret)
                .ok_or_else(|| format!("{} must have one line with the secret", path.display()))
        };
        let secret = self.client_secret_file.as_ref().map(read).transpose();
        let settings = ProviderSettings {
            name: name.to_owned(),
            title: self.title.clone().unwrap_or_else(|| name.to_owned()),
            client_id: self.client_id.clone(),
            client_secret: secret.map_err(|why| ("client_secret_file", why))?,
            scopes: self.scopes.clone(),
            handle_claim: self.handle_claim.clone(),
            groups_claim: self.groups_claim.clone(),
            allowed_groups: self.allowed_groups.clone(),
            admins: self.admins.clone(),
            roles: self.roles.iter().map(|(group, roles)| (group.clone(), roles.0.clone())).collect(),
        };
        Ok(Provider::new(settings, issuer))
    }
}
