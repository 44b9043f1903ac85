//! Skills that a query or a list finds, a skill, its versions and its packages.

use generator::address::{ClawhubDocument, Document, MAX_QUERY_LENGTH, Pointer};
use generator::render::clawhub::{self, LIST_SIZE};
use registry::names::{Coordinate, Digest, TagName, Version};
use registry::public::{Sort, VersionStatus};

use super::super::super::prelude::*;
use super::question::{Answer, Question, no_such_version};

/// `?q=&limit=`, and `mode=exact` for skills with that slug or name only.
pub(super) fn search(question: &Question<'_>) -> Result<Answer, Problem> {
    let q = question.parameter("q").unwrap_or_default();
    if q.chars().count() > MAX_QUERY_LENGTH {
        return Err(Problem::invalid(format!(
            "The query is longer than {MAX_QUERY_LENGTH} characters: leave some words out."
        )));
    }
    let is_exact = question.parameter("mode").as_deref() == Some("exact");
    let limit = question.limit();
    Ok(Answer::Json(question.reader.read(|context| clawhub::search(context, &q, limit, is_exact))))
}

/// `?limit=&sort=`, and `prefix=&limit=&cursor=` for the skills whose slugs begin with a text.
pub(super) fn list(question: &Question<'_>) -> Result<Answer, Problem> {
    let limit = question.limit();
    if let Some(prefix) = question.parameter("prefix") {
        let (prefix, cursor) = (prefix.to_lowercase(), question.parameter("cursor").unwrap_or_default());
        let page =
            question.reader.read(|context| clawhub::prefixed(context.catalog, &prefix, limit, &cursor));
        return Ok(Answer::Json(page));
    }
    let sort = order(question.parameter("sort").as_deref());
    if limit == LIST_SIZE {
        return Ok(Answer::Document(Document::Clawhub(ClawhubDocument::Skills(sort))));
    }
    Ok(Answer::Json(question.reader.read(|context| clawhub::list(context.catalog, sort, limit))))
}

/// The order that a client asks for. The registry counts downloads instead of installations.
fn order(sort: Option<&str>) -> Sort {
    match sort {
        Some("createdAt") => Sort::Created,
        Some("downloads" | "trending" | "installs" | "installsCurrent" | "installsAllTime") => {
            Sort::Downloads
        }
        Some("stars") => Sort::Stars,
        _ => Sort::Updated,
    }
}

pub(super) fn show(question: &Question<'_>) -> Result<Answer, Problem> {
    Ok(Answer::Document(Document::Clawhub(ClawhubDocument::Skill(question.skill()?))))
}

/// `?limit=`.
pub(super) fn versions(question: &Question<'_>) -> Result<Answer, Problem> {
    let (skill, limit) = (question.skill()?, question.limit());
    let list = question.reader.read(|context| clawhub::versions(context.catalog, &skill, limit));
    list.map(Answer::Json).ok_or_else(Problem::no_such_skill)
}

pub(super) fn version(question: &Question<'_>) -> Result<Answer, Problem> {
    let skill = question.skill()?;
    let text = question.params.get("version").unwrap_or_default();
    let version = text.parse().map_err(|_| no_such_version(text))?;
    let found = question.reader.read(|context| clawhub::version(context, &skill, &version))?;
    found.map(Answer::Json).ok_or_else(|| missing(question, &skill, &version))
}

/// `?slug=&hash=`: the version with a fingerprint, and the latest one.
pub(super) fn resolve(question: &Question<'_>) -> Result<Answer, Problem> {
    let skill = question.skill()?;
    let fingerprint = question.parameter("hash").and_then(|hash| hash.parse::<Digest>().ok());
    let found = question.reader.read(|context| clawhub::resolve(context.catalog, &skill, fingerprint));
    found.map(Answer::Json).ok_or_else(Problem::no_such_skill)
}

/// `?slug=&version=`, or `tag=`.
pub(super) fn download(question: &Question<'_>) -> Result<Answer, Problem> {
    let skill = question.skill()?;
    let pointer = question.pointer()?.unwrap_or_else(|| Pointer::Tag(TagName::latest()));
    let has_version = question.reader.read(|context| {
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
pub(super) fn verify(question: &Question<'_>) -> Result<Answer, Problem> {
    let (skill, pointer) = (question.skill()?, question.pointer()?);
    let found = question.reader.read(|context| {
        context.catalog.skill(&skill).ok_or_else(Problem::no_such_skill)?;
        Ok::<_, Problem>(clawhub::verify(context, &skill, pointer.as_ref()))
    })?;
    let asked_for = pointer.map_or("latest".to_owned(), |pointer| pointer.to_string());
    found.map(Answer::Json).ok_or_else(|| no_such_version(&asked_for))
}

/// Asked only about a skill without a latest version.
pub(super) fn install(question: &Question<'_>) -> Result<Answer, Problem> {
    let skill = question.skill()?;
    match question.reader.exists(&Document::Skill(skill.clone())) {
        true => Err(Problem::not_found(format!(
            "All versions of {skill} were yanked: name a version if you need one of them."
        ))),
        false => Err(Problem::no_such_skill()),
    }
}

/// Says why a version is missing.
fn missing(question: &Question<'_>, skill: &Coordinate, version: &Version) -> Problem {
    question.reader.read(|context| {
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
