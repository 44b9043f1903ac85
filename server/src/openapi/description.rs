//! What a route says of itself.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::parameters::{in_query, paging, shared};
use super::schemas::Schemas;
use crate::problem::Code;
use crate::routes::{Access, Route};

/// Adds a schema to the document and returns a reference to it.
type SchemaOf = Box<dyn Fn(&mut Schemas) -> Value + Send + Sync>;

/// What a route says of itself.
#[derive(Default)]
pub struct Description {
    is_hidden: bool,
    pub(super) operation_id: &'static str,
    pub(super) summary: &'static str,
    query: Vec<SchemaOf>,
    body: Option<Body>,
    pub(super) replies: Vec<(u16, Content)>,
    /// Whether there are replies that are not described.
    pub(super) has_others: bool,
    pub(super) problems: BTreeSet<Code>,
    pub(super) headers: Vec<&'static str>,
}

struct Body {
    media_types: &'static [&'static str],
    is_required: bool,
    schema: SchemaOf,
}

/// The body of a response.
pub(super) enum Content {
    Json(SchemaOf),
    Zip,
    Binary,
    Text,
    File,
    Nothing,
}

/// The header of responses that wait for the tree.
const MIRROR_LAG: &str = "X-Mirror-Lag";

const FORM_OR_JSON: &[&str] = &["application/x-www-form-urlencoded", "application/json"];

/// How a row of the route table is described. Builds without the feature
/// `openapi` have `routes/without_openapi.rs` instead.
impl Route {
    pub(crate) fn describe(mut self, operation_id: &'static str, summary: &'static str) -> Self {
        self.description.operation_id = operation_id;
        self.description.summary = summary;
        self
    }

    /// Leaves the route out: it is a page, or its contract is that of third-party clients.
    pub(crate) fn undescribed(mut self) -> Self {
        self.description.is_hidden = true;
        self
    }

    /// Takes the page of a list and its size.
    pub(crate) fn paged(mut self) -> Self {
        self.description
            .query
            .extend(paging().map(|value| Box::new(move |_: &mut _| value.clone()) as SchemaOf));
        self.fails(&[Code::InvalidRequest])
    }

    /// Takes the page of a list, whose size has another name.
    pub(crate) fn page_number(self) -> Self {
        self.parameter(|_| shared("Page"))
    }

    /// An optional parameter of the query.
    pub(crate) fn query<T: JsonSchema>(self, name: &'static str, about: &'static str) -> Self {
        self.parameter(move |schemas| in_query(name, about, schemas.sent::<T>()))
    }

    /// An optional parameter of the query, with a schema that no type has.
    pub(crate) fn query_value(self, name: &'static str, about: &'static str, schema: fn() -> Value) -> Self {
        self.parameter(move |_| in_query(name, about, schema()))
    }

    /// A required parameter of the query.
    pub(crate) fn required_query<T: JsonSchema>(self, name: &'static str, about: &'static str) -> Self {
        self.parameter(move |schemas| {
            let mut parameter = in_query(name, about, schemas.sent::<T>());
            parameter["required"] = true.into();
            parameter["allowEmptyValue"] = false.into();
            parameter
        })
    }

    fn parameter(mut self, parameter: impl Fn(&mut Schemas) -> Value + Send + Sync + 'static) -> Self {
        self.description.query.push(Box::new(parameter));
        self.fails(&[Code::InvalidRequest])
    }

    /// Reads a JSON body.
    pub(crate) fn body<T: JsonSchema>(self) -> Self {
        self.reads::<T>(&["application/json"], true)
    }

    /// Reads the same fields as a form or as a JSON body.
    pub(crate) fn body_or_form<T: JsonSchema>(self) -> Self {
        self.reads::<T>(FORM_OR_JSON, true)
    }

    /// Reads the same fields as a form or as a JSON body. Every field is optional, and so is the body.
    pub(crate) fn optional_body_or_form<T: JsonSchema>(self) -> Self {
        self.reads::<T>(FORM_OR_JSON, false)
    }

    /// Reads a JSON body in which every field is optional, and so is the body.
    pub(crate) fn optional_body<T: JsonSchema>(self) -> Self {
        self.reads::<T>(&["application/json"], false)
    }

    /// Reads a multipart form.
    pub(crate) fn form<T: JsonSchema>(self) -> Self {
        self.reads::<T>(&["multipart/form-data"], true)
    }

    fn reads<T: JsonSchema>(mut self, media_types: &'static [&'static str], is_required: bool) -> Self {
        let schema = Box::new(|schemas: &mut Schemas| schemas.read::<T>());
        self.description.body = Some(Body { media_types, is_required, schema });
        self.fails(&[Code::InvalidRequest, Code::TooLarge, Code::UnsupportedMediaType])
    }

    /// Replies with a JSON record.
    pub(crate) fn replies<T: JsonSchema>(self, status: u16) -> Self {
        self.replies_with(status, Content::Json(Box::new(|schemas| schemas.sent::<T>())))
    }

    /// Replies with a package.
    pub(crate) fn replies_zip(self) -> Self {
        self.replies_with(200, Content::Zip)
    }

    /// Replies with a file of the search index or a tile of the log.
    pub(crate) fn replies_binary(self) -> Self {
        self.replies_with(200, Content::Binary)
    }

    /// Replies with the content of a file.
    pub(crate) fn replies_file(self) -> Self {
        self.replies_with(200, Content::File)
    }

    /// Replies with a signed note.
    pub(crate) fn replies_text(self) -> Self {
        self.replies_with(200, Content::Text)
    }

    /// Replies in other ways, too, which another specification describes.
    pub(crate) fn replies_otherwise(mut self) -> Self {
        self.description.has_others = true;
        self
    }

    /// Replies without a body.
    pub(crate) fn replies_nothing(self) -> Self {
        self.replies_with(204, Content::Nothing)
    }

    fn replies_with(mut self, status: u16, content: Content) -> Self {
        self.description.replies.push((status, content));
        self
    }

    /// May fail with these problems, besides those that follow from method and access.
    pub(crate) fn fails(mut self, problems: &[Code]) -> Self {
        self.description.problems.extend(problems);
        self
    }

    /// Replies once the tree contains the documents of the changed skill.
    pub(crate) fn waits_for_tree(self) -> Self {
        self.sends(MIRROR_LAG).sends("Preference-Applied")
    }

    /// Sets or removes the session cookie.
    pub(crate) fn sets_cookie(self) -> Self {
        self.sends("Set-Cookie")
    }

    fn sends(mut self, header: &'static str) -> Self {
        self.description.headers.push(header);
        self
    }
}

impl Description {
    /// Whether the description of the API has the route.
    pub(super) fn is_published(&self) -> bool {
        !self.is_hidden
    }

    /// The parameters of the query.
    pub(super) fn query(&self, schemas: &mut Schemas) -> Vec<Value> {
        self.query.iter().map(|parameter| parameter(schemas)).collect()
    }

    /// The body of a request.
    pub(super) fn body(&self, schemas: &mut Schemas) -> Option<Value> {
        let Body { media_types, is_required, schema } = self.body.as_ref()?;
        let schema = schema(schemas);
        let content = media_types.iter().map(|kind| ((*kind).to_owned(), json!({ "schema": schema })));
        Some(json!({ "required": is_required, "content": content.collect::<Map<_, _>>() }))
    }

    /// Whether the response has validators and supports ranges.
    pub(super) fn is_representation(&self, route: &Route) -> bool {
        let is_zip = self.replies.iter().any(|(_, content)| matches!(content, Content::Zip));
        route.access == Access::PublicRead || is_zip
    }

    /// Whether the response waits for the tree.
    pub(super) fn waits(&self) -> bool {
        self.headers.contains(&MIRROR_LAG)
    }
}
