//! The latest version of a skill, from the documents of a registry.

use generator::address::Document;
use registry::api::public::{FullList, Resolved, VersionDetail};
use registry::data_fault::json_fault;
use registry::names::{Coordinate, Version};
use registry::package::{FileRecord, content_digest};
use serde::de::DeserializeOwned;

use crate::entry::{entry, folder_of};
use crate::failure::Failure;
use crate::source::SkillSource;
use rmcp::model::Skill;

/// A version and the list of its files, which have the digest that the version names.
pub(crate) struct Release {
    pub record: VersionDetail<'static>,
    pub files: Vec<FileRecord>,
}

impl Release {
    /// Reads the latest version of a skill. `None` if there is none.
    pub(crate) fn latest(source: &dyn SkillSource, coordinate: &Coordinate) -> Result<Option<Self>, Failure> {
        if let Some(why) = source.refusal(coordinate)? {
            return Err(Failure::NotFound(format!("the policy refuses {}: {why}", coordinate.scoped())));
        }
        let [resolved] = read(source, [Document::Resolve(coordinate.clone(), None)])?;
        let Some(resolved) = resolved else { return Ok(None) };
        let Resolved { version, sha256, .. } = parse(source, coordinate, &resolved)?;
        let version = version.into_owned();
        let documents = [
            Document::Version(coordinate.clone(), version.clone()),
            Document::Files(coordinate.clone(), version.clone()),
        ];
        let [Some(record), Some(files)] = read(source, documents)? else {
            return Err(contradiction(source, coordinate, &format!("it has no record of version {version}")));
        };
        let record: VersionDetail<'_> = parse(source, coordinate, &record)?;
        let FullList { items: files, .. } = parse(source, coordinate, &files)?;
        let release = Self { record, files };
        match release.is_about(coordinate, &version) && release.record.record.sha256 == sha256 {
            true => Ok(Some(release)),
            false => Err(contradiction(source, coordinate, "its documents are not about one version")),
        }
    }

    fn is_about(&self, coordinate: &Coordinate, version: &Version) -> bool {
        let Self { record, files } = self;
        (record.coordinate(), &*record.record.version) == (coordinate.clone(), version)
            && is_content(files, record)
    }

    /// The entry of the skill. The error says why the extension does not allow it.
    pub(crate) fn entry(&self) -> Result<Skill, Failure> {
        let coordinate = self.record.coordinate();
        entry(&coordinate, &self.record.metadata, &self.files)
            .map_err(|why| Failure::NotFound(format!("{} {why}: install it instead", coordinate.scoped())))
    }

    /// The URI of the skill's folder.
    pub(crate) fn folder(&self) -> String {
        folder_of(&self.record.coordinate(), &self.record.metadata)
    }
}

/// Whether these are the files of a version.
fn is_content(files: &[FileRecord], record: &VersionDetail<'_>) -> bool {
    let marks = files.iter().map(|file| (file.path.as_str(), file.executable, &file.sha256));
    content_digest(marks) == record.record.content_digest
}

/// Reads several documents.
pub(crate) fn read<const N: usize>(
    source: &dyn SkillSource,
    documents: [Document; N],
) -> Result<[Option<bytes::Bytes>; N], Failure> {
    let read = source.documents(&documents)?;
    read.try_into().map_err(|_| Failure::Unavailable(format!("{} did not answer", source.name())))
}

/// Parses a document about a skill.
pub(crate) fn parse<T: DeserializeOwned>(
    source: &dyn SkillSource,
    coordinate: &Coordinate,
    document: &[u8],
) -> Result<T, Failure> {
    serde_json::from_slice(document).map_err(|why| {
        contradiction(source, coordinate, &format!("a document of it cannot be read: {}", json_fault(&why)))
    })
}

fn contradiction(source: &dyn SkillSource, coordinate: &Coordinate, why: &str) -> Failure {
    let (registry, skill) = (source.name(), coordinate.scoped());
    Failure::Unavailable(format!(
        "{registry} is incomplete or just being updated, so {skill} cannot be read: {why}. Try again in a moment"
    ))
}
