//! Taking an installed skill away.

use std::path::PathBuf;

use registry::names::{Coordinate, Slug};

use super::content::{Found, differences, look};
use super::error::{InstallError, at, listed};
use super::judge::Force;
use super::place::{OLD, Place, RECORD};
use super::put;
use super::record::Installed;

/// What was taken away.
#[derive(Debug, Clone)]
pub struct Uninstalled {
    /// What the record said of it.
    pub installed: Installed,
    /// Where it was.
    pub path: PathBuf,
    /// Folders of earlier runs that are of no use, and that can't be removed.
    pub left: Vec<PathBuf>,
}

/// Takes the skill in the folder `slug` of `place` away: it is moved aside, then
/// out of the record, and removed. `coordinate` is what it is to be, where the
/// caller knows. A skill that was changed is kept, unless `force` says otherwise.
pub fn uninstall(
    place: &Place,
    slug: &Slug,
    coordinate: Option<&Coordinate>,
    force: Force,
) -> Result<Uninstalled, InstallError> {
    let left = place.recover()?;
    let path = place.skill(slug);
    let held = match place.lock_there() {
        Some(held) => held,
        None => {
            // Nothing is made in a folder where nothing is installed.
            check(place, slug, &path, coordinate, force)?;
            place.lock()?
        }
    };
    let (installed, is_there) = check(place, slug, &path, coordinate, force)?;
    let mut record = place.record()?;
    record.skills.remove(slug);
    let scratch = held.scratch()?;
    let prepared = scratch.path().join(RECORD);
    record.write(&prepared)?;
    let old = scratch.path().join(OLD).join(slug.as_str());
    if is_there {
        put::move_aside(&path, &old)?;
    }
    if let Err(why) = held.publish(&prepared) {
        if is_there {
            put::put(&old, &path)?;
        }
        return Err(why);
    }
    Ok(Uninstalled { installed, path, left })
}

/// What the record says of it, and whether there is a folder.
fn check(
    place: &Place,
    slug: &Slug,
    path: &std::path::Path,
    coordinate: Option<&Coordinate>,
    force: Force,
) -> Result<(Installed, bool), InstallError> {
    let mut record = place.record()?;
    let found = look(path).map_err(at("it can't be looked at", path))?;
    let path = || path.to_owned();
    let Some(installed) = record.skills.remove(slug) else {
        return Err(match found {
            Found::Nothing => {
                InstallError::NotInstalled { slug: slug.clone(), folder: place.folder().to_owned() }
            }
            Found::Other(_) | Found::Folder(_) => InstallError::NotRecorded { path: path() },
        });
    };
    if let Some(wanted) = coordinate.filter(|wanted| **wanted != installed.coordinate) {
        let (holds, wanted) = (installed.coordinate, wanted.clone());
        return Err(InstallError::HoldsOther { path: path(), holds, wanted });
    }
    match found {
        Found::Nothing => Ok((installed, false)),
        Found::Other(found) => Err(InstallError::NotAFolder { path: path(), found }),
        Found::Folder(files) => match differences(&installed.files, &files) {
            changed if !changed.is_empty() && force == Force::No => {
                Err(InstallError::Changed { path: path(), files: listed(&changed) })
            }
            _ => Ok((installed, true)),
        },
    }
}
