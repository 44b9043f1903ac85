//! A skill is given to another author: one offers, the other accepts.

use std::time::Duration;

use super::{Decision, Moment, OpError, caller, check_words, require_active};
use crate::access::{Access, Actor};
use crate::catalog::Catalog;
use crate::names::{Coordinate, Handle};
use crate::private::{Offer, PrivateChange};
use crate::public::{AuthorChanged, Id, PublicRecord, Skill};

/// How long an offer stands: 30 days.
const LIFETIME: Duration = Duration::from_secs(30 * 86_400);

/// A new offer.
#[derive(Debug, Clone)]
pub struct MakeOffer {
    /// Which skill.
    pub coordinate: Coordinate,
    /// To whom.
    pub to: Handle,
    /// Why; at most 2 KiB.
    pub message: Option<String>,
}

/// Whether someone can be the author of a skill: in a team, members are.
fn require_eligible(catalog: Catalog<'_>, skill: &Skill, to: &Handle) -> Result<(), OpError> {
    let namespace = &skill.coordinate.namespace;
    if catalog.private.user(to).is_none_or(|user| user.disabled) {
        return Err(OpError::NotFound(format!("there is no user `{to}`: check the handle")));
    }
    if !namespace.is_global() && catalog.role(namespace, to).is_none() {
        return Err(OpError::Conflict(format!(
            "`{to}` is not a member of `{namespace}`: only members are authors there, so add them first"
        )));
    }
    if skill.author == *to {
        return Err(OpError::Conflict(format!("`{to}` is the author already")));
    }
    Ok(())
}

/// Offers a skill to another author, in the place of an earlier offer.
pub fn offer(
    catalog: Catalog<'_>,
    actor: &Actor,
    input: &MakeOffer,
    moment: Moment,
) -> Result<Decision<Offer>, OpError> {
    let skill = super::skill(catalog, &input.coordinate)?;
    Access::of(catalog, actor).dispose(skill)?;
    require_active(super::namespace(catalog, &input.coordinate.namespace)?)?;
    require_eligible(catalog, skill, &input.to)?;
    if let Some(message) = &input.message {
        check_words("message", message)?;
    }
    let offer = Offer {
        id: Id(moment.revision),
        skill: skill.id,
        from: caller(actor)?.clone(),
        to: input.to.clone(),
        message: input.message.clone(),
        created_at: moment.now,
        expires_at: moment.now.plus(LIFETIME),
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

/// Takes an offered skill over.
pub fn accept(
    catalog: Catalog<'_>,
    actor: &Actor,
    coordinate: &Coordinate,
    moment: Moment,
) -> Result<Decision<()>, OpError> {
    let (skill, handle) = (super::skill(catalog, coordinate)?, caller(actor)?);
    let offer = catalog.private.offers().of(skill.id).filter(|offer| offer.to == *handle);
    let offer = offer.ok_or_else(|| no_offer(coordinate))?;
    if offer.is_expired(moment.now) {
        return Err(OpError::Conflict("the offer has expired: ask for another".into()));
    }
    // Who has left the team since, or is author no more, has nothing to give.
    let giver = catalog.private.user(&offer.from).map(Actor::absent);
    if giver.is_none_or(|giver| Access::of(catalog, &giver).dispose(skill).is_err()) {
        return Err(OpError::Conflict(format!(
            "`{}`, who offered it, may not give it away any more: ask for another offer",
            offer.from
        )));
    }
    require_active(super::namespace(catalog, &coordinate.namespace)?)?;
    require_eligible(catalog, skill, handle)?;
    let changed = AuthorChanged { skill: coordinate.into(), author: catalog.person(handle) };
    let mut private = vec![PrivateChange::AuthorOfferEnded { skill: skill.id }];
    // Authors do not rate their own skills.
    if catalog.private.social().rating_of(skill.id, handle).is_some() {
        private.push(PrivateChange::Unrated { skill: skill.id, handle: handle.clone() });
    }
    Ok(Decision { private, public: Some(PublicRecord::from(changed)), reply: () })
}

/// Declines an offer, or takes it back.
pub fn end(
    catalog: Catalog<'_>,
    actor: &Actor,
    coordinate: &Coordinate,
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let (skill, handle) = (super::skill(catalog, coordinate)?, caller(actor)?);
    let may_dispose = Access::of(catalog, actor).dispose(skill).is_ok();
    let is_concerned = |offer: &&Offer| offer.to == *handle || offer.from == *handle || may_dispose;
    let offer = catalog.private.offers().of(skill.id).filter(is_concerned);
    let offer = offer.ok_or_else(|| no_offer(coordinate))?;
    Ok(Decision::private(PrivateChange::AuthorOfferEnded { skill: offer.skill }, ()))
}
