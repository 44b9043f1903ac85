//! The registries that are trusted by their keys.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use registry::data_fault::json_fault;
use registry::public::Epoch;
use registry::transparency_log::{Checkpoint, LogName, Policy, VerifierKey};
use serde::{Deserialize, Serialize};

use crate::{ClientError, RegistryAddress, private_file};

/// The format version of the file.
const VERSION: u64 = 1;

/// What the file has, for messages.
const WHAT: &str = "the trusted keys";

/// The trusted keys of registries and the last checkpoint of each log, in
/// `$XDG_CONFIG_HOME/skillmirror/trust.json`. Only the current user can change the file.
#[derive(Debug, Serialize, Deserialize)]
pub struct TrustedRegistries {
    version: u64,
    /// Each registry, by its address.
    registries: BTreeMap<String, Trusted>,
    /// Each log, by its name.
    logs: BTreeMap<String, Log>,
    /// The repositories of which one must have built each version. Empty: any, and none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    provenance: Vec<String>,
    #[serde(skip)]
    folder: PathBuf,
}

/// A registry.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Trusted {
    /// One of these keys must have signed.
    keys: Vec<VerifierKey>,
    /// The text of the policy (C2SP tlog-policy) that its witnesses must satisfy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
}

/// What was seen of a log.
#[derive(Debug, Serialize, Deserialize)]
struct Log {
    /// The last signed checkpoint.
    checkpoint: String,
    /// The epoch that the registry has last signed a statement about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    epoch: Option<Epoch>,
}

impl TrustedRegistries {
    /// Reads what the current user trusts. Nothing if there is no file.
    pub fn load() -> Result<Self, ClientError> {
        Self::load_from(&private_file::folder()?)
    }

    fn load_from(folder: &Path) -> Result<Self, ClientError> {
        let path = folder.join("trust.json");
        let refused = |why: String| ClientError::Credentials { path: path.clone(), why };
        let Some(text) = private_file::read(&path, WHAT).map_err(refused)? else {
            let (registries, logs) = (BTreeMap::new(), BTreeMap::new());
            let (provenance, folder) = (Vec::new(), folder.to_owned());
            return Ok(Self { version: VERSION, registries, logs, provenance, folder });
        };
        let read: Self = serde_json::from_str(&text)
            .map_err(|why| refused(format!("this is not a file of trusted keys: {}", json_fault(&why))))?;
        if read.version != VERSION {
            return Err(refused(format!(
                "it has format version {}, but this program supports only {VERSION}: upgrade skillmirror",
                read.version
            )));
        }
        Ok(Self { folder: folder.to_owned(), ..read })
    }

    /// Reads, changes and writes what the current user trusts, under a lock. Nothing is written if
    /// `change` fails.
    pub fn change<T>(change: impl FnOnce(&mut Self) -> Result<T, ClientError>) -> Result<T, ClientError> {
        Self::change_in(&private_file::folder()?, change)
    }

    fn change_in<T>(
        folder: &Path,
        change: impl FnOnce(&mut Self) -> Result<T, ClientError>,
    ) -> Result<T, ClientError> {
        let path = folder.join("trust.json");
        let unsaved = |why: std::io::Error| ClientError::Credentials {
            path: path.clone(),
            why: format!("cannot save {WHAT}: {why}"),
        };
        let _held = private_file::lock(&path).map_err(unsaved)?;
        let mut trusted = Self::load_from(folder)?;
        let changed = change(&mut trusted)?;
        let text = serde_json::to_vec_pretty(&trusted).map_err(std::io::Error::from).map_err(unsaved)?;
        private_file::write(&path, &text).map_err(unsaved)?;
        Ok(changed)
    }

    /// The registries, with their keys.
    pub fn registries(&self) -> impl Iterator<Item = (&str, &[VerifierKey])> {
        self.registries.iter().map(|(registry, trusted)| (registry.as_str(), trusted.keys.as_slice()))
    }

    /// The trusted keys of a registry. Empty if it is not trusted by a key.
    pub fn keys(&self, registry: &RegistryAddress) -> &[VerifierKey] {
        self.registries.get(&registry.to_string()).map_or(&[], |trusted| trusted.keys.as_slice())
    }

    /// The policy that the witnesses of a registry must satisfy.
    pub fn policy(&self, registry: &RegistryAddress) -> Result<Option<Policy>, ClientError> {
        let text = self.registries.get(&registry.to_string()).and_then(|trusted| trusted.policy.as_ref());
        let damaged = |why: registry::transparency_log::PolicyError| ClientError::Credentials {
            path: self.folder.join("trust.json"),
            why: format!("the policy for {registry} is damaged: {why}"),
        };
        text.map(|text| Policy::parse(text.as_bytes())).transpose().map_err(damaged)
    }

    /// Sets the text of the policy that the witnesses of a trusted registry must satisfy.
    pub fn set_policy(&mut self, registry: &RegistryAddress, text: String) {
        self.registries.entry(registry.to_string()).or_default().policy = Some(text);
    }

    /// Trusts a key of a registry. All keys of a registry have one name: keys of another name are
    /// replaced.
    pub fn add(&mut self, registry: &RegistryAddress, key: VerifierKey) {
        let keys = &mut self.registries.entry(registry.to_string()).or_default().keys;
        keys.retain(|known| known.name() == key.name() && *known != key);
        keys.push(key);
    }

    /// Trusts a registry no more. Forgets the checkpoint of its log, too, unless another trusted
    /// registry has the same log. Returns whether it was trusted.
    pub fn remove(&mut self, registry: &RegistryAddress) -> bool {
        let Some(removed) = self.registries.remove(&registry.to_string()) else { return false };
        let is_used = |name: &LogName| {
            self.registries.values().flat_map(|trusted| &trusted.keys).any(|key| key.name() == name)
        };
        for key in removed.keys {
            if !is_used(key.name()) {
                self.logs.remove(key.name().as_str());
            }
        }
        true
    }

    /// The repositories of which one must have built each version that is installed, as patterns.
    pub fn required_provenance(&self) -> &[String] {
        &self.provenance
    }

    /// Demands that a repository of these patterns has built each version. None of them: demands nothing.
    pub fn require_provenance(&mut self, patterns: Vec<String>) {
        self.provenance = patterns;
    }

    /// The last checkpoint of a log, and its signed text.
    pub fn checkpoint(&self, log: &LogName) -> Option<(Checkpoint, &str)> {
        let text = &self.logs.get(log.as_str())?.checkpoint;
        Some((Checkpoint::read_unverified(text.as_bytes()).ok()?, text))
    }

    /// The epoch that the registry of a log has last signed a statement about.
    pub(super) fn epoch(&self, log: &LogName) -> Option<&Epoch> {
        self.logs.get(log.as_str())?.epoch.as_ref()
    }

    /// Keeps the checkpoint of a log if it is larger than the last one, or of another epoch.
    pub(super) fn keep(
        checkpoint: &Checkpoint,
        signed: &str,
        epoch: Option<Epoch>,
    ) -> Result<(), ClientError> {
        Self::change(|trusted| {
            let known = trusted.checkpoint(&checkpoint.origin).map(|(known, _)| known.size);
            if epoch.is_some() || known.is_none_or(|known| known < checkpoint.size) {
                let name = checkpoint.origin.to_string();
                let epoch = epoch.or_else(|| trusted.logs.remove(&name)?.epoch);
                trusted.logs.insert(name, Log { checkpoint: signed.to_owned(), epoch });
            }
            Ok(())
        })
    }

    /// Keeps two checkpoints that contradict each other. Returns their folder.
    pub(super) fn keep_evidence(&self, [before, now]: [&str; 2]) -> Result<PathBuf, ClientError> {
        let folder = self.folder.join("evidence");
        let write = || {
            fs::create_dir_all(&folder)?;
            for text in [before, now] {
                let digest = registry::names::Digest::of(text.as_bytes()).to_string();
                fs::write(folder.join(format!("{}.checkpoint", &digest[..16])), text)?;
            }
            Ok(())
        };
        let unsaved = |why: std::io::Error| ClientError::File {
            path: folder.clone(),
            why: format!("cannot keep the checkpoints: {why}"),
        };
        write().map_err(unsaved)?;
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use registry::transparency_log::SigningKey;

    fn key(name: &str) -> VerifierKey {
        SigningKey::generate(&name.parse().unwrap()).unwrap().verifier().clone()
    }

    #[test]
    fn keys_of_a_registry_have_one_name() {
        let home = tempfile::tempdir().unwrap();
        let (here, there): (RegistryAddress, RegistryAddress) =
            ("https://a.example".parse().unwrap(), "https://b.example".parse().unwrap());
        let (old, new, other) = (key("a.example"), key("a.example"), key("b.example"));
        TrustedRegistries::change_in(home.path(), |trusted| {
            for key in [&old, &new, &old] {
                trusted.add(&here, key.clone());
            }
            let log = Log { checkpoint: "text".into(), epoch: None };
            trusted.logs.insert("a.example".into(), log);
            trusted.add(&there, old.clone());
            Ok(())
        })
        .unwrap();
        let mut trusted = TrustedRegistries::load_from(home.path()).unwrap();
        assert_eq!(trusted.keys(&here), [new, old]);
        assert!(trusted.remove(&here) && !trusted.remove(&here));
        assert_eq!(trusted.logs.len(), 1, "the other registry has the same log");
        trusted.add(&there, other.clone());
        assert_eq!(trusted.keys(&there), [other]);
    }

    #[test]
    fn damaged_file_is_refused() {
        let home = tempfile::tempdir().unwrap();
        TrustedRegistries::change_in(home.path(), |_| Ok(())).unwrap();
        let path = home.path().join("trust.json");
        for (text, said) in [
            ("{", "not a file of trusted keys"),
            ("{\"version\":2,\"registries\":{},\"logs\":{}}", "upgrade"),
        ] {
            private_file::write(&path, text.as_bytes()).unwrap();
            let why = TrustedRegistries::load_from(home.path()).unwrap_err().to_string();
            assert!(why.contains(said), "{why}");
        }
    }
}
