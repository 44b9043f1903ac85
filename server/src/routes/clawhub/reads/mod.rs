//! Public reads of the dialect. They need the registry's public half only, so servers of mirrors and
//! snapshots answer them too.

mod file;
mod question;
mod skills;

use std::sync::Arc;

use generator::gzip::{MAX_PLAIN, gzip};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};

use self::question::{Answer, Question};
use super::super::prelude::*;
use super::super::{Match, find};
use crate::reads;
use crate::reads::downloads::Downloads;
use crate::reads::representation::{Coding, accepts_gzip};
use crate::reads::tree_reader::TreeReader;
use crate::request::Request;
use crate::response_headers::cache_control::CacheClass;

/// A read: its path, and what answers it.
struct Read {
    path: &'static str,
    answer: fn(&Question<'_>) -> Result<Answer, Problem>,
}

const READS: [Read; 10] = [
    Read { path: "/clawhub/api/v1/search", answer: skills::search },
    Read { path: "/clawhub/api/v1/skills", answer: skills::list },
    Read { path: "/clawhub/api/v1/skills/{slug}", answer: skills::show },
    Read { path: "/clawhub/api/v1/skills/{slug}/versions", answer: skills::versions },
    Read { path: "/clawhub/api/v1/skills/{slug}/versions/{version}", answer: skills::version },
    Read { path: "/clawhub/api/v1/skills/{slug}/file", answer: file::show },
    Read { path: "/clawhub/api/v1/skills/{slug}/install", answer: skills::install },
    Read { path: "/clawhub/api/v1/skills/{slug}/verify", answer: skills::verify },
    Read { path: "/clawhub/api/v1/resolve", answer: skills::resolve },
    Read { path: "/clawhub/api/v1/download", answer: skills::download },
];

pub(super) fn routes() -> impl Iterator<Item = Route> {
    READS.iter().map(|read| {
        get(read.path, Access::Reader, async |call: Call| {
            let Call { app, request, .. } = call;
            answer(&app.reader, Some(&app.downloads), &request).await?.ok_or_else(Problem::nothing_here)
        })
    })
}

/// Answers a public read of this dialect. `None` if the request is none.
pub(crate) async fn answer(
    reader: &Arc<TreeReader>,
    downloads: Option<&Downloads>,
    request: &Request,
) -> Result<Option<Response>, Problem> {
    let Match::Found { route, params } = find(&request.method, &request.path) else { return Ok(None) };
    let Some(read) = READS.iter().find(|read| read.path == route.path) else { return Ok(None) };
    let (reading, query) = (Arc::clone(reader), request.query.clone());
    let accepts_gzip = accepts_gzip(&request.headers) && reader.settings.gzip;
    let (answer, coding) = blocking(move || {
        let answer = (read.answer)(&Question { reader: &reading, params: &params, query: &query })?;
        coded(answer, accepts_gzip)
    })
    .await?;
    let (kind, body) = match answer {
        Answer::Document(document) => {
            return reads::document(reader, downloads, request, document).await.map(Some);
        }
        Answer::Json(bytes) => ("application/json", bytes.into()),
        Answer::File(file) => (file.format.content_type(), file.bytes),
    };
    let mut response = Response::new(body.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(CACHE_CONTROL, CacheClass::Fresh.header());
    coding.set_headers(response.headers_mut());
    Ok(Some(response))
}

/// Compresses a JSON document. Files are sent as they are, like packages.
fn coded(answer: Answer, accepts_gzip: bool) -> Result<(Answer, Coding), Problem> {
    Ok(match answer {
        Answer::Json(bytes) if accepts_gzip && bytes.len() as u64 > MAX_PLAIN => {
            (Answer::Json(gzip(&bytes).map_err(Problem::internal)?), Coding::Gzip)
        }
        Answer::Json(bytes) => (Answer::Json(bytes), Coding::Identity),
        other => (other, Coding::Fixed),
    })
}
