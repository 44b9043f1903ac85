//! Reading and checking the settings.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use registry::names::Namespace;

use super::folder_overlap::keep_apart;
use super::sections::LimitsSection;
use super::signing_keys::SigningKeys;
use super::unusable_path::unreadable;
use super::{Config, SECTIONS, SETTINGS, environment, mistake};

/// The file that is read if none is named.
pub(super) const DEFAULT_FILE: &str = "config.toml";

/// Where settings come from: a file, and options of the command line, which win over it.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The file; `config.toml` if it exists.
    pub file: Option<PathBuf>,
    /// The data folder.
    pub data: Option<PathBuf>,
    /// The output folder.
    pub public: Option<PathBuf>,
    /// The public URL.
    pub public_url: Option<String>,
    /// The private namespace whose registry is meant; None for the main registry.
    pub private: Option<Namespace>,
    /// The address to listen on, for `serve`.
    pub listen: Option<SocketAddr>,
}

/// A setting that cannot be used.
pub(super) struct InvalidSetting {
    /// The whole name, such as `mirror.target`.
    setting: String,
    /// What the parser says, with its place in the text.
    pub(super) why: toml::de::Error,
}

/// Whether `config.toml` in this folder may be the configuration of a registry: all its names are ours, or nobody
/// can read it.
pub fn is_here() -> bool {
    let is_ours =
        |name: &str| SETTINGS.contains(&name) || SECTIONS.iter().any(|(section, _)| *section == name);
    match std::fs::read_to_string("config.toml").map(|text| text.parse::<toml::Table>()) {
        Ok(Ok(table)) => table.keys().all(|name| is_ours(name)),
        Ok(Err(_)) => true,
        Err(why) => why.kind() != std::io::ErrorKind::NotFound,
    }
}

impl Config {
    /// Reads the settings. Options win over variables of the environment, and these over the file.
    /// The error names the file or variable, the key and the remedy.
    pub fn load(source: Source) -> Result<Self, String> {
        let mut config = Self::load_file(source.file.as_deref())?;
        config.data = source.data.clone().unwrap_or(config.data);
        config.public = source.public.clone().unwrap_or(config.public);
        if let Some(url) = &source.public_url {
            config.public_url = Some(url.parse().map_err(|why| format!("public_url: {why}"))?);
        }
        // Checked for every command, before it opens anything.
        config.public = keep_apart(&config.data, &config.public, "--public")?;
        config.listen = source.listen.unwrap_or(config.listen);
        config.keys =
            SigningKeys::read(&config.signing.keys_folder(&config.data), &config.signing.verifiers)?;
        config.look = config.site.read()?;
        config.source = source;
        match config.source.private.clone() {
            Some(namespace) => config.of_private_namespace(&namespace, None),
            None => Ok(config),
        }
    }

    /// Returns these settings with another address to listen on. A reload keeps the address.
    #[must_use]
    pub fn listening_on(mut self, listen: Option<SocketAddr>) -> Self {
        self.listen = listen.unwrap_or(self.listen);
        self.source.listen = listen;
        self
    }

    /// Reads the same settings again.
    pub fn reload(&self) -> Result<Self, String> {
        Self::load(self.source.clone())
    }

    fn load_file(file: Option<&Path>) -> Result<Self, String> {
        let path = file.unwrap_or(Path::new(DEFAULT_FILE));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(why) if file.is_none() && why.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(why) => return Err(unreadable(path, &why, "--config names another file")),
        };
        let mut config = Self::parse(&text).map_err(|why| format!("{}: {why}", path.display()))?;
        config = config.with_variables(&text, environment::variables())?;
        if config.signing.command.is_empty() != config.signing.command.join("").is_empty() {
            return Err(format!("{}: signing.command: the first item is the program", path.display()));
        }
        let (command, keys) = (&config.signing.command, &config.signing.verifiers);
        if command.is_empty() != keys.is_empty() {
            let why = match keys.is_empty() {
                true => "signing.command: name its public key in signing.verifiers",
                false => "signing.verifiers: name the command that signs with them in signing.command",
            };
            return Err(format!("{}: {why}", path.display()));
        }
        Ok(config)
    }

    /// Reads and checks the text of a file.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let syntax = |why: toml::de::Error| mistake::of_syntax(text, &why);
        let table: toml::Table = text.parse().map_err(syntax)?;
        mistake::refuse_lists(&table)?;
        let config = Self::read(text).map_err(|InvalidSetting { setting, why }| {
            let place = why.span().map(|span| format!("line {}: ", mistake::line(text, span.start)));
            let said = mistake::of_setting(&table, &setting, why.message());
            format!("{}{setting}: {said}", place.unwrap_or_default())
        })?;
        config.check()
    }

    /// Reads the settings of a text. This is the only place that does: for each further kind of source, serde adds half
    /// a megabyte to the program.
    pub(super) fn read(text: &str) -> Result<Self, InvalidSetting> {
        let from =
            toml::Deserializer::parse(text).map_err(|why| InvalidSetting { setting: String::new(), why })?;
        serde_path_to_error::deserialize(from)
            .map_err(|why| InvalidSetting { setting: why.path().to_string(), why: why.into_inner() })
    }

    /// These settings of a file, and those among variables of the environment, which win.
    fn with_variables(
        self,
        text: &str,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, String> {
        let mut table: toml::Table =
            text.parse().map_err(|why: toml::de::Error| mistake::of_syntax(text, &why))?;
        let of_file = table.clone();
        environment::overlay(&mut table, variables)?;
        if table == of_file {
            return Ok(self);
        }
        let config = Self::read(&table.to_string()).map_err(|InvalidSetting { setting, why }| {
            let said = mistake::of_setting(&table, &setting, why.message());
            format!("{}: {said}, as in config.toml", environment::variable(&setting))
        })?;
        config.check()
    }

    /// Checks what one setting says of another.
    fn check(self) -> Result<Self, String> {
        let LimitsSection { zip, uploads_total, .. } = self.limits;
        if uploads_total < zip {
            return Err(format!(
                "limits.uploads_total: {uploads_total} is too small for one upload: use at least limits.zip ({zip})"
            ));
        }
        self.storage.check(self.mirror.target.as_ref())?;
        self.private.check()?;
        self.sources.iter().try_for_each(|(name, source)| source.check(name))?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use registry::names::PublicUrl;

    use super::*;
    use crate::config::{PrivateSection, StorageSection};

    #[test]
    fn config_toml_shows_the_defaults() {
        let shown = include_str!("../../config.toml");
        let uncommented: String = shown
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|l| l.contains(" = ")).unwrap_or(line))
            .fold(String::new(), |text, line| text + line + "\n");
        let mut config = Config::parse(&uncommented).unwrap();
        assert_eq!(
            config.public_url.take().as_ref().map(PublicUrl::as_str),
            Some("https://skills.example.org")
        );
        assert_eq!(
            config.mirror.target.take().map(|url| url.to_string()).as_deref(),
            Some("s3://skills/tree")
        );
        assert!(
            config.mirror.target_endpoint.take().is_some() && config.mirror.target_region.take().is_some()
        );
        let site = &mut config.site;
        assert!(site.marketplace.take().is_some());
        assert!(site.accent.take().is_some() && site.accent_dark.take().is_some());
        let paths = [&mut site.logo, &mut site.about, &mut site.publishing, &mut site.templates];
        assert!(paths.map(Option::take).iter().all(Option::is_some));
        assert_eq!(config.mirror.feed_deny.take(), Some("deny.txt".into()));
        assert_eq!(config.mirror.feed_token_file.take(), Some("feed-token".into()));
        assert_eq!(
            config.storage.journal.take().map(|setting| format!("{setting:?}")).as_deref(),
            Some("Ok(Address(\"postgres://db.example.org/skills\"))")
        );
        config.storage = StorageSection::default();
        config.private = PrivateSection::default();
        assert!(config.trusted.remove("company").is_some());
        assert!(config.scan.remove("clamav").is_some());
        assert!(config.sources.remove("office").is_some());
        assert_eq!(config.metrics.listen.take().map(|address| address.port()), Some(9100));
        assert_eq!(config.log.access.take(), Some("access.log".into()));
        assert_eq!(format!("{config:?}"), format!("{:?}", Config::default()));
        Config::parse(shown).unwrap();
    }

    #[test]
    fn variables_win_and_the_rest_of_the_file_stays() {
        let text = "public_url = \"https://a.example\"\n[mirror]\nwait_timeout = 5\n[site]\nname = 'Ann\"s \\ skills'\n\
                    links = [{ text = \"x = [1]\", url = \"https://b.example/#c\" }]\n[scan.\"a\"]\ncommand = [\"true\", \"'\"]\nversion = [\"true\"]\n";
        let variables =
            [("SKILLMIRROR_LISTEN", "127.0.0.1:1"), ("SKILLMIRROR_MIRROR_WAIT_TIMEOUT", "7"), ("HOME", "/")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let of_file = Config::parse(text).unwrap();
        let mut both = Config::parse(text).unwrap().with_variables(text, variables.into_iter()).unwrap();
        assert_eq!((both.listen.port(), both.mirror.wait_timeout.as_secs()), (1, 7));
        assert_eq!(both.site.name.as_str(), "Ann\"s \\ skills");
        (both.listen, both.mirror.wait_timeout) = (of_file.listen, of_file.mirror.wait_timeout);
        assert_eq!(format!("{both:?}"), format!("{of_file:?}"));
    }

    #[test]
    fn invalid_setting_is_refused_with_its_key() {
        for (text, key) in [
            ("lisen = 1", "lisen"),
            ("[mirror]\nwait_timout = 5", "wait_timout"),
            ("[mirror]\nwait_timeout = -5", "mirror.wait_timeout"),
            ("[namespaces]\ncreation = \"closed\"", "namespaces.creation"),
            ("[limits]\nfiles = 0", "limits.files"),
            ("[limits]\nuploads = 0", "limits.uploads"),
            ("[sessions]\ndays = 0", "sessions.days"),
            ("[sessions]\ndays = 401", "sessions.days"),
            ("[sessions]\nclient_days = 0", "sessions.client_days"),
            ("[search]\nkeep = 31536001", "search.keep"),
            ("[search]\nkeep = -1", "search.keep"),
            ("[limits]\nuploads_total = 1", "limits.uploads_total"),
            ("[mirror]\nwait_timeout = 86401", "mirror.wait_timeout"),
            ("[limits]\nbody_timeout = 9223372036854775807", "limits.body_timeout"),
            ("[limits]\nconnections = 9223372036854775807", "limits.connections"),
            ("[limits]\ntrusted_proxies = [\"proxy\"]", "limits.trusted_proxies"),
            ("public_url = \"skills.example.org\"", "public_url"),
            ("public_url = \"https://a.example/$(id)\"", "public_url"),
            ("[site]\nmarketplace = \"claude-skills\"", "site.marketplace"),
            ("[git]\nnamespace_bytes = 999999999", "git.namespace_bytes"),
            ("[site]\nname = \"\"", "site.name"),
            ("[site]\naccent = \"#ffcc00\"", "site.accent"),
            ("[site]\naccent_dark = \"#0b6b78\"", "site.accent_dark"),
            ("[site]\nlinks = [{ text = \"x\", url = \"javascript:alert(1)\" }]", "site.links[0].url"),
            ("listen = \"localhost\"", "listen"),
            ("[mirror]\ntarget = \"http://a/b\"", "mirror.target"),
            ("[mirror]\ntarget_keys = \"all\"", "mirror.target_keys"),
            ("[storage]\njournal = \"postgres://u:hunter2@h\"", "storage.journal"),
            ("[storage]\njournal = \"hunter2\"", "storage.journal"),
            ("[private]\njournal = \"postgres://u:hunter2@h?{namespace}\"", "private.journal"),
            ("[private]\ntarget = \"s3://private-skills\"", "private.target"),
            ("[source.a]\nkind = \"git\"", "source.a"),
            ("[source.a]\nkind = \"git\"\naddress = \"ext::sh -c id\"", "source.a.address"),
            ("[source.a]\nkind = \"git\"\naddress = \"https://u:hunter2@h/a\"", "source.a.address"),
            ("[storage]\njournal = \"s3://key:hunter2@a/b\"", "storage.journal"),
            ("[mirror]\ntarget = \"s3://a\"\n[storage]\npackages = \"s3://a/b\"", "storage.packages"),
        ] {
            let why = Config::parse(text).unwrap_err();
            assert!(why.contains(key) && !why.contains("hunter2"), "{text}: {why}");
        }
    }
}
