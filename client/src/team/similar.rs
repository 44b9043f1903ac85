//! Names like one that the registry does not know, for "did you mean".

use registry::api::private::Member;
use registry::api::public::SkillDetail;
use registry::names::{Coordinate, Namespace, did_you_mean, nearest};

use super::{PageRequest, SignedIn, list_namespaces};
use crate::skills::similar_skills;
use crate::{ClientError, Source};

/// The error, with the names that somebody may have meant if the thing at this path of the API was not found.
pub(super) fn explain(of: &SignedIn, path: &str, why: ClientError) -> ClientError {
    match why {
        ClientError::Problem(problem) if problem.code() == "not_found" => {
            match proposed(of, path).filter(|proposed| !proposed.is_empty()) {
                Some(names) => {
                    let question = did_you_mean(&names).replacen(": did", "Did", 1);
                    ClientError::Problem(problem.with_advice(Some(question)))
                }
                None => ClientError::Problem(problem),
            }
        }
        other => other,
    }
}

fn proposed(of: &SignedIn, path: &str) -> Option<Vec<String>> {
    let path = path.split('?').next()?.strip_prefix("/api/v1/")?;
    let parts: Vec<&str> = path.split('/').collect();
    let source = Source::open(of.registry().clone());
    match parts.as_slice() {
        ["skills", namespace, slug, ..] => {
            let skill = Coordinate { namespace: namespace.parse().ok()?, slug: slug.parse().ok()? };
            let document = generator::address::Document::Skill(skill.clone());
            let is_there = source.document::<SkillDetail<'_>>(&document).ok()?.is_some();
            (!is_there).then(|| similar_skills(&source, &skill))
        }
        ["namespaces", namespace, rest @ ..] => {
            let namespace: Namespace = namespace.parse().ok()?;
            let all = list_namespaces(&source, PageRequest::first()).ok()?.record.items;
            if all.iter().all(|known| known.state.slug != namespace) {
                let known = all.iter().map(|known| known.state.slug.as_str());
                return Some(owned(nearest(namespace.as_str(), known)));
            }
            let ["members", handle, ..] = rest else { return None };
            let path = format!("/api/v1/namespaces/{namespace}/members");
            let members = of.list::<Member>(&path, PageRequest::first()).ok()?.record.items;
            Some(owned(nearest(handle, members.iter().map(|member| member.handle.as_str()))))
        }
        _ => None,
    }
}

fn owned(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}
