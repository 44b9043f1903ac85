//! Uploads that are no form: the bytes of one file.

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use registry::fair_share::Owner;

use super::BudgetedBytes;
use super::budget::{BudgetedBody, Framing, UploadBudget};
use crate::problem::Problem;
use crate::request::Request;
use crate::request::body::refuse_coding;

/// Reads a body of at most `limit` bytes. It counts against `budget`, as a part of `owner`, until it is
/// dropped. 413 over the
/// limit, 503 if the budget is used up.
pub(crate) async fn bare(
    request: &mut Request,
    limit: usize,
    budget: &UploadBudget,
    owner: &Owner,
) -> Result<Bytes, Problem> {
    refuse_coding(&request.headers)?;
    let framing = Framing::default();
    framing.stop();
    let mut body = BudgetedBody::new(&mut request.body, budget.reserve(owner)?, framing, limit);
    let mut bytes = BytesMut::new();
    while let Some(chunk) = body.next().await {
        match (chunk, body.stop.take()) {
            (Ok(chunk), _) => bytes.extend_from_slice(&chunk),
            (Err(_), Some(stop)) => return Err(stop.into()),
            (Err(stopped), None) => return Err(Problem::internal(stopped)),
        }
    }
    let reservation = body.reservation.keep();
    Ok(Bytes::from_owner(BudgetedBytes { bytes: bytes.freeze(), _reservation: reservation }))
}
