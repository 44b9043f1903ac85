//! The section `private`, and the settings of the registry of a private namespace.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use generator::settings::RequiredCredential;
use generator::tree::Tree;
use registry::access::NamespaceCreation;
use registry::names::{Namespace, PublicUrl};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::folder_overlap::keep_apart;
use super::sections::{MetricsSection, PurgeSection};
use super::storage::DatabaseSetting;
use super::{Config, StorageSection};
use crate::engines::TargetUrl;

/// What stands for the name of a namespace in an address.
const PLACE: &str = "{namespace}";

/// Where the registries of private namespaces keep what is not in a folder.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrivateSection {
    /// The database of the rows of each. None: the folder `private/{namespace}` in the data folder.
    journal: Option<Each<DatabaseSetting>>,
    /// The bucket of the packages of each. None: the same folder.
    packages: Option<Each<TargetUrl>>,
    /// The bucket that follows the tree of each.
    target: Option<Each<TargetUrl>>,
}

impl PrivateSection {
    /// The names of its settings.
    pub const SETTINGS: &[&str] = &["journal", "packages", "target"];

    /// Refuses an invalid address of a database, without repeating it.
    pub fn check(&self) -> Result<(), String> {
        let checked = self.journal.as_ref().map_or(Ok(()), |each| each.example.check());
        checked.map_err(|why| format!("private.journal: {why}"))
    }
}

/// An address of each namespace: a text with the name of the namespace in it.
#[derive(Clone)]
struct Each<T> {
    text: String,
    example: T,
}

impl<T: FromStr<Err: fmt::Display>> Each<T> {
    fn of(&self, namespace: &Namespace) -> Result<T, String> {
        parse(&self.text, namespace.as_str())
    }
}

/// The address of one namespace, if the setting has one for each.
fn place<T: FromStr<Err: fmt::Display>>(
    setting: &str,
    each: Option<&Each<T>>,
    namespace: &Namespace,
) -> Result<Option<T>, String> {
    let of = |each: &Each<T>| each.of(namespace).map_err(|why| format!("private.{setting}: {why}"));
    each.map(of).transpose()
}

fn parse<T: FromStr<Err: fmt::Display>>(text: &str, namespace: &str) -> Result<T, String> {
    text.replace(PLACE, namespace).parse().map_err(|why: T::Err| why.to_string())
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Each<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        if !text.contains(PLACE) {
            let why =
                "write `{namespace}` where the name of the namespace belongs: each needs a place of its own";
            return Err(D::Error::custom(why));
        }
        let example = parse(&text, "namespace").map_err(D::Error::custom)?;
        Ok(Self { text, example })
    }
}

/// Shows an example, because the text may have a password.
impl<T: fmt::Debug> fmt::Debug for Each<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.example.fmt(f)
    }
}

/// The folder of a private namespace in the data folder.
fn data_folder(config: &Config, namespace: &Namespace) -> PathBuf {
    config.data.join("private").join(namespace.as_str())
}

impl Config {
    /// The folder with the trees of private namespaces: beside the output folder of the main registry, so that a
    /// host that serves that folder serves no other.
    pub fn private_folder(public: &Path) -> PathBuf {
        let mut name = public.file_name().unwrap_or("public".as_ref()).to_owned();
        name.push(".private");
        public.with_file_name(name)
    }

    /// Refuses a private namespace to a command about accounts, keys or hosts, which the main registry has.
    pub fn require_main(&self) -> Result<(), String> {
        if self.private_namespace.is_some() {
            let why = "this command is for the main registry, which does it for private namespaces too: leave out \
                       --private";
            return Err(why.into());
        }
        Ok(())
    }

    /// The settings of the registry of a private namespace, by those of its main registry. `address` is where the
    /// main registry is reached; None if only its tree knows that.
    ///
    /// Errors: a setting of the section `private` is missing or invalid.
    pub fn of_private_namespace(
        &self,
        namespace: &Namespace,
        address: Option<PublicUrl>,
    ) -> Result<Self, String> {
        let settings = &self.private;
        let missing = [
            ("journal", self.storage.has_database() && settings.journal.is_none()),
            ("packages", self.storage.packages.is_some() && settings.packages.is_none()),
        ];
        if let Some((setting, _)) = missing.iter().find(|(_, is_missing)| *is_missing) {
            return Err(format!(
                "storage.{setting} is not the data folder: name a place for private namespaces in private.{setting}"
            ));
        }
        let output = Self::private_folder(&self.public).join(namespace.as_str());
        let below = |main: PublicUrl| format!("{main}/-/{namespace}").parse();
        // Without a setting, only the server knows its address, and has told the tree.
        let public_url = match address.or_else(|| self.public_url.clone()) {
            Some(main) => Some(below(main)).transpose(),
            None => match Tree::at(&output).settings().and_then(|of_tree| of_tree.public_url) {
                Some(own) => Ok(Some(own)),
                None => self.listening_url().map(below).transpose(),
            },
        };
        let data = data_folder(self, namespace);
        let mut private = Self {
            public: keep_apart(&data, &output, "--public")?,
            data,
            public_url: public_url.map_err(|why: registry::names::NameError| why.to_string())?,
            storage: StorageSection {
                journal: place("journal", settings.journal.as_ref(), namespace)?,
                packages: place("packages", settings.packages.as_ref(), namespace)?,
                ..self.storage.clone()
            },
            // A CDN must not have the pages of a private namespace, and a witness would learn that there is one.
            purge: PurgeSection::default(),
            metrics: MetricsSection::default(),
            private_namespace: Some(namespace.clone()),
            ..self.clone()
        };
        // Clients tell marketplaces by their names.
        private.site.marketplace = None;
        private.mirror.target = place("target", settings.target.as_ref(), namespace)?;
        private.signing.witnesses.clear();
        private.sources.clear();
        private.namespaces.creation = NamespaceCreation::Admins;
        private.reads.require = RequiredCredential::Token;
        // There may be many of them.
        private.reads.memory /= 16;
        private.storage.check(private.mirror.target.as_ref())?;
        Ok(private)
    }
}
