//! Asking for a copy of a team's version in `global`.

use super::{CommitContext, Decision, OpError, check_words, conflict, require_active};
use crate::catalog::Catalog;
use crate::names::{Coordinate, Namespace, Version};
use crate::private::{PrivateChange, Promotion, ReviewKind};
use crate::public::{Id, PromotionSource, Published, Skill, VersionEntry};
use crate::quotas::Quotas;

/// The version to promote.
#[derive(Debug, Clone)]
pub struct Promote {
    /// The namespace of the skill.
    pub namespace: Namespace,
    /// The id of the skill.
    pub skill: Id,
    /// The version. Default: the latest.
    pub version: Option<Version>,
    /// The reason, at most 2 KiB.
    pub comment: Option<String>,
    /// What the caller and the author may use.
    pub quotas: Quotas,
}

/// Opens a review in `global` and replies with its id.
pub fn request(context: CommitContext<'_>, input: &Promote) -> Result<Decision<Id>, OpError> {
    super::namespace(context.catalog, &input.namespace)?;
    let name = context.catalog.public.name_of(input.skill).filter(|name| name.namespace == input.namespace);
    let name = name.ok_or_else(|| {
        OpError::NotFound(format!("there is no skill {} in `{}`", input.skill, input.namespace))
    })?;
    let skill = super::skill(context.catalog, name)?;
    context.access().promote(skill)?;
    if input.namespace.is_global() {
        return conflict("the skill is in `global` already");
    }
    require_active(context.catalog, &input.namespace)?;
    require_active(context.catalog, &Namespace::global())?;
    check_words("comment", input.comment.as_deref())?;
    let entry = match &input.version {
        Some(version) => super::version(skill, version)?,
        None => skill.latest().ok_or_else(|| {
            OpError::Conflict(format!("all versions of {} are yanked", skill.coordinate.scoped()))
        })?,
    };
    if entry.is_yanked() {
        return conflict(format!("version {} was yanked: undo that first", entry.version));
    }
    let target = Coordinate::new(Namespace::global(), skill.coordinate.slug.clone());
    require_free(context.catalog, skill, entry, &target)?;
    super::quota_checks::check_room(
        context,
        context.catalog.public.skill(&target),
        &skill.author,
        input.quotas,
    )?;
    let caller = context.caller()?;
    super::quota_checks::check_pending(
        context.catalog.private.reviews.usage(caller, context.now),
        input.quotas,
    )?;
    let promotion = Promotion {
        source_skill: skill.id,
        source_revision: entry.revision,
        requested_by: caller.clone(),
        comment: input.comment.clone(),
        published: copy(context, skill, entry, &target),
    };
    let change = PrivateChange::PromotionRequested(Box::new(promotion));
    Ok(Decision::private(change, Id(context.revision)))
}

/// Checks that name and version are free in `global`.
fn require_free(
    catalog: Catalog<'_>,
    skill: &Skill,
    entry: &VersionEntry,
    target: &Coordinate,
) -> Result<(), OpError> {
    let reviews = &catalog.private.reviews;
    if let Some(pending) = reviews.pending(target).find(|review| review.kind == ReviewKind::Promotion) {
        return conflict(format!("a promotion to `{target}` is pending already: review {}", pending.id));
    }
    if catalog.public.removed(target).is_some() {
        return conflict(format!("`{target}` was removed from `global`: its author can restore it"));
    }
    let public = catalog.public.skill(target);
    let holder = public.map(|public| &public.author);
    let holder = holder.or_else(|| reviews.pending(target).next().map(|review| &review.author));
    if holder.is_some_and(|author| *author != skill.author) {
        return conflict(format!("the name `{target}` belongs to another author in `global`"));
    }
    let versions = public.into_iter().flat_map(|public| &public.versions);
    if versions.into_iter().any(|other| other.version.eq_ignoring_case(&entry.version))
        || reviews.pending_version(target, &entry.version).is_some()
    {
        return conflict(format!("`{target}` has the version {} already", entry.version));
    }
    Ok(())
}

/// Builds the record of the version in `global`.
fn copy(context: CommitContext<'_>, skill: &Skill, entry: &VersionEntry, target: &Coordinate) -> Published {
    let (catalog, id) = (context.catalog, Id(context.revision));
    let public = catalog.public.skill(target).map(|public| public.id);
    let pending = || catalog.private.reviews.pending(target).next().map(|review| review.skill_id);
    let text = |text: &str| text.to_owned();
    Published {
        skill_id: public.or_else(pending).unwrap_or(id),
        version_id: id,
        namespace: target.namespace.clone(),
        slug: target.slug.clone(),
        version: entry.version.clone(),
        author: catalog.person(&skill.author),
        published_by: catalog.person(&entry.published_by),
        name: text(&entry.name),
        description: text(&entry.description),
        keywords: entry.keywords.to_vec(),
        headings: entry.headings().map(text).collect(),
        body_words: entry.body_words().map(text).collect(),
        license: entry.license.as_deref().map(text),
        homepage: entry.homepage.as_deref().map(text),
        changelog: text(&entry.changelog),
        tags: Vec::new(),
        promoted_from: Some(PromotionSource {
            namespace: skill.coordinate.namespace.clone(),
            slug: skill.coordinate.slug.clone(),
            version: entry.version.clone(),
        }),
        source_published_at: entry.source_published_at,
        file_count: entry.file_count,
        unpacked_size: entry.unpacked_size,
        package_size: entry.package_size,
        sha256: entry.sha256,
        content_digest: entry.content_digest,
        fingerprints: entry.fingerprints.clone(),
        provenance: entry.provenance.clone(),
        attestation_sha256: entry.attestation.as_deref().copied(),
        // A version that required what it replaces cannot require itself.
        requires: entry.requires.iter().filter(|one| one.coordinate() != *target).cloned().collect(),
        // The row of the source has their findings. Scanners judge the copy again for newer ones.
        verdicts: entry
            .verdicts
            .iter()
            .filter(|verdict| verdict.revision == entry.revision)
            .map(|verdict| verdict.summary.clone())
            .collect(),
    }
}
