//! The caller's skills: starred, written and submitted.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::prelude::*;
use registry::access::Access as Rights;
use registry::api::private::{OwnCounts, OwnSkill, SkillToCaller, StarredSkill};
use registry::api::public::{Page, SkillSummary};
use registry::catalog::Catalog;
use registry::journal::Revision;
use registry::names::{Coordinate, Handle};
use registry::private::{Review, ReviewStatus, Submission};
use registry::public::{Id, Skill};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/me/stars", READ, stars)
            .describe("listStars", "Lists the skills that the caller has starred, most recent star first.")
            .paged().replies::<Page<StarredSkill<'_>>>(200),
        get("/api/v1/me/skills", READ, skills)
            .describe("listOwnSkills", "Lists the skills that the caller has written or submitted.")
            .paged().replies::<Page<OwnSkill<'_>>>(200),
        get("/api/v1/me/skills/{namespace}/{slug}", READ, to_caller)
            .describe("showSkillToMe", "Says whether the caller has starred a skill, how they rated it, and whether they manage it.")
            .replies::<SkillToCaller>(200).fails(&[Code::Gone]),
    ]
}

async fn stars(call: Call) -> Result<Response, Problem> {
    let handle = call.caller()?.handle()?;
    call.read(|catalog| {
        let opinions = &catalog.private.stars_and_ratings;
        let starred = opinions.stars_of(handle).filter_map(|id| catalog.public.skill_by_id(id));
        let page = call.page_of(starred.collect())?.map(|skill: &Skill| {
            let summary = SkillSummary::new(catalog.public, skill);
            let summary = summary.counting(call.app.registry.live_counters(catalog, skill.id));
            let starred_at = opinions.star_of(skill.id, handle).map(|star| star.at);
            StarredSkill { summary, starred_at }
        });
        json(StatusCode::OK, &page)
    })
}

async fn to_caller(call: Call) -> Result<Response, Problem> {
    let (caller, coordinate) = (call.caller()?, call.skill()?);
    let handle = caller.handle()?;
    call.read(|catalog| {
        let skill = registry::ops::skill(catalog, &coordinate)?;
        let opinions = &catalog.private.stars_and_ratings;
        let record = SkillToCaller {
            starred: opinions.star_of(skill.id, handle).is_some(),
            score: opinions.rating_of(skill.id, handle),
            manages: Rights::of(catalog, &caller.actor).tag(skill).is_ok(),
        };
        json(StatusCode::OK, &record)
    })
}

/// A skill that the caller wrote or submitted.
struct Own {
    coordinate: Coordinate,
    /// The revision of the last change if the skill is published, otherwise of
    /// the last submission.
    changed: Revision,
    /// The newest and the oldest review if the skill is not public.
    unpublished: Option<(Id, Id)>,
    counts: OwnCounts,
}

/// All skills of a user, most recent change first, without removed ones.
fn own_skills(catalog: Catalog<'_>, handle: &Handle) -> Vec<Own> {
    let mut reviews = BTreeMap::<_, Vec<&Review>>::new();
    for review in catalog.private.reviews.by(handle) {
        reviews.entry(&review.coordinate).or_default().push(review);
    }
    let written = catalog.public.showing(handle).filter(|skill| skill.author == *handle);
    for skill in written {
        reviews.entry(&skill.coordinate).or_default();
    }
    let own = |(coordinate, reviews): (&Coordinate, Vec<_>)| own_skill(catalog, coordinate, &reviews);
    let mut all: Vec<_> = reviews.into_iter().filter_map(own).collect();
    all.sort_by_key(|own| Reverse(own.changed));
    all
}

fn own_skill(catalog: Catalog<'_>, coordinate: &Coordinate, reviews: &[&Review]) -> Option<Own> {
    let count = |status| reviews.iter().filter(|review| review.status == status).count() as u64;
    let (pending_review, rejected) = (count(ReviewStatus::Pending), count(ReviewStatus::Rejected));
    let mut counts = OwnCounts { published: 0, pending_review, rejected, yanked: 0 };
    let coordinate = coordinate.clone();
    if let Some(skill) = catalog.public.skill(&coordinate) {
        counts.yanked = skill.versions.iter().filter(|version| version.is_yanked()).count() as u64;
        counts.published = skill.versions.len() as u64 - counts.yanked;
        return Some(Own { coordinate, changed: skill.updated_revision, unpublished: None, counts });
    }
    if catalog.public.removed(&coordinate).is_some() {
        return None;
    }
    let ids = || reviews.iter().map(|review| review.id);
    let (newest, oldest) = ids().max().zip(ids().min())?;
    Some(Own { coordinate, changed: newest.0, unpublished: Some((newest, oldest)), counts })
}

/// Includes skills that have no published version yet.
async fn skills(call: Call) -> Result<Response, Problem> {
    let handle = call.caller()?.handle()?;
    let Page { items, total, page, size } = call.read(|catalog| call.page_of(own_skills(catalog, handle)))?;
    let submitted = latest_submissions(&call, &items).await?;
    call.read(|catalog| {
        let records = items.iter().filter_map(|own| {
            let summary = match own.unpublished {
                None => {
                    let skill = catalog.public.skill(&own.coordinate)?;
                    let summary = SkillSummary::new(catalog.public, skill);
                    summary.counting(call.app.registry.live_counters(catalog, skill.id))
                }
                Some((newest, oldest)) => {
                    let at = |id| catalog.private.reviews.get(id).map(|review| review.submitted_at);
                    let published = &submitted.get(&newest)?.published;
                    SkillSummary::unpublished(&own.coordinate, published, at(oldest)?, at(newest)?)
                }
            };
            Some(OwnSkill { summary, counts: own.counts })
        });
        let items: Vec<_> = records.collect();
        json(StatusCode::OK, &Page { items, total, page, size })
    })
}

/// The newest submission of each skill that is not public, by its review.
async fn latest_submissions(call: &Call, of: &[Own]) -> Result<HashMap<Id, Submission>, Problem> {
    let reviews: Vec<_> = of.iter().filter_map(|own| own.unpublished).map(|(newest, _)| newest).collect();
    let registry = Arc::clone(&call.app.registry);
    blocking(move || {
        let mut submissions = HashMap::new();
        for id in reviews {
            if let Some(submission) = registry.submission(id)? {
                submissions.insert(id, submission);
            }
        }
        Ok(submissions)
    })
    .await
}
