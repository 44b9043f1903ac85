//! The stored JSON of what happened in private.
//!
//! The private half of a row is `{"actor","credential","request","changes":
//! [{"kind","v",…}]}`: who did it, with which credential, in which request,
//! and what followed. Where a password session was the credential there is a
//! `"session"` besides. Like the public half it is a format for ever: a new
//! shape of a kind gets a new `v`, and decoding brings old ones up to date.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{PrivateChange, Promotion, Submission};
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

/// The schema number that a kind is written with. A kind whose shape changes
/// gets another one, and [`understand`] a way to read the old one.
fn schema(change: &PrivateChange) -> u32 {
    match change {
        PrivateChange::Submitted(_) | PrivateChange::PromotionRequested(_) => 2,
        _ => 1,
    }
}

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
        changes: changes.iter().map(|change| Versioned { v: schema(change), change }).collect(),
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
    let fail = |why: String| DecodeError { revision: row.revision, why };
    let stored: Stored<'_> = serde_json::from_str(&row.private).map_err(|why| fail(why.to_string()))?;
    let changes: Result<_, _> = stored.changes.iter().map(|raw| understand(raw)).collect();
    let changes = changes.map_err(|why| fail(why.to_string()))?;
    let Stored { actor, credential, session, request, .. } = stored;
    let audit = Audit { actor, credential, session, request };
    Ok(DecodedPrivate { audit, changes })
}

fn understand(raw: &RawValue) -> serde_json::Result<PrivateChange> {
    #[derive(Deserialize)]
    struct Header<'a> {
        #[serde(borrow)]
        kind: Cow<'a, str>,
        v: u32,
    }
    let header: Header<'_> = serde_json::from_str(raw.get())?;
    let change = || serde_json::from_str(raw.get());
    match (&*header.kind, header.v) {
        ("submitted" | "promotion_requested", 1) => change().map(before_headings),
        ("submitted" | "promotion_requested", 2) => change(),
        (kind, v) if v != 1 => {
            let why = format!("this release does not know the kind `{kind}` of schema {v}");
            Err(serde_json::Error::custom(why))
        }
        _ => change(),
    }
}

/// Schema 1 of what is handed in: it had no headings.
fn before_headings(change: PrivateChange) -> PrivateChange {
    match change {
        PrivateChange::Submitted(submission) => {
            let Submission { published, contents } = *submission;
            let published = published.without_headings();
            PrivateChange::Submitted(Box::new(Submission { published, contents }))
        }
        PrivateChange::PromotionRequested(promotion) => {
            let published = promotion.published.clone().without_headings();
            PrivateChange::PromotionRequested(Box::new(Promotion { published, ..*promotion }))
        }
        other => other,
    }
}
