//! Decides what becomes of a skill of a source, and submits it.

use std::collections::BTreeMap;
use std::time::Duration;

use registry::local::{SeenSkill, SourceOutcome};
use registry::names::{Coordinate, Digest, Slug, TolerantVersion};
use registry::ops::publish::NamespaceConflict;
use registry::ops::reviews::{Withdraw, withdraw};
use registry::package::{LooseFile, Package, ReadOptions, SKILL_MD, Strictness};
use registry::public::{Id, PublicProvenance, SourceProvenance};
use registry::publishing::{FromSource, PublishInput, PublishMode};
use registry::quotas::Quotas;
use registry::time::Timestamp;
use registry::with_causes;

use super::history::{Known, check_goal, has_version};
use super::offer::{Content, Offer};
use super::{Follower, Reader, cut};
use crate::config::source::SourceSection;
use crate::storage::open_registry::operator;

/// How long a submission that waits is left alone at most, so that a source that always changes does not flood reviewers.
const MAX_LEFT_ALONE: Duration = Duration::from_secs(24 * 60 * 60);

/// Submits the skills of one source.
pub struct Submitter<'a> {
    follower: &'a Follower<'a>,
    source: &'a SourceSection,
    mode: PublishMode,
}

/// A package, and where it was.
struct Read {
    package: Package,
    provenance: SourceProvenance,
}

impl<'a> Submitter<'a> {
    /// Checks that the namespace and the account can take submissions.
    pub fn new(
        follower: &'a Follower<'a>,
        source: &'a SourceSection,
        mode: PublishMode,
    ) -> Result<Self, String> {
        check_goal(follower.registry, &source.into)?;
        let account = &source.account;
        follower.registry.read(|catalog| match catalog.private.user(account) {
            None => {
                Err(format!("there is no account `{account}`: add it with `skillmirror user add {account}`"))
            }
            Some(user) if user.disabled => Err(format!("the account `{account}` is disabled")),
            Some(_) => Ok(()),
        })?;
        Ok(Self { follower, source, mode })
    }

    /// Takes a skill, if it is new. `taken` are those of this check before it.
    pub fn take(
        &self,
        reader: &Reader,
        offer: &Offer,
        known: Option<&SeenSkill>,
        taken: &BTreeMap<String, SeenSkill>,
    ) -> SeenSkill {
        let nothing = SeenSkill {
            slug: None,
            version: offer.version.clone(),
            digest: offer.digest,
            content: None,
            outcome: SourceOutcome::Refused,
            message: None,
            review: known.and_then(|known| known.review),
        };
        // The same bytes need not be read again, unless nobody has decided about them.
        if let Some(known) = known.filter(|known| known.digest.is_some() && known.digest == offer.digest)
            && let Some((slug, content)) = known.slug.as_ref().zip(known.content)
            && let Some(found) = self.known(slug, &content)
        {
            return found.seen(known.clone());
        }
        let refused = |message: String| SeenSkill { message: Some(cut(message)), ..nothing.clone() };
        let read = match self.read(reader, offer) {
            Ok(read) => read,
            Err(why) => return refused(why),
        };
        let Some(slug) = read.package.manifest.slug() else {
            return refused("the package has no name".to_owned());
        };
        if taken.values().any(|other| other.slug.as_ref() == Some(slug)) {
            return refused(format!("another skill of the source has the name `{slug}`, too"));
        }
        let content = read.package.content_digest;
        let seen = SeenSkill { slug: Some(slug.clone()), content: Some(content), ..nothing.clone() };
        if let Some(found) = self.known(slug, &content) {
            return found.seen(seen);
        }
        let version = match self.version(offer, &read.package) {
            Ok(version) => version,
            Err(why) => return SeenSkill { message: Some(cut(why)), ..seen },
        };
        let exists = version.as_ref().filter(|(version, _)| {
            has_version(self.follower.registry, &self.coordinate(slug), &version.version)
        });
        if let Some((version, _)) = exists {
            let message = format!(
                "the source has another content under the version {}, which the registry has: a new content needs a new \
                 version",
                version.version
            );
            let version = Some(version.version.to_string());
            return SeenSkill { version, outcome: SourceOutcome::Changed, message: Some(message), ..seen };
        }
        self.submit(&read, version, seen)
    }

    fn coordinate(&self, slug: &Slug) -> Coordinate {
        Coordinate::new(self.source.into.clone(), slug.clone())
    }

    fn known(&self, slug: &Slug, content: &Digest) -> Option<Known> {
        Known::find(self.follower.registry, &self.coordinate(slug), content, &self.source.account)
    }

    fn read(&self, reader: &Reader, offer: &Offer) -> Result<Read, String> {
        let config = self.follower.config;
        let limits = config.package_limits();
        let strictness = if self.source.tolerant { Strictness::Tolerant } else { Strictness::Strict };
        let options =
            ReadOptions { source_name: Some(&offer.name), strictness, limits: &limits, allowed_files: &[] };
        let content = offer.content.as_ref().map_err(Clone::clone)?;
        let one = |content: Vec<u8>| LooseFile { path: SKILL_MD.to_owned(), executable: false, content };
        let (package, digest) = match (content, reader) {
            (Content::Archive(url), Reader::Http(fetcher)) => {
                let bytes = fetcher.get(url, config.limits.zip as u64)?;
                let digest = checked(&bytes, offer)?;
                if !bytes.starts_with(b"PK") {
                    return Err("its archive is not a zip".to_owned());
                }
                (Package::from_zip(&bytes, &options), Some(digest))
            }
            (Content::SkillMd(url), Reader::Http(fetcher)) => {
                let bytes = fetcher.get(url, limits.file)?;
                let digest = checked(&bytes, offer)?;
                (Package::from_files(vec![one(bytes)], &options), Some(digest))
            }
            (Content::Files(files), Reader::Http(fetcher)) => {
                let (mut read, mut left) = (Vec::new(), limits.unpacked);
                for (path, url) in files {
                    let content = fetcher.get(url, limits.file.min(left))?;
                    left -= content.len() as u64;
                    read.push(LooseFile { path: path.clone(), ..one(content) });
                }
                let digest = read.first().map(|skill_md| Digest::of(&skill_md.content));
                (Package::from_files(read, &options), digest)
            }
            (Content::Blobs(blobs), Reader::Git(repository)) => {
                (Package::from_files(repository.read(blobs, limits.unpacked)?, &options), None)
            }
            _ => return Err("it cannot be read from such a source".to_owned()),
        };
        let provenance =
            SourceProvenance { address: offer.address.clone(), commit: offer.commit.clone(), digest };
        if !provenance.is_valid() {
            return Err(
                "its address is too long, or has characters that an address should not have".to_owned()
            );
        }
        Ok(Read { package: package.map_err(|why| why.to_string())?, provenance })
    }

    /// The version, and the text that it was read from: of the package or of the source, or else the date. None: the next
    /// number after the latest version.
    fn version(&self, offer: &Offer, package: &Package) -> Result<Option<(TolerantVersion, String)>, String> {
        let own = package.manifest.version.as_ref().map(|read| (read.clone(), read.version.to_string()));
        let said = offer.version.as_ref().map(|text| {
            let version = text.parse::<TolerantVersion>().map_err(|why| why.to_string())?;
            Ok::<_, String>((version, text.clone()))
        });
        if let (false, Some(own)) = (offer.is_version_firm, &own) {
            return Ok(Some(own.clone()));
        }
        if let Some(said) = said.transpose()?.or(own) {
            return Ok(Some(said));
        }
        let day = Timestamp::now().to_string();
        let [year, month, day] = [day.get(..4), day.get(5..7), day.get(8..10)].map(Option::unwrap_or_default);
        let [month, day] = [month, day].map(|number| number.trim_start_matches('0'));
        let text = format!("{year}.{month}.{day}");
        let today: TolerantVersion =
            text.parse().map_err(|why: registry::names::NameError| why.to_string())?;
        let slug = package.manifest.slug();
        let is_new = self.follower.registry.read(|catalog| {
            let skill = slug.and_then(|slug| catalog.public.skill(&self.coordinate(slug)));
            let mut versions = skill.into_iter().flat_map(|skill| &skill.versions);
            versions.all(|entry| entry.version.cmp_as_latest(&today.version).is_lt())
        });
        Ok(is_new.then_some((today, text)))
    }

    /// Submits a package, or publishes it. An earlier submission of the source that still waits is withdrawn.
    fn submit(&self, read: &Read, version: Option<(TolerantVersion, String)>, seen: SeenSkill) -> SeenSkill {
        let Self { follower: Follower { registry, .. }, source, mode } = *self;
        let waiting = match self.waiting(read, &seen) {
            Ok(waiting) => waiting,
            Err((outcome, why)) => return SeenSkill { outcome, message: Some(cut(why)), ..seen },
        };
        let caller = operator(Some(source.account.clone()));
        let input = PublishInput {
            package: &read.package,
            namespace: Some(source.into.clone()),
            requested_name: None,
            on_namespace_conflict: NamespaceConflict::Override,
            version,
            changelog: String::new(),
            tags: Vec::new(),
            source_published_at: None,
            attestation: None,
            wait_level: self.follower.config.review.wait_level(),
            source: Some(FromSource { provenance: read.provenance.clone(), is_reviewed: !source.publish }),
            quotas: Quotas::UNLIMITED,
        };
        let reply = match registry.publish(&caller, input, mode) {
            Ok(done) => done.reply,
            Err(why) => return SeenSkill { message: Some(cut(with_causes(&why))), ..seen },
        };
        let version = Some(reply.version.to_string());
        let review = reply.review_id.filter(|_| mode == PublishMode::Commit);
        if review.is_some() {
            self.withdraw(&reply.canonical_slug, waiting);
        }
        let (outcome, message) = match reply.review_id {
            Some(review) => (SourceOutcome::Submitted, Some(format!("review {review}"))),
            None => (SourceOutcome::Published, None),
        };
        let message = message.filter(|_| mode == PublishMode::Commit);
        SeenSkill { version, outcome, message, review: review.or(seen.review), ..seen }
    }

    /// The submissions of the skill from this source that wait and are to be withdrawn. The error is why none can be made
    /// now: one of another source waits, or one of this source that reviewers have only just got.
    fn waiting(&self, read: &Read, seen: &SeenSkill) -> Result<Vec<Id>, (SourceOutcome, String)> {
        let registry = &self.follower.registry;
        let Some(slug) = &seen.slug else { return Ok(Vec::new()) };
        let skill = self.coordinate(slug);
        let waiting: Vec<(Id, Timestamp)> = registry.read(|catalog| {
            let pending = catalog.private.reviews.pending(&skill);
            let own = pending.filter(|review| review.submitted_by == self.source.account);
            own.map(|review| (review.id, review.submitted_at)).collect()
        });
        let mut ours = Vec::new();
        for (review, at) in waiting {
            let submission = registry.submission(review).ok().flatten();
            let provenance = submission.and_then(|submission| submission.published.provenance);
            let Some(PublicProvenance::Source { source, .. }) = provenance.as_deref() else { continue };
            if seen.review != Some(review) && source.address != read.provenance.address {
                let why = format!("review {review} of `{slug}` waits from another source: decide it first");
                return Err((SourceOutcome::Refused, why));
            }
            if at.plus(self.source.every.saturating_mul(4).min(MAX_LEFT_ALONE)) > Timestamp::now() {
                let why = format!("review {review} of an earlier content is new: it is not replaced yet");
                return Err((SourceOutcome::Waiting, why));
            }
            ours.push(review);
        }
        Ok(ours)
    }

    /// Withdraws submissions, so that reviewers see the last state only.
    fn withdraw(&self, skill: &Coordinate, reviews: Vec<Id>) {
        for review in reviews {
            let input = Withdraw { namespace: skill.namespace.clone(), review };
            let caller = operator(Some(self.source.account.clone()));
            if let Err(why) = self.follower.registry.commit(&caller, |context| withdraw(context, &input)) {
                tracing::warn!(%review, why = with_causes(&why), "an earlier submission of a source still waits");
            }
        }
    }
}

/// The digest of bytes, which must be that of the offer.
fn checked(bytes: &[u8], offer: &Offer) -> Result<Digest, String> {
    let digest = Digest::of(bytes);
    match offer.digest.is_none_or(|said| said == digest) {
        true => Ok(digest),
        false => Err(format!("its bytes have the sha256 {digest}, and the source says another one")),
    }
}
