//! What is the caller's: starred skills, and skills written or handed in.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use hyper::StatusCode;
use registry::catalog::Catalog;
use registry::journal::Revision;
use registry::names::{Coordinate, Handle};
use registry::private::record::{OwnCounts, OwnSkill, StarredSkill};
use registry::private::{Review, ReviewStatus, Submission};
use registry::public::record::{Page, SkillSummary};
use registry::public::{Id, Skill};

use super::fields::page_of;
use crate::Response;
use crate::auth::Caller;
use crate::problem::Problem;
use crate::reply::{blocking, json};
use crate::state::App;

/// `GET /api/v1/me/stars`: the last star first.
pub fn stars(app: &Arc<App>, caller: &Caller, query: &str) -> Result<Response, Problem> {
    let handle = caller.handle()?;
    app.registry.read(|catalog| {
        let social = catalog.private.social();
        let starred = social.stars_of(handle).filter_map(|id| catalog.public.skill_by_id(id));
        let page = page_of(query, starred.collect())?;
        let page = page.map(|skill: &Skill| {
            let summary = SkillSummary::new(catalog.public, skill);
            let summary = summary.counting(app.registry.live_counters(catalog, skill.id));
            let starred_at = social.star_of(skill.id, handle).map(|star| star.at);
            StarredSkill { summary, starred_at }
        });
        json(StatusCode::OK, &page)
    })
}

/// A skill of the caller's.
struct Own {
    coordinate: Coordinate,
    /// When it changed last: a published one at its last row, another when it
    /// was handed in last.
    changed: Revision,
    /// The last and the first review of one that is not public.
    unpublished: Option<(Id, Id)>,
    counts: OwnCounts,
}

/// What someone has handed in under one name.
#[derive(Default)]
struct HandedIn {
    newest: Option<Id>,
    oldest: Option<Id>,
    pending: u64,
    rejected: u64,
}

impl HandedIn {
    fn add(&mut self, review: &Review) {
        self.newest = self.newest.max(Some(review.id));
        self.oldest = Some(self.oldest.map_or(review.id, |oldest| oldest.min(review.id)));
        match review.status {
            ReviewStatus::Pending => self.pending += 1,
            ReviewStatus::Rejected => self.rejected += 1,
            ReviewStatus::Approved | ReviewStatus::Withdrawn => {}
        }
    }
}

/// All skills of someone, the last change first. Removed ones are nobody's.
fn own(catalog: Catalog<'_>, handle: &Handle) -> Vec<Own> {
    let mut handed_in = BTreeMap::<_, HandedIn>::new();
    for review in catalog.private.reviews().by(handle) {
        handed_in.entry(&review.coordinate).or_default().add(review);
    }
    let written = catalog.public.showing(handle).filter(|skill| skill.author == *handle);
    for skill in written {
        handed_in.entry(&skill.coordinate).or_default();
    }
    let mut all: Vec<_> = handed_in
        .into_iter()
        .filter_map(|(coordinate, handed_in)| one(catalog, coordinate, &handed_in))
        .collect();
    all.sort_by_key(|own| Reverse(own.changed));
    all
}

fn one(catalog: Catalog<'_>, coordinate: &Coordinate, handed_in: &HandedIn) -> Option<Own> {
    let HandedIn { newest, oldest, pending, rejected } = *handed_in;
    let mut counts = OwnCounts { published: 0, pending_review: pending, rejected, yanked: 0 };
    let coordinate = coordinate.clone();
    if let Some(skill) = catalog.public.skill(&coordinate) {
        counts.yanked = skill.versions.iter().filter(|version| version.is_yanked()).count() as u64;
        counts.published = skill.versions.len() as u64 - counts.yanked;
        return Some(Own { coordinate, changed: skill.updated_revision, unpublished: None, counts });
    }
    if catalog.public.removed(&coordinate).is_some() {
        return None;
    }
    let (newest, oldest) = newest.zip(oldest)?;
    Some(Own { coordinate, changed: newest.0, unpublished: Some((newest, oldest)), counts })
}

/// `GET /api/v1/me/skills`: also those with nothing published yet.
pub async fn skills(app: &Arc<App>, caller: &Caller, query: &str) -> Result<Response, Problem> {
    let handle = caller.handle()?;
    let Page { items, total, page, size } =
        app.registry.read(|catalog| page_of(query, own(catalog, handle)))?;
    let submitted = submissions(app, &items).await?;
    app.registry.read(|catalog| {
        let records = items.iter().filter_map(|own| {
            let summary = match own.unpublished {
                None => {
                    let skill = catalog.public.skill(&own.coordinate)?;
                    let summary = SkillSummary::new(catalog.public, skill);
                    summary.counting(app.registry.live_counters(catalog, skill.id))
                }
                Some((newest, oldest)) => {
                    let at = |id| catalog.private.reviews().get(id).map(|review| review.submitted_at);
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

/// What was handed in last of skills that are not public.
async fn submissions(app: &Arc<App>, of: &[Own]) -> Result<HashMap<Id, Submission>, Problem> {
    let wanted: Vec<_> = of.iter().filter_map(|own| own.unpublished).map(|(newest, _)| newest).collect();
    let registry = Arc::clone(&app.registry);
    blocking(move || {
        let mut found = HashMap::new();
        for id in wanted {
            if let Some(submission) = registry.submission(id)? {
                found.insert(id, submission);
            }
        }
        Ok(found)
    })
    .await
}
