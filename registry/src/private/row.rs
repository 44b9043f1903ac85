//! The stored JSON of private changes.
//!
//! The private half of a row is `{"actor","credential","request","changes":
//! [{"kind","v",…}]}`: who made the changes, with which credential, in which
//! request, and the changes. If the credential was a password session, there is
//! a `"session"` too. Like the public half it is a permanent format: a new shape
//! of a kind gets a new `v`, and decoding converts old shapes.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::PrivateChange;
use crate::journal::Row;
use crate::names::Handle;
use crate::public::{DecodeError, Id, unknown_kind};

/// Who made the changes of a row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Audit {
    /// The person, or None for the operator of the machine.
    pub actor: Option<Handle>,
    /// The token that was used.
    pub credential: Option<Id>,
    /// The public id of the session that was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The id of the request.
    pub request: Option<String>,
}

/// The schema number that new rows of a kind get. If the shape of a kind
/// changes, it gets another number here, and [`decode_change`] converts the old
/// shape.
fn schema(change: &PrivateChange) -> u32 {
    match change {
        PrivateChange::Submitted(submission) => submission.published.schema(),
        PrivateChange::PromotionRequested(promotion) => promotion.published.schema(),
        PrivateChange::TakenDown { .. } => 2,
        _ => 1,
    }
}

/// Encodes the JSON that is stored as a row's private half.
pub fn encode(audit: &Audit, changes: &[PrivateChange]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Encoded<'a> {
        #[serde(flatten)]
        audit: &'a Audit,
        changes: Vec<Versioned<'a>>,
    }
    #[derive(Serialize)]
    struct Versioned<'a> {
        v: u32,
        #[serde(flatten)]
        change: &'a PrivateChange,
    }
    let changes = changes.iter().map(|change| Versioned { v: schema(change), change }).collect();
    serde_json::to_string(&Encoded { audit, changes })
}

/// The decoded private half of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedPrivate {
    /// Who made the changes.
    pub audit: Audit,
    /// The changes, in order.
    pub changes: Vec<PrivateChange>,
}

/// Decodes a stored row of any schema number ever written.
pub fn decode(row: &Row) -> Result<DecodedPrivate, DecodeError> {
    decode_json(&row.private).map_err(|cause| DecodeError { revision: row.revision, cause })
}

fn decode_json(json: &str) -> serde_json::Result<DecodedPrivate> {
    // Not flattened, because that would buffer the raw changes.
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
    let Stored { actor, credential, session, request, changes } = serde_json::from_str(json)?;
    let changes = changes.into_iter().map(decode_change).collect::<Result<_, _>>()?;
    Ok(DecodedPrivate { audit: Audit { actor, credential, session, request }, changes })
}

fn decode_change(raw: &RawValue) -> serde_json::Result<PrivateChange> {
    #[derive(Deserialize)]
    struct Header<'a> {
        #[serde(borrow)]
        kind: Cow<'a, str>,
        v: u32,
    }
    let header: Header<'_> = serde_json::from_str(raw.get())?;
    let change = || serde_json::from_str(raw.get());
    match (&*header.kind, header.v) {
        ("submitted" | "promotion_requested", 1) => change().map(without_headings),
        ("submitted" | "promotion_requested", 2 | 3) | ("taken_down", 2) | (_, 1) => change(),
        (kind, v) => Err(unknown_kind(kind, v)),
    }
}

/// Schema 1 of submissions and promotions had no headings.
fn without_headings(mut change: PrivateChange) -> PrivateChange {
    match &mut change {
        PrivateChange::Submitted(submission) => submission.published.headings.clear(),
        PrivateChange::PromotionRequested(promotion) => promotion.published.headings.clear(),
        _ => {}
    }
    change
}
