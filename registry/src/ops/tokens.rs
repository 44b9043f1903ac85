//! Issuing and revoking tokens.

use std::collections::HashSet;

use super::{CommitContext, Decision, OpError, check_title, conflict, invalid};
use crate::api::private::TokenRecord;
use crate::names::{Digest, Handle};
use crate::private::{IssuedToken, PrivateChange, Scopes, Token, TokenPrefix};
use crate::public::Id;
use crate::quotas::Quotas;
use crate::time::Timestamp;

/// A new token. Its text is never stored.
#[derive(Debug, Clone)]
pub struct IssueToken {
    /// The owner. Default: the caller. Only platform admins issue tokens for others.
    pub handle: Option<Handle>,
    /// The name: 1 to 64 characters, one line, different from the owner's other live tokens.
    pub name: String,
    /// The scopes. Default: those of the caller's credential.
    pub scopes: Option<Scopes>,
    /// The expiry, in the future, and not after that of the caller's credential. Default:
    /// that of the caller's credential.
    pub expires_at: Option<Timestamp>,
    /// The sha256 of the token's text.
    pub digest: Digest,
    /// The first characters of the token's text, to tell tokens apart.
    pub prefix: TokenPrefix,
    /// What the caller may use.
    pub quotas: Quotas,
}

/// Issues a token. Its scopes are never wider than those of the caller's credential.
pub fn issue(context: CommitContext<'_>, input: &IssueToken) -> Result<Decision<TokenRecord>, OpError> {
    let Some(handle) = input.handle.clone().or_else(|| context.actor.handle.clone()) else {
        return invalid("handle", "say whose token it is to be");
    };
    if context.actor.handle.as_ref() != Some(&handle) {
        context.access().manage_users()?;
    }
    if super::user(context.catalog, &handle)?.disabled {
        return conflict(format!("the account `{handle}` is disabled: it can have no new token"));
    }
    check_name(&input.name)?;
    let scopes = input.scopes.clone().unwrap_or_else(|| context.actor.scopes.clone());
    if scopes.is_empty() {
        return invalid("scopes", "it names none: name at least one, or leave the field out");
    }
    let beyond: Vec<_> =
        scopes.beyond(&context.actor.scopes).map(|scope| format!("`{}`", scope.as_str())).collect();
    if !beyond.is_empty() {
        let beyond = beyond.join(", ");
        return Err(OpError::Forbidden(format!(
            "a token cannot give more than the one it is made with: this one lacks {beyond}"
        )));
    }
    let expires_at = expiry(context, &handle, input.expires_at)?;
    let live = |token: &&Token| !token.is_expired(context.now);
    if context.catalog.private.tokens_of(&handle).filter(live).any(|token| token.issued.name == input.name) {
        return conflict(format!(
            "there is a token named `{}` already: choose another name, or revoke that one",
            input.name
        ));
    }
    let live = context.catalog.private.tokens_of(&handle).filter(live).count();
    if live >= input.quotas.tokens {
        return conflict(format!(
            "you have {live} tokens, the most that one person may have: revoke some that you do not need"
        ));
    }
    let issued = IssuedToken {
        handle,
        name: input.name.clone(),
        prefix: input.prefix.clone(),
        digest: input.digest,
        scopes,
        expires_at,
    };
    let id = Id(context.revision);
    let token = Token { id, created_at: context.at, issued, parent: None, session: None };
    let reply = TokenRecord::new(&token, None);
    Ok(Decision::private(PrivateChange::TokenIssued(token.issued), reply))
}

/// The longest name of a token, in characters.
const MAX_NAME: usize = 64;

/// Checks the name of a new token: one visible line.
pub fn check_name(name: &str) -> Result<(), OpError> {
    check_title("name", name, MAX_NAME)
}

/// Issues a token to a client whose user has just logged in for it. If they have a live token of
/// that name, this one gets a number: the user did not choose the name and cannot correct it.
pub fn issue_to_client(
    context: CommitContext<'_>,
    input: &IssueToken,
) -> Result<Decision<TokenRecord>, OpError> {
    let live = |token: &&Token| !token.is_expired(context.now);
    let taken: HashSet<&str> = context
        .catalog
        .private
        .tokens_of(context.caller()?)
        .filter(live)
        .map(|token| token.issued.name.as_str())
        .collect();
    let name = free_name(&input.name, &taken);
    issue(context, &IssueToken { name, ..input.clone() })
}

/// The name, or the name with the first number that makes it differ from all `taken` ones.
fn free_name(name: &str, taken: &HashSet<&str>) -> String {
    let numbered = |number: usize| {
        let end = format!(" {number}");
        let start: String = name.chars().take(MAX_NAME - end.len()).collect();
        format!("{}{end}", start.trim_end())
    };
    let mut free = name.to_owned();
    // One more number than there are names: one of them is free.
    for number in 2..=taken.len() + 2 {
        if !taken.contains(free.as_str()) {
            break;
        }
        free = numbered(number);
    }
    free
}

/// The expiry of a new token: a child ends with its parent at the latest.
fn expiry(
    context: CommitContext<'_>,
    handle: &Handle,
    asked: Option<Timestamp>,
) -> Result<Option<Timestamp>, OpError> {
    if asked.is_some_and(|end| end <= context.now) {
        return invalid("expiresAt", "it must be a time to come");
    }
    let parent = context.actor.expires_at.filter(|_| context.actor.handle.as_ref() == Some(handle));
    match (asked, parent) {
        (Some(end), Some(limit)) if end > limit => invalid(
            "expiresAt",
            format!("the token or session it is made with ends at {limit}: name no later time"),
        ),
        (end, limit) => Ok(end.or(limit)),
    }
}

/// Revokes a token, and all that were made with it. Replies with all of them, the named one first. Others' tokens are
/// not found, except by platform admins.
pub fn revoke(context: CommitContext<'_>, id: Id) -> Result<Decision<Vec<Token>>, OpError> {
    let private = context.catalog.private;
    let (own, is_admin) = (&context.actor.handle, context.access().manage_users().is_ok());
    let token = private.token_by_id(id);
    if token.is_none_or(|token| !is_admin && own.as_ref() != Some(&token.issued.handle)) {
        let of = if is_admin { "there is" } else { "you have" };
        return Err(OpError::NotFound(format!(
            "{of} no token with the id {id}: list the tokens to see which there are"
        )));
    }
    let mut family: Vec<Token> =
        private.with_descendants(id).filter_map(|id| private.token_by_id(id)).cloned().collect();
    family.sort_unstable_by_key(|token| token.id);
    Ok(Decision::private(PrivateChange::TokenRevoked { id }, family))
}

/// Revokes the caller's tokens that were made in a session.
pub fn revoke_of_session(context: CommitContext<'_>, session: &str) -> Result<Decision<()>, OpError> {
    let made_in_it = |token: &&Token| token.parent.is_none() && token.session.as_deref() == Some(session);
    let tokens = context.catalog.private.tokens_of(context.caller()?).filter(made_in_it);
    let private = tokens.map(|token| PrivateChange::TokenRevoked { id: token.id }).collect();
    Ok(Decision { private, public: None, reply: () })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_name_is_numbered_if_taken() {
        let long = "n".repeat(MAX_NAME);
        let cut = format!("{} 2", "n".repeat(MAX_NAME - 2));
        let spaced = format!("{} {}", "n".repeat(MAX_NAME - 3), "mm");
        let taken = HashSet::from(["CLI", "CLI 2", "CLI 4", &long, &spaced]);
        for (name, free) in [
            ("other", "other"),
            ("CLI", "CLI 3"),
            (&*long, &*cut),
            (&*spaced, &format!("{} 2", "n".repeat(MAX_NAME - 3))),
        ] {
            assert_eq!(free_name(name, &taken), free);
        }
    }
}
