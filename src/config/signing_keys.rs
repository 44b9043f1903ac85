//! The folder with the keys that sign the history.
//!
//! A key that signs is in `{id}.key`, as text that only the owner can read. A retired key leaves
//! `{id}.retired`: its public half and the time. Nothing else is in the folder.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use generator::settings::RegistryKey;
use registry::time::Timestamp;
use registry::transparency_log::{LogName, SigningKey, VerifierKey};

use super::unusable_path::unreadable;

/// Where else keys can be.
const ELSEWHERE: &str = "the setting `signing.keys` names another folder";

/// How many keys may sign at once: the old and the new one while clients change.
const MAX_SIGNING: usize = 2;

/// The keys in a folder.
#[derive(Debug, Clone, Default)]
pub struct SigningKeys {
    folder: PathBuf,
    signing: Vec<SigningKey>,
    /// The keys of `signing.command`.
    of_command: Vec<VerifierKey>,
    retired: Vec<(VerifierKey, Timestamp)>,
}

impl SigningKeys {
    /// Reads the keys in `folder`. A folder that does not exist counts as an empty one. `of_command` are the
    /// public keys of the command that signs.
    pub fn read(folder: &Path, of_command: &[VerifierKey]) -> Result<Self, String> {
        let shown = folder.display();
        let mut keys = Self { folder: folder.to_owned(), ..Self::default() };
        let entries = match fs::read_dir(folder) {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => None,
            entries => Some(entries.map_err(|why| unreadable(folder, &why, ELSEWHERE))?),
        };
        for entry in entries.into_iter().flatten() {
            let path = entry.map_err(|why| unreadable(folder, &why, ELSEWHERE))?.path();
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("key") => keys.signing.push(read_key(&path)?),
                Some("retired") => keys.retired.push(read_retired(&path)?),
                _ => {}
            }
        }
        keys.signing.sort_by_key(|key| key.verifier().id());
        keys.retired.sort_by_key(|(key, at)| (*at, key.id()));
        for key in of_command {
            let is_retired = keys.retired.iter().any(|(retired, _)| retired == key);
            let is_here = keys.signing.iter().any(|here| here.verifier() == key);
            if !is_retired && !is_here && !keys.of_command.contains(key) {
                keys.of_command.push(key.clone());
            }
        }
        let names: BTreeSet<_> = keys.published().map(|key| key.key.name().clone()).collect();
        if let (Some(first), Some(other)) = (names.first(), names.iter().nth(1)) {
            return Err(format!(
                "{shown}: has keys of two registries, {first} and {other} (with `signing.verifiers`): all keys have \
                 one name"
            ));
        }
        if keys.count() > MAX_SIGNING {
            return Err(format!(
                "{shown}: has more than two keys that sign (with `signing.verifiers`): retire one with \
                 `skillmirror key retire`"
            ));
        }
        Ok(keys)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The keys that sign here.
    pub fn signing(&self) -> &[SigningKey] {
        &self.signing
    }

    /// The keys that a command signs with.
    pub fn of_command(&self) -> &[VerifierKey] {
        &self.of_command
    }

    fn count(&self) -> usize {
        self.signing.len() + self.of_command.len()
    }

    /// All public keys: those that sign, then retired ones.
    pub fn published(&self) -> impl Iterator<Item = RegistryKey> {
        let signing = self.signing.iter().map(SigningKey::verifier).chain(&self.of_command);
        let signing = signing.map(|key| RegistryKey { key: key.clone(), retired: None });
        let retired =
            self.retired.iter().map(|(key, at)| RegistryKey { key: key.clone(), retired: Some(*at) });
        signing.chain(retired)
    }

    /// Makes a new key. The first one needs a name. Returns it and its file.
    pub fn make(&self, name: Option<LogName>) -> Result<(VerifierKey, PathBuf), String> {
        let known = self.published().next().map(|key| key.key.name().clone());
        let name = match (name, known) {
            (Some(name), Some(known)) if name != known => {
                return Err(format!("the registry signs as {known}: leave out --name, because all keys have one name"));
            }
            (name, known) => name.or(known).ok_or(
                "give the registry's name with --name, such as skills.example.org: clients will trust it by this name",
            )?,
        };
        if self.count() >= MAX_SIGNING {
            return Err("two keys sign already: retire one first with `skillmirror key retire ID`".into());
        }
        let key = SigningKey::generate(&name).map_err(|why| registry::with_causes(&why))?;
        let path = self.path(&key.verifier().id(), "key");
        let text = format!("{}\n", key.to_secret_text());
        self.make_folder()
            .and_then(|()| write_new(&path, &text))
            .map_err(|why| format!("cannot write {}: {why}", path.display()))?;
        Ok((key.verifier().clone(), path))
    }

    /// The key that signs with this id.
    pub fn find(&self, id: &str) -> Result<&VerifierKey, String> {
        let mut keys = self.signing.iter().map(SigningKey::verifier).chain(&self.of_command);
        let key = keys.find(|key| key.id() == id || key.short() == id);
        key.ok_or_else(|| format!("no key {id} signs: `skillmirror key list` shows all"))
    }

    /// Removes the private half of a key if it is here, and keeps its public half as retired.
    pub fn retire(&self, id: &str) -> Result<VerifierKey, String> {
        let key = self.find(id)?;
        let (public, private) = (self.path(&key.id(), "retired"), self.path(&key.id(), "key"));
        self.make_folder()
            .and_then(|()| write_new(&public, &format!("{key} {}\n", Timestamp::now())))
            .map_err(|why| format!("cannot write {}: {why}", public.display()))?;
        match fs::remove_file(&private) {
            Err(why) if !self.of_command.contains(key) => {
                Err(format!("cannot remove {}: {why}", private.display()))
            }
            _ => Ok(key.clone()),
        }
    }

    /// Makes the folder for its owner alone. One that was there must not be writable for others, who could
    /// replace the keys in it.
    fn make_folder(&self) -> std::io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let mode = fs::metadata(&self.folder)?.permissions().mode();
        if mode & 0o022 != 0 {
            let why = format!("others can write to the folder: run `chmod 700 {}`", self.folder.display());
            return Err(std::io::Error::other(why));
        }
        Ok(())
    }

    fn path(&self, id: &str, extension: &str) -> PathBuf {
        self.folder.join(format!("{id}.{extension}"))
    }
}

fn read_key(path: &Path) -> Result<SigningKey, String> {
    let shown = path.display();
    let failed = |why: std::io::Error| unreadable(path, &why, ELSEWHERE);
    let mode = fs::metadata(path).map_err(failed)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(format!(
            "{shown}: others can read this private key: make a new one, or run `chmod 600` if nobody has"
        ));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    text.trim_end().parse::<SigningKey>().map_err(|why| format!("{shown}: {why}"))
}

fn read_retired(path: &Path) -> Result<(VerifierKey, Timestamp), String> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|why| unreadable(path, &why, ELSEWHERE))?;
    let (key, at) =
        text.trim_end().split_once(' ').ok_or_else(|| format!("{shown}: is not a public key and a time"))?;
    let key = key.parse::<VerifierKey>().map_err(|why| format!("{shown}: {why}"))?;
    Ok((key, at.parse().map_err(|_| format!("{shown}: has no valid time"))?))
}

/// Writes a file that only its owner can read, and that must not exist.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    // The mode of a new file is narrowed by the umask, never widened; this makes it exact.
    file.set_permissions(Permissions::from_mode(0o600))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
