//! JSON bodies.

use bytes::BytesMut;
use futures_util::StreamExt;
use hyper::HeaderMap;
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use serde::de::DeserializeOwned;

use super::Body;
use crate::problem::{ErrorEntry, Problem};

/// Reads the body as one JSON object of at most `limit` bytes.
///
/// An empty body is `{}`, whatever its type says. `T` should refuse unknown
/// fields (`#[serde(deny_unknown_fields)]`).
///
/// # Errors
///
/// 413 over the limit, at once where `Content-Length` says so, else as soon as
/// the bytes are; 415 for another type, charset or coding; 400, naming the
/// field, for what doesn't fit `T`.
pub async fn json<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: &mut Body,
    limit: usize,
) -> Result<T, Problem> {
    let too_large = || Problem::too_large(format!("A JSON body may have at most {limit} bytes."));
    if announced(headers).is_some_and(|length| length > limit as u64) {
        return Err(too_large());
    }
    refuse_coding(headers)?;
    let mut bytes = BytesMut::new();
    while let Some(piece) = body.next().await {
        // Before the type is looked at nothing is kept, and a wrong type is
        // worth a refusal at the first byte.
        let piece = piece?;
        if bytes.is_empty() && !piece.is_empty() {
            require_json(headers)?;
        }
        if bytes.len() + piece.len() > limit {
            return Err(too_large());
        }
        bytes.extend_from_slice(&piece);
    }
    parse(if bytes.is_empty() { b"{}" } else { &bytes })
}

/// What `Content-Length` announces; `None` for chunked bodies and HTTP/2.
pub(crate) fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Bodies are taken as they are: what is compressed would have to be bounded twice.
pub(crate) fn refuse_coding(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get(CONTENT_ENCODING) {
        Some(coding) if !coding.as_bytes().eq_ignore_ascii_case(b"identity") => {
            Err(Problem::unsupported_media_type("Send the body without a Content-Encoding."))
        }
        _ => Ok(()),
    }
}

fn require_json(headers: &HeaderMap) -> Result<(), Problem> {
    let value = headers.get(CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let mut pieces = value.split(';').map(str::trim);
    let is_json = pieces.next().is_some_and(|t| t.eq_ignore_ascii_case("application/json"));
    let is_utf8 = pieces.filter_map(|p| p.split_once('=')).all(|(name, charset)| {
        !name.eq_ignore_ascii_case("charset") || charset.trim_matches('"').eq_ignore_ascii_case("utf-8")
    });
    if is_json && is_utf8 {
        return Ok(());
    }
    Err(Problem::unsupported_media_type("Send the body as `Content-Type: application/json`, in UTF-8."))
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // serde's derived structs also read arrays, by position.
    if bytes.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|&b| b != b'{') {
        return Err(Problem::invalid("The body must be a JSON object."));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        refusal(error.into_inner(), &path)
    })?;
    json.end().map_err(|_| Problem::invalid("There is something after the end of the JSON object."))?;
    Ok(value)
}

fn refusal(error: serde_json::Error, path: &str) -> Problem {
    if !error.is_data() {
        return Problem::invalid(format!("The body is not JSON: {error}."));
    }
    let text = error.to_string();
    // serde names unknown, missing and duplicate fields in its message only.
    let (code, named) = [
        ("unknown_field", "unknown field `"),
        ("missing_field", "missing field `"),
        ("duplicate_field", "duplicate field `"),
    ]
    .into_iter()
    .find_map(|(code, start)| Some((code, text.strip_prefix(start)?.split('`').next()?)))
    .unwrap_or(("invalid_field", ""));
    let field = match (path.trim_matches('.'), named) {
        (path, "") => path.to_owned(),
        ("" | "?", named) => named.to_owned(),
        (path, named) if path == named || path.ends_with(&format!(".{named}")) => path.to_owned(),
        (path, named) => format!("{path}.{named}"),
    };
    let detail = if text.contains(&format!("`{field}`")) { text.clone() } else { format!("{field}: {text}") };
    Problem::invalid(format!("The body does not fit: {detail}."))
        .with_errors(vec![ErrorEntry::field(code, field, text)])
}

#[cfg(test)]
mod tests;
