//! Skills and their versions: yanks, removal, promotion, stars and ratings.

use registry::names::{Coordinate, Version};
use registry::public::Id;
use serde_json::json;

use super::records::{Ignored, Rated, ReviewRecord, Starred};
use super::signed_in::{given, skill_path};
use super::{Reply, SignedIn};
use crate::source::records::{SkillRecord, VersionRecord};
use crate::{ClientError, SkillReference};

/// Yanks a version.
pub fn yank(
    of: &SignedIn,
    skill: &Coordinate,
    version: &Version,
    reason: Option<&str>,
) -> Result<Reply<VersionRecord>, ClientError> {
    of.post(&yank_path(skill, version), &given(json!({"reason": reason})))
}

/// Offers a yanked version again.
pub fn unyank(
    of: &SignedIn,
    skill: &Coordinate,
    version: &Version,
) -> Result<Reply<VersionRecord>, ClientError> {
    of.delete(&yank_path(skill, version))
}

fn yank_path(skill: &Coordinate, version: &Version) -> String {
    format!("{}/versions/{version}/yank", skill_path(skill))
}

/// Removes a skill.
pub fn remove(of: &SignedIn, skill: &Coordinate) -> Result<Reply<Ignored>, ClientError> {
    of.delete(&skill_path(skill))
}

/// Restores a removed skill.
pub fn restore(of: &SignedIn, skill: &Coordinate) -> Result<Reply<SkillRecord>, ClientError> {
    of.post_nothing(&format!("{}/restore", skill_path(skill)))
}

/// Asks for a copy of a version in `global`, of the latest one by default.
pub fn promote(
    of: &SignedIn,
    skill: &Coordinate,
    version: Option<&Version>,
    comment: Option<&str>,
) -> Result<Reply<ReviewRecord>, ClientError> {
    #[derive(serde::Deserialize)]
    struct Skill {
        id: Id,
    }
    let name = SkillReference::argument(skill);
    if skill.namespace.is_global() {
        let why =
            format!("{name} is in `global` already: name a skill of a team, as in @team/{}", skill.slug);
        return Err(ClientError::Unsupported(why));
    }
    let found = of.get(&skill_path(skill)).map_err(|why| match why {
        ClientError::Problem(problem) if problem.code() == "not_found" => ClientError::NotFound(format!(
            "no skill {name} is public at {}: search for it with `skillmirror search {}`",
            of.registry(),
            skill.slug
        )),
        other => other,
    });
    let Skill { id } = found?.record;
    let path = format!("/api/v1/namespaces/{}/skills/{id}/promote", skill.namespace);
    let asked = of.post(&path, &given(json!({"version": version, "comment": comment})));
    asked.map_err(|why| match why {
        ClientError::Problem(problem) if problem.code() == "not_found" => {
            ClientError::Problem(problem.with_advice(Some(format!("`skillmirror info {name}` lists them."))))
        }
        other => other,
    })
}

/// Stars a skill.
pub fn star(of: &SignedIn, skill: &Coordinate) -> Result<Reply<Starred>, ClientError> {
    of.post_nothing(&format!("{}/star", skill_path(skill)))
}

/// Takes the star back.
pub fn unstar(of: &SignedIn, skill: &Coordinate) -> Result<Reply<Starred>, ClientError> {
    of.delete(&format!("{}/star", skill_path(skill)))
}

/// Rates a skill with 1 to 5.
pub fn rate(of: &SignedIn, skill: &Coordinate, score: u8) -> Result<Reply<Rated>, ClientError> {
    of.post(&format!("{}/rating", skill_path(skill)), &json!({"score": score}))
}
