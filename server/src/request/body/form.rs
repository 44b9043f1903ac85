//! Forms as pages send them (`application/x-www-form-urlencoded`).

use std::collections::BTreeMap;

use generator::address::parameter;
use headers::{ContentType, HeaderMapExt, Mime};
use hyper::HeaderMap;
use serde::Deserialize;
use serde_json::Value;

use super::Body;
use super::json::{collect, parse, require_json};
use crate::problem::Problem;

/// The fields of a small body.
pub(crate) enum FormFields {
    /// A form, as it was sent.
    Form(String),
    /// A JSON object.
    Json(BTreeMap<String, Value>),
}

/// A JSON object of any fields.
#[derive(Deserialize)]
struct AnyObject {
    #[serde(flatten)]
    fields: BTreeMap<String, Value>,
}

impl FormFields {
    /// The text of a field. An empty one counts as absent. 400 for a JSON value that is not a string.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Problem> {
        match self {
            Self::Form(form) => Ok(parameter(form, name)),
            Self::Json(fields) => match fields.get(name) {
                None | Some(Value::Null) => Ok(None),
                Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.is_empty())),
                Some(_) => Err(Problem::invalid_field(name, "it must be a string")),
            },
        }
    }
}

/// Reads the form of a page, of at most `limit` bytes. 415 for another type.
pub(crate) async fn form(headers: &HeaderMap, body: &mut Body, limit: usize) -> Result<FormFields, Problem> {
    let bytes = collect(headers, body, limit, require_form).await?;
    text(&bytes).map(FormFields::Form)
}

/// Reads a form or a JSON object, of at most `limit` bytes. 415 for another type.
pub(crate) async fn form_or_json(
    headers: &HeaderMap,
    body: &mut Body,
    limit: usize,
) -> Result<FormFields, Problem> {
    let either = |headers: &HeaderMap| if is_form(headers) { Ok(()) } else { require_json(headers) };
    let bytes = collect(headers, body, limit, either).await?;
    if is_form(headers) || bytes.is_empty() {
        return text(&bytes).map(FormFields::Form);
    }
    parse::<AnyObject>(&bytes).map(|object| FormFields::Json(object.fields))
}

fn text(bytes: &[u8]) -> Result<String, Problem> {
    let text = str::from_utf8(bytes).map_err(|_| Problem::invalid("The form is not UTF-8."))?;
    Ok(text.to_owned())
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.typed_get::<ContentType>().map(Mime::from);
    kind.is_some_and(|mime| mime.essence_str() == "application/x-www-form-urlencoded")
}

fn require_form(headers: &HeaderMap) -> Result<(), Problem> {
    if is_form(headers) {
        return Ok(());
    }
    Err(Problem::unsupported_media_type(
        "Send the form as `Content-Type: application/x-www-form-urlencoded`.",
    ))
}

#[cfg(test)]
mod tests {
    use hyper::header::CONTENT_TYPE;

    use super::*;
    use crate::problem::Code;

    async fn read(kind: &str, body: &'static str) -> Result<FormFields, Problem> {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, kind.parse().unwrap())]);
        form_or_json(&headers, &mut Body::whole(body), 64).await
    }

    #[tokio::test]
    async fn fields_of_both_types_are_read() {
        for (kind, body) in [
            ("application/x-www-form-urlencoded", "a=b+%26&n=&o="),
            ("application/x-www-form-urlencoded; charset=UTF-8", "a=b%20%26"),
            ("application/json", r#"{"a": "b &", "n": null, "o": "", "x": {"y": 1}}"#),
        ] {
            let fields = read(kind, body).await.unwrap();
            assert_eq!(fields.text("a").unwrap().as_deref(), Some("b &"), "{body}");
            assert_eq!((fields.text("n").unwrap(), fields.text("o").unwrap()), (None, None), "{body}");
        }
        assert!(read("application/json", "").await.unwrap().text("a").unwrap().is_none());
    }

    #[tokio::test]
    async fn other_bodies_are_refused() {
        for (kind, body, code) in [
            ("text/plain", "a=b", Code::UnsupportedMediaType),
            ("application/json", "[]", Code::InvalidRequest),
            ("application/json", "{", Code::InvalidRequest),
            (
                "application/x-www-form-urlencoded",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                Code::TooLarge,
            ),
        ] {
            assert_eq!(read(kind, body).await.err().map(|problem| problem.code()), Some(code), "{body}");
        }
        let number = read("application/json", r#"{"a": 5}"#).await.unwrap();
        assert_eq!(number.text("a").unwrap_err().code(), Code::InvalidRequest);
    }
}
