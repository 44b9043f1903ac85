//! Giving a skill to another author: one offers, the other accepts.

use std::time::Duration;

use super::{CommitContext, Decision, OpError, check_words, conflict, enabled_user, require_active};
use crate::access::{Access, Actor};
use crate::catalog::Catalog;
use crate::names::{Coordinate, Handle};
use crate::private::{Offer, PrivateChange};
use crate::public::{AuthorChanged, Id, PublicChange, Skill};
use crate::quotas::Quotas;

/// The lifetime of an offer: 30 days.
const OFFER_TTL: Duration = Duration::from_secs(30 * 86_400);

/// A new offer.
#[derive(Debug, Clone)]
pub struct MakeOffer {
    /// The skill.
    pub coordinate: Coordinate,
    /// The new author.
    pub to: Handle,
    /// A message to the new author, at most 2 KiB.
    pub message: Option<String>,
}

/// Checks that a user can become the author. In a team only members can.
fn require_eligible(catalog: Catalog<'_>, skill: &Skill, to: &Handle) -> Result<(), OpError> {
    let namespace = &skill.coordinate.namespace;
    enabled_user(catalog, to)?;
    if !namespace.is_global() && catalog.role(namespace, to).is_none() {
        return conflict(format!(
            "`{to}` is not a member of `{namespace}`: only members are authors there, so add them first"
        ));
    }
    if skill.author == *to {
        return conflict(format!("`{to}` is the author already"));
    }
    Ok(())
}

/// Offers a skill to another author. Replaces an earlier offer.
pub fn offer(context: CommitContext<'_>, input: &MakeOffer) -> Result<Decision<Offer>, OpError> {
    let skill = super::skill(context.catalog, &input.coordinate)?;
    context.access().dispose(skill)?;
    require_active(context.catalog, &input.coordinate.namespace)?;
    require_eligible(context.catalog, skill, &input.to)?;
    check_words("message", input.message.as_deref())?;
    let offer = Offer {
        id: Id(context.revision),
        skill: skill.id,
        from: context.caller()?.clone(),
        to: input.to.clone(),
        message: input.message.clone(),
        created_at: context.now,
        expires_at: context.now.plus(OFFER_TTL),
    };
    let Offer { skill, from, to, message, expires_at, .. } = offer.clone();
    Ok(Decision::private(PrivateChange::AuthorOffered { skill, from, to, message, expires_at }, offer))
}

fn no_offer(coordinate: &Coordinate) -> OpError {
    OpError::NotFound(format!(
        "there is no offer of {} for you: ask its author to offer it",
        coordinate.scoped()
    ))
}

/// An offer to accept.
#[derive(Debug, Clone)]
pub struct AcceptOffer {
    /// The skill.
    pub coordinate: Coordinate,
    /// What the caller may use.
    pub quotas: Quotas,
}

/// Accepts an offer.
pub fn accept(context: CommitContext<'_>, input: &AcceptOffer) -> Result<Decision<()>, OpError> {
    let AcceptOffer { coordinate, quotas } = input;
    let (skill, handle) = (super::skill(context.catalog, coordinate)?, context.caller()?);
    let offer = context.catalog.private.offers.of(skill.id).filter(|offer| offer.to == *handle);
    let offer = offer.ok_or_else(|| no_offer(coordinate))?;
    if offer.is_expired(context.now) {
        return conflict("the offer has expired: ask for another");
    }
    // The offer is void if its sender has lost the right to give the skill away.
    let giver = context.catalog.private.user(&offer.from).map(Actor::absent);
    if giver.is_none_or(|giver| Access::of(context.catalog, &giver).dispose(skill).is_err()) {
        return conflict(format!(
            "`{}`, who offered it, may not give it away any more: ask for another offer",
            offer.from
        ));
    }
    require_active(context.catalog, &coordinate.namespace)?;
    require_eligible(context.catalog, skill, handle)?;
    super::quota_checks::check_skills(context, handle, *quotas)?;
    let changed = AuthorChanged { skill: coordinate.into(), author: context.catalog.person(handle) };
    let mut private = vec![PrivateChange::AuthorOfferEnded { skill: skill.id }];
    // Authors do not rate their own skills, so an earlier rating ends.
    if context.catalog.private.stars_and_ratings.rating_of(skill.id, handle).is_some() {
        private.push(PrivateChange::Unrated { skill: skill.id, handle: handle.clone() });
    }
    Ok(Decision { private, public: Some(PublicChange::AuthorChanged(changed).into()), reply: () })
}

/// Declines or withdraws an offer.
pub fn end(context: CommitContext<'_>, coordinate: &Coordinate) -> Result<Decision<()>, OpError> {
    let (skill, handle) = (super::skill(context.catalog, coordinate)?, context.caller()?);
    let may_dispose = context.access().dispose(skill).is_ok();
    let is_concerned = |offer: &&Offer| offer.to == *handle || offer.from == *handle || may_dispose;
    let offer = context.catalog.private.offers.of(skill.id).filter(is_concerned);
    let offer = offer.ok_or_else(|| no_offer(coordinate))?;
    Ok(Decision::private(PrivateChange::AuthorOfferEnded { skill: offer.skill }, ()))
}
