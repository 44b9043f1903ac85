//! Putting a skill into a folder, in the place of nothing or of itself.

use std::path::PathBuf;

use registry::package::Unpacked;
use registry::time::Timestamp;

use super::error::{InstallError, at};
use super::judge::{Force, Step, judge};
use super::outcome::{Change, Outcome};
use super::place::{Held, OLD, Place, RECORD};
use super::record::{Installed, Record};
use super::wanted::Wanted;
use super::{content, fetch, put};
use crate::{SkillReference, Source};

/// What is asked for.
struct Asked<'p> {
    place: &'p Place,
    wanted: Wanted,
    registry: String,
    force: Force,
}

/// Installs what `reference` stands for at `source` into `place`: at most three
/// requests, of which `progress` is told the bytes of the last one so far, and how
/// many there will be.
///
/// Errors: what is there and what the record says are as before.
pub fn install(
    place: &Place,
    source: &Source,
    reference: &SkillReference,
    force: Force,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Outcome, InstallError> {
    let left = place.recover()?;
    // A record that can't be read is found before anything is asked.
    place.record()?;
    let wanted = Wanted::ask(source, reference)?;
    let asked = Asked { place, wanted, registry: source.address().to_string(), force };
    let there = match asked.already()? {
        Some(installed) if asked.renewed(&installed).is_some() => asked.renew()?,
        there => there,
    };
    let (installed, change) = match there {
        Some(installed) => (installed, Change::AlreadyThere),
        None => asked.put(&fetch::fetch(source, &asked.wanted, progress)?)?,
    };
    Ok(Outcome { installed, path: asked.path(), change, left })
}

impl Asked<'_> {
    fn path(&self) -> PathBuf {
        self.place.skill(&self.wanted.coordinate.slug)
    }

    fn judge<'r>(&self, record: &'r Record) -> Result<Step<'r>, InstallError> {
        let path = self.path();
        let recorded = record.skills.get(&self.wanted.coordinate.slug);
        let found = content::look(&path).map_err(at("it can't be looked at", &path))?;
        judge(&path, &found, recorded, &self.wanted, &self.registry, self.force)
    }

    /// What is there, where nothing has to be fetched; an error where nothing may be
    /// put there.
    fn already(&self) -> Result<Option<Installed>, InstallError> {
        let see = || match self.judge(&self.place.record()?)? {
            Step::AlreadyThere(installed) => Ok(Some(installed.clone())),
            Step::Put(_) => Ok(None),
        };
        see().or_else(|why| match self.place.lock_there() {
            // Another run may just have been between its folder and its record.
            Some(_held) => see(),
            None => Err(why),
        })
    }

    /// What the record should say of a skill that is there as it was `installed`; None
    /// where it says so. Which registry a skill comes from changes by force only.
    fn renewed(&self, installed: &Installed) -> Option<Installed> {
        let (requested, registry) = (self.wanted.requested.clone(), self.registry.clone());
        let is_allowed = installed.registry == registry || self.force == Force::Yes;
        let renewed = Installed { requested, registry, ..installed.clone() };
        (is_allowed && renewed != *installed).then_some(renewed)
    }

    /// Records how a skill was asked for that is there already; None where it no longer is.
    fn renew(&self) -> Result<Option<Installed>, InstallError> {
        let held = self.place.lock()?;
        let record = self.place.record()?;
        match self.judge(&record)? {
            Step::AlreadyThere(installed) => {
                let installed = installed.clone();
                self.write_renewed(&held, record, installed).map(Some)
            }
            Step::Put(_) => Ok(None),
        }
    }

    fn write_renewed(
        &self,
        held: &Held,
        mut record: Record,
        installed: Installed,
    ) -> Result<Installed, InstallError> {
        let Some(renewed) = self.renewed(&installed) else { return Ok(installed) };
        record.skills.insert(self.wanted.coordinate.slug.clone(), renewed.clone());
        let scratch = held.scratch()?;
        let prepared = scratch.path().join(RECORD);
        record.write(&prepared)?;
        held.publish(&prepared)?;
        Ok(renewed)
    }

    /// Writes the package and the record, and puts both into their places.
    fn put(&self, package: &Unpacked) -> Result<(Installed, Change), InstallError> {
        let held = self.place.lock()?;
        let mut record = self.place.record()?;
        // Another run may have been first since this one looked.
        let replaced = match self.judge(&record)? {
            Step::Put(replaced) => replaced,
            Step::AlreadyThere(installed) => {
                let installed = installed.clone();
                let installed = self.write_renewed(&held, record, installed)?;
                return Ok((installed, Change::AlreadyThere));
            }
        };
        let (slug, path) = (&self.wanted.coordinate.slug, self.path());
        let installed = self.installed(package);
        let scratch = held.scratch()?;
        let [new, old] = ["new", OLD].map(|name| scratch.path().join(name).join(slug.as_str()));
        put::write_files(package, &new)?;
        record.skills.insert(slug.clone(), installed.clone());
        let prepared = scratch.path().join(RECORD);
        record.write(&prepared)?;
        let done = match &replaced {
            None => put::put(&new, &path)?,
            Some(_) => put::replace(&new, &path, &old)?,
        };
        if let Err(why) = held.publish(&prepared) {
            done.undo()?;
            return Err(why);
        }
        Ok((installed, replaced.map_or(Change::Installed, Change::Replaced)))
    }

    /// What the record is to say.
    fn installed(&self, package: &Unpacked) -> Installed {
        let Wanted { coordinate, version, sha256, requested, .. } = self.wanted.clone();
        Installed {
            coordinate,
            version,
            sha256,
            content_digest: package.content_digest(),
            registry: self.registry.clone(),
            requested,
            installed_at: Timestamp::now(),
            files: content::marks(package),
        }
    }
}
