//! The files of a project: reads, locks and replaces them.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::fault::Fault;
use super::manifest_edit::{self, Addition};
use super::{Lock, LockedSkill, Manifest, Place, lock_file, manifest, takeover};
use crate::install::{InstallError, SkillsFolder};
use crate::regular_file::{self, Links};
use crate::{file_lock, notice, platform};
use registry::names::Coordinate;

/// The lock file, in the current folder.
const LOCK: &str = "skills.lock";

/// What the project wants, in the current folder.
const MANIFEST: &str = "skills.toml";

/// A project, which no other command changes as long as this value lives.
pub struct Project {
    /// What `skills.lock` says. Without the file, what the records of installed skills say.
    pub lock: Lock,
    /// What `skills.toml` says, if there is one.
    manifest: Option<ManifestFile>,
    /// The lock file as it was read. None if the project has no lock file.
    read: Option<Lock>,
    /// Closing the folder unlocks it, and so does the end of the process.
    _folder: File,
}

struct ManifestFile {
    /// The text on the disk, as far as is known.
    saved: String,
    text: String,
    manifest: Manifest,
}

impl Project {
    /// Waits until no other command works on the project in the current folder, then reads its
    /// files. `folders` are looked through for skills that were installed without a lock file,
    /// beside `skills` and the folders of agents.
    pub fn open(folders: &[SkillsFolder]) -> Result<Self, InstallError> {
        let folder = lock_folder().map_err(at("cannot lock the folder of", Path::new(LOCK)))?;
        let read = read_lock()?;
        let manifest = read_text(Path::new(MANIFEST), manifest::MAX_BYTES)?.map(|text| {
            let manifest = Manifest::parse(&text).map_err(|fault| of(MANIFEST, fault))?;
            Ok::<_, InstallError>(ManifestFile { saved: text.clone(), text, manifest })
        });
        let lock = match &read {
            Some(lock) => Lock { merged_at: None, ..lock.clone() },
            None => takeover::lock_of_records(folders)?,
        };
        Ok(Self { lock, manifest: manifest.transpose()?, read, _folder: folder })
    }

    /// What the project wants, if it has a `skills.toml`.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref().map(|file| &file.manifest)
    }

    /// Whether there is a lock file.
    pub fn has_lock(&self) -> bool {
        self.read.is_some()
    }

    /// The first line of the lock file with a mark of a merge. None after [`Self::save`].
    pub fn merged_at(&self) -> Option<usize> {
        self.read.as_ref().and_then(|read| read.merged_at)
    }

    /// Whether nothing is wanted or installed here.
    pub fn is_empty(&self) -> bool {
        self.manifest.is_none() && self.read.is_none() && self.lock.skills.is_empty()
    }

    /// Fails if a place is in another, or another in it.
    pub fn check(&self, place: &Place) -> Result<(), InstallError> {
        match self.lock.overlapping(place) {
            Some(other) => Err(InstallError::Overlap { place: place.clone(), other: other.clone() }),
            None => Ok(()),
        }
    }

    /// Records an installed skill. [`Self::check`] has accepted its place.
    pub fn insert(&mut self, skill: LockedSkill) {
        self.lock.skills.insert(skill.place.clone(), skill);
    }

    /// Forgets what was at a place.
    pub fn remove(&mut self, place: &Place) {
        let Some(gone) = self.lock.skills.remove(place) else { return };
        for other in self.lock.skills.values_mut().filter(|other| other.place.folder() == place.folder()) {
            other.needed.by.remove(&gone.coordinate);
        }
    }

    /// Adds a skill to `skills.toml`, if there is one. Places where it is wanted under the same name
    /// already stay.
    pub fn want(&mut self, addition: &Addition<'_>) -> Result<(), InstallError> {
        self.edit(|ManifestFile { text, manifest, .. }| {
            let known = manifest.skills.get(addition.coordinate);
            let name = addition.places.first().map(Place::name);
            let known_places = known.into_iter().flat_map(|known| &known.places);
            let mut places: Vec<Place> =
                known_places.filter(|place| Some(place.name()) == name).cloned().collect();
            for place in addition.places {
                if !places.contains(place) {
                    places.push(place.clone());
                }
            }
            let known_agents = known.into_iter().flat_map(|known| &known.agents);
            let agents: Vec<String> =
                addition.agents.iter().chain(known_agents).chain(&manifest.agents).cloned().collect();
            manifest_edit::add(text, manifest, &Addition { places: &places, agents: &agents, ..*addition })
        })
    }

    /// Removes a place of a skill from `skills.toml`, if there is one, and with the last place the skill.
    pub fn unwant(&mut self, coordinate: &Coordinate, place: &Place) -> Result<(), InstallError> {
        let registry = self.lock.skills.get(place).map(|locked| locked.registry.clone());
        self.edit(|ManifestFile { text, manifest, .. }| {
            let Some(known) = manifest.skills.get(coordinate) else { return Ok(text.clone()) };
            let places: Vec<Place> = known.places.iter().filter(|other| *other != place).cloned().collect();
            let registry = known.registry.as_ref().or(manifest.registry.as_ref()).or(registry.as_ref());
            let Some(registry) = registry.filter(|_| !places.is_empty()) else {
                return manifest_edit::remove(text, coordinate);
            };
            let agents: Vec<String> = known.agents.iter().chain(&manifest.agents).cloned().collect();
            let requirement = &known.requirement;
            let rest = Addition { coordinate, requirement, registry, places: &places, agents: &agents };
            manifest_edit::add(text, manifest, &rest)
        })
    }

    fn edit(
        &mut self,
        edit: impl FnOnce(&ManifestFile) -> Result<String, Fault>,
    ) -> Result<(), InstallError> {
        let Some(file) = &mut self.manifest else { return Ok(()) };
        let text = edit(file).map_err(|fault| of(MANIFEST, fault))?;
        let manifest = Manifest::parse(&text).map_err(|fault| of(MANIFEST, fault))?;
        (file.text, file.manifest) = (text, manifest);
        Ok(())
    }

    /// Writes the files that have changed. Fails if a person has changed `skills.toml` meanwhile: the
    /// person's text stays, and the lock file is written.
    pub fn save(&mut self) -> Result<(), InstallError> {
        let manifest = self.save_manifest();
        let is_new = self.read.is_none() && !self.lock.skills.is_empty();
        if is_new || self.read.as_ref().is_some_and(|read| *read != self.lock) {
            self.lock.settle();
            let text = self.lock.render();
            // What nobody could read must not replace what is there.
            Lock::parse(&text).map_err(|fault| of(LOCK, fault))?;
            replace(Path::new(LOCK), &text)?;
            self.read = Some(self.lock.clone());
        }
        manifest
    }

    fn save_manifest(&mut self) -> Result<(), InstallError> {
        let path = Path::new(MANIFEST);
        let Some(file) = self.manifest.as_mut().filter(|file| file.text != file.saved) else { return Ok(()) };
        if read_text(path, manifest::MAX_BYTES)?.as_ref() != Some(&file.saved) {
            return Err(of(MANIFEST, Fault::Changed));
        }
        replace(path, &file.text)?;
        file.saved.clone_from(&file.text);
        Ok(())
    }
}

/// Reads the lock file of the current folder, and takes no lock. Returns None if the folder has no lock
/// file.
pub fn read_lock() -> Result<Option<Lock>, InstallError> {
    let Some(text) = read_text(Path::new(LOCK), lock_file::MAX_BYTES)? else { return Ok(None) };
    let lock = Lock::parse(&text).map_err(|fault| of(LOCK, fault))?;
    if let Some(line) = lock.merged_at {
        notice::show(&format!(
            "{LOCK}: line {line} marks a merge, and the entries of both sides are taken: `skillmirror install` writes \
             the file without marks"
        ));
    }
    Ok(Some(lock))
}

/// Locks the current folder itself: a lock file of its own would be one more file in every project.
fn lock_folder() -> std::io::Result<File> {
    let folder = platform::open_folder_to_lock(Path::new("."))?;
    file_lock::lock(&folder)?;
    Ok(folder)
}

/// Reads a text that may have come with somebody else's project. None if it is missing.
fn read_text(path: &Path, most: u64) -> Result<Option<String>, InstallError> {
    let damaged = |why: String| of(&path.display().to_string(), Fault::damaged(why));
    match regular_file::read(path, Links::Refuse, most) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| damaged("it is not UTF-8".to_owned())),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        // The file was refused.
        Err(why) if why.raw_os_error().is_none() => Err(damaged(why.to_string())),
        Err(why) => Err(at("cannot read", path)(why)),
    }
}

/// Replaces a file by one rename, after its text has reached the disk. What an earlier run has left
/// of it is overwritten.
fn replace(path: &Path, text: &str) -> Result<(), InstallError> {
    let new = PathBuf::from(format!(".{}.new", path.display()));
    let write = || {
        match fs::remove_file(&new) {
            Err(why) if why.kind() != ErrorKind::NotFound => return Err(why),
            _ => {}
        }
        // Never through a link that somebody has put there.
        let mut file = OpenOptions::new().write(true).create_new(true).open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(at("cannot write", path))
}

fn of(file: &str, fault: Fault) -> InstallError {
    InstallError::Project { path: file.into(), fault }
}

fn at(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> InstallError {
    let path = path.to_owned();
    move |why| InstallError::Files { doing, path, why }
}
