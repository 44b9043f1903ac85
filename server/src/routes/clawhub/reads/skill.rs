//! A skill, its versions and its packages.

use generator::address::Pointer;
use generator::render::clawhub;
use registry::names::{Digest, TagName, Version};
use registry::public::VersionStatus;

use super::*;

/// The most versions in an answer.
const MAX_VERSIONS: usize = 200;

/// How many versions are listed by default.
const VERSIONS: usize = 25;

pub(super) fn show(asked: &Asked<'_>) -> Result<Answer, Problem> {
    Ok(Answer::Document(Document::Clawhub(ClawhubDocument::Skill(asked.skill()?))))
}

/// `?limit=`.
pub(super) fn versions(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let (skill, limit) = (asked.skill()?, asked.limit(VERSIONS, MAX_VERSIONS));
    let list = asked.reader.read(|context| clawhub::versions(context.catalog, &skill, limit));
    list.map(Answer::Json).ok_or_else(Problem::no_such_skill)
}

pub(super) fn version(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let skill = asked.skill()?;
    let text = asked.params.get("version").unwrap_or_default();
    let version = text.parse().map_err(|_| no_such_version(text))?;
    let found = asked.reader.read(|context| clawhub::version(context, &skill, &version))?;
    found.map(Answer::Json).ok_or_else(|| missing(asked, &skill, &version))
}

/// `?slug=&hash=`: the version with a fingerprint, and the latest one.
pub(super) fn resolve(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let skill = asked.skill()?;
    let fingerprint = asked.parameter("hash").and_then(|hash| hash.parse::<Digest>().ok());
    let found = asked.reader.read(|context| clawhub::resolve(context.catalog, &skill, fingerprint));
    found.map(Answer::Json).ok_or_else(Problem::no_such_skill)
}

/// `?slug=&version=`, or `tag=`.
pub(super) fn download(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let skill = asked.skill()?;
    let pointer = asked.pointer()?.unwrap_or_else(|| Pointer::Tag(TagName::latest()));
    let has_version = asked.reader.read(|context| {
        let skill = context.catalog.skill(&skill).ok_or_else(Problem::no_such_skill)?;
        let found = match &pointer {
            Pointer::Version(version) => skill.version(version),
            Pointer::Tag(tag) => skill.tagged(tag),
        };
        Ok::<_, Problem>(found.is_some())
    })?;
    if !has_version {
        return Err(no_such_version(&pointer.to_string()));
    }
    Ok(Answer::Document(Document::CompatPackage(skill, pointer)))
}

/// `?version=` or `tag=`: who published a version, and whether it is still offered.
pub(super) fn verify(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let (skill, pointer) = (asked.skill()?, asked.pointer()?);
    let found = asked.reader.read(|context| {
        context.catalog.skill(&skill).ok_or_else(Problem::no_such_skill)?;
        Ok::<_, Problem>(clawhub::verify(context, &skill, pointer.as_ref()))
    })?;
    let asked_for = pointer.map_or("latest".to_owned(), |pointer| pointer.to_string());
    found.map(Answer::Json).ok_or_else(|| no_such_version(&asked_for))
}

/// Asked only about a skill without a latest version.
pub(super) fn install(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let skill = asked.skill()?;
    match asked.reader.exists(&Document::Skill(skill.clone())) {
        true => Err(Problem::not_found(format!(
            "All versions of {skill} were yanked: name a version if you need one of them."
        ))),
        false => Err(Problem::no_such_skill()),
    }
}

impl Asked<'_> {
    /// The version or tag in the query.
    pub(super) fn pointer(&self) -> Result<Option<Pointer>, Problem> {
        let version = self.parameter("version").map(|text| match text.parse::<Version>() {
            Ok(version) => Ok(Pointer::Version(version)),
            // Clients send tags here, too.
            Err(_) => text.parse().map(Pointer::Tag).map_err(|_| no_such_version(&text)),
        });
        let tag = || {
            let parse = |text: String| text.parse().map(Pointer::Tag).map_err(|_| no_such_version(&text));
            self.parameter("tag").map(parse)
        };
        version.or_else(tag).transpose()
    }
}

pub(super) fn no_such_version(asked_for: &str) -> Problem {
    Problem::not_found(format!(
        "There is no version or tag {asked_for} of this skill: inspect it with --versions."
    ))
}

/// Says why a version is missing.
fn missing(asked: &Asked<'_>, skill: &Coordinate, version: &Version) -> Problem {
    asked.reader.read(|context| {
        let Some(skill) = context.catalog.skill(skill) else { return Problem::no_such_skill() };
        match skill.version(version).map(|entry| &entry.status) {
            Some(VersionStatus::Yanked { reason }) => {
                let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
                Problem::not_found(format!("Version {version} was yanked{reason}: install another one."))
            }
            _ => no_such_version(&version.to_string()),
        }
    })
}
