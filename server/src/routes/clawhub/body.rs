//! JSON bodies of the dialect. Unknown fields are ignored, because each version of the clients sends
//! others.

use hyper::header::HeaderMap;
use registry::data_fault::json_fault;
use registry::names::{Coordinate, Handle};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::prelude::*;
use crate::request::body::collect;

/// Reads the body, of at most `limit` bytes. None counts as `{}`.
pub(super) async fn read<T: DeserializeOwned>(call: &mut Call, limit: usize) -> Result<T, Problem> {
    let any_type = |_: &HeaderMap| Ok(());
    let bytes = collect(&call.request.headers, &mut call.request.body, limit, any_type).await?;
    let malformed = |error: serde_json::Error| {
        Problem::invalid(format!("The request is malformed: {}.", json_fault(&error)))
    };
    let value = match bytes.trim_ascii() {
        b"" => Value::Object(serde_json::Map::new()),
        bytes => serde_json::from_slice(bytes).map_err(malformed)?,
    };
    if !value.is_object() {
        return Err(Problem::invalid("The request is malformed: its body is not a JSON object."));
    }
    serde_json::from_value(value).map_err(malformed)
}

/// The fields of small requests.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Fields {
    pub(super) owner_handle: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) version: Option<String>,
    pub(super) to_user_handle: Option<String>,
    pub(super) message: Option<String>,
}

/// Reads a small body.
pub(super) async fn fields(call: &mut Call) -> Result<Fields, Problem> {
    read(call, call.app.settings.http.json).await
}

/// The skill in the path. 404 unless `ownerHandle`, in the body or the query, is its author, also if
/// the skill is removed.
pub(super) fn skill(call: &Call, fields: &Fields) -> Result<Coordinate, Problem> {
    let slug = call.params.get("slug").unwrap_or_default();
    let skill: Coordinate = slug.parse().map_err(|_| Problem::no_such_skill())?;
    let in_query = || generator::address::parameter(&call.request.query, "ownerHandle");
    if let Some(owner) = fields.owner_handle.clone().or_else(in_query) {
        let is_author = call.read(|catalog| {
            let author = catalog.public.skill(&skill).map(|skill| &skill.author);
            let author = author.or_else(|| catalog.public.removed(&skill).map(|skill| &skill.author));
            author.is_some_and(|author| is_same(author, &owner))
        });
        if !is_author {
            return Err(Problem::no_such_skill());
        }
    }
    Ok(skill)
}

/// Whether a text names a person, in any letter case, with or without `@`.
pub(super) fn is_same(person: &Handle, text: &str) -> bool {
    person.as_str().eq_ignore_ascii_case(text.trim().trim_start_matches('@'))
}
