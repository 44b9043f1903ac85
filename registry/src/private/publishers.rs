//! The trusted publishers of namespaces and skills.

use std::collections::BTreeMap;

use super::Job;
use crate::api::private::{PublisherRecord, PublisherTerms};
use crate::names::{Handle, Namespace, Slug};
use crate::public::Id;
use crate::time::Timestamp;

/// A trusted publisher: a job that publishes in the name of the person who added it.
#[derive(Debug, Clone)]
pub struct Publisher {
    /// The revision of the row that added it.
    pub id: Id,
    /// Its jobs, and the skills that they may publish.
    pub terms: PublisherTerms,
    /// The person who added it.
    pub added_by: Handle,
    /// The time when it was added.
    pub created_at: Timestamp,
}

/// All trusted publishers, by id.
#[derive(Debug, Default)]
pub struct Publishers(BTreeMap<Id, Publisher>);

impl Publishers {
    pub(super) fn add(&mut self, publisher: Publisher) {
        self.0.insert(publisher.id, publisher);
    }

    pub(super) fn remove(&mut self, id: Id) {
        self.0.remove(&id);
    }

    /// The publisher with this id.
    pub fn get(&self, id: Id) -> Option<&Publisher> {
        self.0.get(&id)
    }

    /// The publishers of a namespace and its skills, oldest first.
    pub fn of<'a>(&'a self, namespace: &'a Namespace) -> impl Iterator<Item = &'a Publisher> {
        self.0.values().filter(move |publisher| publisher.terms.namespace == *namespace)
    }

    /// Whether a publisher is at this issuer.
    pub fn has_issuer(&self, address: &str) -> bool {
        self.0.values().any(|publisher| publisher.terms.issuer == address)
    }

    /// Finds the publisher of a skill, or of a whole namespace without `slug`, that admits a job.
    ///
    /// Errors: a sentence that names what the job says of itself, and nothing of other publishers.
    pub fn admit<'a>(
        &'a self,
        job: &Job,
        namespace: &'a Namespace,
        slug: Option<&Slug>,
    ) -> Result<&'a Publisher, String> {
        type Fits<'f> = &'f dyn Fn(&PublisherTerms) -> bool;
        let is_of = |terms: &PublisherTerms| terms.slug.is_none() || terms.slug.as_ref() == slug;
        let steps: [(String, Fits<'_>); 4] = [
            (
                format!("no trusted publisher names the repository `{}` of {}", job.repository, job.issuer),
                &|terms| terms.issuer == job.issuer && terms.repository.eq_ignore_ascii_case(&job.repository),
            ),
            (
                format!(
                    "the owner of `{}` has the id {}, which is not the one of its trusted publisher: the repository \
                     may have a new owner",
                    job.repository, job.owner_id
                ),
                &|terms| terms.owner_id == job.owner_id,
            ),
            (
                format!(
                    "no trusted publisher for `{}` names its workflow file `{}`",
                    job.repository, job.workflow
                ),
                &|terms| terms.workflow == job.workflow,
            ),
            (
                match &job.environment {
                    Some(name) => format!("its trusted publisher needs another environment than `{name}`"),
                    None => "its trusted publisher needs an environment, and the job has none".to_owned(),
                },
                // Exactly: at some systems, names that differ by case are two environments.
                &|terms| terms.environment.is_none() || terms.environment == job.environment,
            ),
        ];
        let mut left: Vec<&Publisher> =
            self.of(namespace).filter(|publisher| is_of(&publisher.terms)).collect();
        for (refusal, fits) in steps {
            left.retain(|publisher| fits(&publisher.terms));
            if left.is_empty() {
                return Err(refusal);
            }
        }
        // The narrowest one, which may show less.
        left.into_iter().max_by_key(|publisher| publisher.terms.slug.is_some()).ok_or_else(String::new)
    }
}

impl From<&Publisher> for PublisherRecord {
    fn from(publisher: &Publisher) -> Self {
        let Publisher { id, terms, added_by, created_at } = publisher.clone();
        Self { id, terms, added_by, created_at }
    }
}
