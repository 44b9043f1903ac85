//! Answers to the requests about skills, from the documents and packages of a registry.

use std::sync::Arc;

use registry::package::{FileRecord, SKILL_MD, Unpacked};
use rmcp::model::{ResourceContents, Skill};

use crate::failure::Failure;
use crate::file_contents::contents;
use crate::package_cache::PackageCache;
use crate::release::Release;
use crate::skill_uri::{coordinate, file, path_in};
use crate::source::SkillSource;

/// Reads the skills of one registry. Its methods may block.
pub(crate) struct Reader {
    pub source: Arc<dyn SkillSource>,
    packages: PackageCache,
}

impl Reader {
    pub(crate) fn new(source: Arc<dyn SkillSource>) -> Self {
        Self { source, packages: PackageCache::default() }
    }

    /// The entry of the skill whose `SKILL.md` has this URI.
    pub(crate) fn skill(&self, uri: &str) -> Result<Skill, Failure> {
        let nothing = || Failure::NotFound(format!("no skill is served at {uri}"));
        let release = self.release(uri)?.ok_or_else(nothing)?;
        if file(&release.folder(), SKILL_MD) != uri {
            return Err(nothing());
        }
        release.entry()
    }

    /// The file of a skill that a URI names.
    pub(crate) fn resource(&self, uri: &str) -> Result<ResourceContents, Failure> {
        let nothing = || Failure::NotFound(format!("no file of a skill is served at {uri}"));
        let release = self.release(uri)?.ok_or_else(nothing)?;
        let path = path_in(&release.folder(), uri).ok_or_else(nothing)?;
        let (record, package) = self.file(&release, &path)?.ok_or_else(nothing)?;
        Ok(contents(uri, &record.content_type, content_of(&package, &path).ok_or_else(nothing)?))
    }

    /// The record of a file, and the package that has it. `None` if the version has no such file.
    pub(crate) fn file<'r>(
        &self,
        release: &'r Release,
        path: &str,
    ) -> Result<Option<(&'r FileRecord, Arc<Unpacked>)>, Failure> {
        let Some(record) = release.files.iter().find(|record| record.path == path) else { return Ok(None) };
        let package = self.packages.open(&*self.source, &release.record)?;
        Ok(Some((record, package)))
    }

    fn release(&self, uri: &str) -> Result<Option<Release>, Failure> {
        let Some(coordinate) = coordinate(uri) else { return Ok(None) };
        Release::latest(&*self.source, &coordinate)
    }
}

/// The content of a file of a package.
pub(crate) fn content_of<'p>(package: &'p Unpacked, path: &str) -> Option<&'p [u8]> {
    let file = package.files.iter().find(|file| file.path.as_str() == path)?;
    Some(&file.content)
}
