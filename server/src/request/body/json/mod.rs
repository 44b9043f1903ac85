//! JSON bodies.

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use headers::{ContentLength, ContentType, HeaderMapExt, Mime};
use hyper::HeaderMap;
use hyper::header::CONTENT_ENCODING;
use registry::data_fault::{data_fault, json_fault, json_message};
use serde::de::DeserializeOwned;

use super::Body;
use crate::problem::{ErrorEntry, Problem};

/// Reads the body as one JSON object of at most `limit` bytes.
///
/// An empty body is `{}`, whatever its type is, if it `may_be_empty`. `T` should refuse unknown fields
/// (`#[serde(deny_unknown_fields)]`).
///
/// Errors: 413 over the limit, before the body is read if `Content-Length` announces it.
/// 415 for another type, charset or coding. 400 for an empty body, and, with the field, for one that
/// does not match `T`.
pub async fn json<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: &mut Body,
    limit: usize,
    may_be_empty: bool,
) -> Result<T, Problem> {
    let bytes = collect(headers, body, limit, require_json).await?;
    if bytes.is_empty() && !may_be_empty {
        return Err(Problem::invalid("The body is empty: send a JSON object with what shall change."));
    }
    parse(if bytes.is_empty() { b"{}" } else { &bytes })
}

/// Reads the body as a JSON text of at most `limit` bytes, which is not parsed. Its errors are those
/// of [`json`].
pub async fn json_text(headers: &HeaderMap, body: &mut Body, limit: usize) -> Result<Bytes, Problem> {
    Ok(collect(headers, body, limit, require_json).await?.freeze())
}

/// The bytes of a body, at most `limit`. `check` may refuse its type at the first byte, before
/// anything is stored.
pub(crate) async fn collect(
    headers: &HeaderMap,
    body: &mut Body,
    limit: usize,
    check: impl Fn(&HeaderMap) -> Result<(), Problem>,
) -> Result<BytesMut, Problem> {
    let too_large = || Problem::too_large(format!("This body may have at most {limit} bytes."));
    if announced_length(headers).is_some_and(|length| length > limit as u64) {
        return Err(too_large());
    }
    refuse_coding(headers)?;
    let mut bytes = BytesMut::new();
    while let Some(chunk) = body.next().await {
        let chunk = chunk?;
        if bytes.is_empty() && !chunk.is_empty() {
            check(headers)?;
        }
        if bytes.len() + chunk.len() > limit {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The value of `Content-Length`. `None` for chunked bodies.
pub(crate) fn announced_length(headers: &HeaderMap) -> Option<u64> {
    headers.typed_get::<ContentLength>().map(|length| length.0)
}

/// Refuses compressed bodies: they would need a second limit for their content.
pub(crate) fn refuse_coding(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get(CONTENT_ENCODING) {
        Some(coding) if !coding.as_bytes().eq_ignore_ascii_case(b"identity") => {
            Err(Problem::unsupported_media_type("Send the body without a Content-Encoding."))
        }
        _ => Ok(()),
    }
}

pub(super) fn require_json(headers: &HeaderMap) -> Result<(), Problem> {
    let is_utf8_json = headers.typed_get::<ContentType>().map(Mime::from).is_some_and(|mime| {
        mime.essence_str() == "application/json"
            && mime.get_param("charset").is_none_or(|charset| charset == "utf-8")
    });
    if is_utf8_json {
        return Ok(());
    }
    Err(Problem::unsupported_media_type("Send the body as `Content-Type: application/json`, in UTF-8."))
}

pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // Derived structs would also accept arrays, by position.
    if bytes.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|&b| b != b'{') {
        return Err(Problem::invalid("The body must be a JSON object."));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        mismatch(error.into_inner(), &path)
    })?;
    json.end().map_err(|_| Problem::invalid("The body has more than one JSON object."))?;
    Ok(value)
}

fn mismatch(error: serde_json::Error, path: &str) -> Problem {
    if !error.is_data() {
        return Problem::invalid(format!("The body is not valid JSON: {}.", json_fault(&error)));
    }
    let text = json_message(&error);
    // serde names unknown, missing and duplicate fields only in its message.
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
    let text = data_fault(&text);
    let detail = if text.contains(&format!("`{field}`")) { text.clone() } else { format!("{field}: {text}") };
    Problem::invalid(format!("The body does not match: {detail}."))
        .with_errors(vec![ErrorEntry::field(code, field, text)])
}

#[cfg(test)]
mod tests;
