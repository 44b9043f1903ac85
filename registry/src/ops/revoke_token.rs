//! Revoking a token.

use super::{CommitContext, Decision, OpError};
use crate::private::PrivateChange;
use crate::public::Id;

/// Revokes one of the caller's own tokens. Tokens of others are not found.
pub fn revoke_token(context: CommitContext<'_>, id: Id) -> Result<Decision<()>, OpError> {
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
