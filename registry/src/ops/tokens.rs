//! Issuing and revoking tokens.

use super::{CommitContext, Decision, OpError, check_title, conflict, invalid};
use crate::names::{Digest, Handle};
use crate::private::record::TokenRecord;
use crate::private::{PrivateChange, Scopes, Token, TokenPrefix};
use crate::public::Id;
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
    /// The expiry, in the future. Default: none.
    pub expires_at: Option<Timestamp>,
    /// The sha256 of the token's text.
    pub digest: Digest,
    /// The first characters of the token's text, to tell tokens apart.
    pub prefix: TokenPrefix,
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
    check_title("name", &input.name, 64)?;
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
    if input.expires_at.is_some_and(|end| end <= context.now) {
        return invalid("expiresAt", "it must be a time to come");
    }
    let live = |token: &&Token| !token.is_expired(context.now);
    if context.catalog.private.tokens_of(&handle).filter(live).any(|token| token.name == input.name) {
        return conflict(format!(
            "there is a token named `{}` already: choose another name, or revoke that one",
            input.name
        ));
    }
    let token = Token {
        id: Id(context.revision),
        handle: handle.clone(),
        name: input.name.clone(),
        prefix: input.prefix.clone(),
        digest: input.digest,
        scopes: scopes.clone(),
        created_at: context.now,
        expires_at: input.expires_at,
    };
    let change = PrivateChange::TokenIssued {
        handle,
        name: input.name.clone(),
        prefix: input.prefix.clone(),
        digest: input.digest,
        scopes,
        expires_at: input.expires_at,
    };
    Ok(Decision::private(change, TokenRecord::new(&token, None)))
}

/// Revokes one of the caller's own tokens. Tokens of others are not found.
pub fn revoke(context: CommitContext<'_>, id: Id) -> Result<Decision<()>, OpError> {
    let own = context
        .catalog
        .private
        .token_by_id(id)
        .filter(|token| context.actor.handle.as_ref() == Some(&token.handle));
    if own.is_none() {
        return Err(OpError::NotFound(format!(
            "you have no token with the id {id}: list them to see which you have"
        )));
    }
    Ok(Decision::private(PrivateChange::TokenRevoked { id }, ()))
}
