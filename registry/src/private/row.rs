//! The stored JSON of what happened in private.
//!
//! The private half of a row is `{"actor","credential","request","changes":
//! [{"kind","v",…}]}`: who did it, with which credential, in which request,
//! and what followed. Where a password session was the credential there is a
//! `"session"` besides. Like the public half it is a format for ever: a new
//! shape of a kind gets a new `v`, and decoding brings old ones up to date.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::PrivateChange;
use crate::journal::{Revision, Row};
use crate::names::Handle;
use crate::public::Id;

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Audit {
    /// The person; None for the operator of the machine.
    pub actor: Option<Handle>,
    /// The token that was used.
    pub credential: Option<Id>,
    /// The public id of the session that was used.
    pub session: Option<String>,
    /// The request it came in.
    pub request: Option<String>,
}

/// The schema number of every kind. A kind whose shape changes gets its
/// own number and a function that reads the old one.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a> {
    v: u32,
    #[serde(flatten)]
    change: &'a PrivateChange,
}

/// The JSON that is stored as a row's private half.
pub fn encode(audit: &Audit, changes: &[PrivateChange]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Encoded<'a> {
        actor: Option<&'a Handle>,
        credential: Option<Id>,
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<&'a str>,
        request: Option<&'a str>,
        changes: Vec<Versioned<'a>>,
    }
    serde_json::to_string(&Encoded {
        actor: audit.actor.as_ref(),
        credential: audit.credential,
        session: audit.session.as_deref(),
        request: audit.request.as_deref(),
        changes: changes.iter().map(|change| Versioned { v: SCHEMA, change }).collect(),
    })
}

/// A stored row could not be understood.
#[derive(Debug, Clone, thiserror::Error)]
#[error(
    "the private half of revision {revision} cannot be read: {why}. It was written by a newer release \
     or is damaged: start the release that wrote it, or restore a backup of the data folder"
)]
pub struct DecodeError {
    /// The row.
    pub revision: Revision,
    /// What is wrong with it.
    pub why: String,
}

/// A row's private half, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedPrivate {
    /// Who did it.
    pub audit: Audit,
    /// What followed.
    pub changes: Vec<PrivateChange>,
}

/// Understands a stored row of any schema number ever written.
pub fn decode(row: &Row) -> Result<DecodedPrivate, DecodeError> {
    #[derive(Deserialize)]
    struct Stored<'a> {
        actor: Option<Handle>,
        credential: Option<Id>,
        #[serde(default)]
        session: Option<String>,
        request: Option<String>,
        #[serde(borrow)]
        changes: Vec<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct Header<'a> {
        #[serde(borrow)]
        kind: std::borrow::Cow<'a, str>,
        v: u32,
    }
    let fail = |why: String| DecodeError { revision: row.revision, why };
    let stored: Stored<'_> = serde_json::from_str(&row.private).map_err(|why| fail(why.to_string()))?;
    let mut changes = Vec::with_capacity(stored.changes.len());
    for raw in &stored.changes {
        let header: Header<'_> = serde_json::from_str(raw.get()).map_err(|why| fail(why.to_string()))?;
        if header.v != SCHEMA {
            let Header { kind, v } = header;
            return Err(fail(format!("this release does not know the kind `{kind}` of schema {v}")));
        }
        changes.push(serde_json::from_str(raw.get()).map_err(|why| fail(why.to_string()))?);
    }
    let Stored { actor, credential, session, request, .. } = stored;
    let audit = Audit { actor, credential, session, request };
    Ok(DecodedPrivate { audit, changes })
}
