//! What is said of one operation, and the responses that follow from it and
//! from its row of the route table.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::components::{named, refusal};
use super::schemas::Schemas;
use crate::problem::Code;
use crate::routes::{Access, Route};

/// What is said of one operation.
pub(super) struct Description {
    pub(super) summary: &'static str,
    pub(super) query: Vec<Value>,
    pub(super) body: Option<Value>,
    answers: Vec<(u16, Content)>,
    problems: BTreeSet<Code>,
    headers: Vec<&'static str>,
}

/// What an answer holds.
enum Content {
    Json(Value),
    Zip,
    Binary,
    Nothing,
}

/// A description that begins with a sentence.
pub(super) fn of(summary: &'static str) -> Description {
    Description {
        summary,
        query: Vec::new(),
        body: None,
        answers: Vec::new(),
        problems: BTreeSet::new(),
        headers: Vec::new(),
    }
}

impl Description {
    /// An answer with a record.
    pub(super) fn json<T: JsonSchema>(self, status: u16, schemas: &mut Schemas) -> Self {
        let schema = schemas.sent::<T>();
        self.schema(status, schema)
    }

    /// An answer with what no record describes.
    pub(super) fn schema(mut self, status: u16, schema: Value) -> Self {
        self.answers.push((status, Content::Json(schema)));
        self
    }

    /// An answer with a package.
    pub(super) fn zip(mut self) -> Self {
        self.answers.push((200, Content::Zip));
        self
    }

    /// An answer with a part of the search index.
    pub(super) fn binary(mut self) -> Self {
        self.answers.push((200, Content::Binary));
        self
    }

    /// An answer without a body.
    pub(super) fn nothing(mut self) -> Self {
        self.answers.push((204, Content::Nothing));
        self
    }

    /// Parameters of the query; what they say wrongly is 400.
    pub(super) fn query(mut self, parameters: Vec<Value>) -> Self {
        self.query = parameters;
        self.fails(&[Code::InvalidRequest])
    }

    /// A JSON body that must be there.
    pub(super) fn reads<T: JsonSchema>(self, schemas: &mut Schemas) -> Self {
        let schema = schemas.read::<T>();
        self.takes("application/json", &schema, true)
    }

    /// A JSON body whose fields may all be left out, and so may it.
    pub(super) fn may_read<T: JsonSchema>(self, schemas: &mut Schemas) -> Self {
        let schema = schemas.read::<T>();
        self.takes("application/json", &schema, false)
    }

    /// A body of a type.
    pub(super) fn takes(mut self, media_type: &str, schema: &Value, required: bool) -> Self {
        self.body = Some(json!({ "required": required, "content": { media_type: { "schema": schema } } }));
        self.fails(&[Code::InvalidRequest, Code::TooLarge, Code::UnsupportedMediaType])
    }

    /// Problems that do not follow from the row of the table.
    pub(super) fn fails(mut self, problems: &[Code]) -> Self {
        self.problems.extend(problems);
        self
    }

    /// The change is public: the answer waits for the tree.
    pub(super) fn publicly(self) -> Self {
        self.header("X-Mirror-Lag")
    }

    /// A header that does not follow from the row of the table.
    pub(super) fn header(mut self, name: &'static str) -> Self {
        self.headers.push(name);
        self
    }

    /// Whether the answer has validators and ranges.
    pub(super) fn is_representation(&self, route: &Route) -> bool {
        let is_zip = self.answers.iter().any(|(_, content)| matches!(content, Content::Zip));
        route.access == Access::PublicRead || is_zip
    }

    /// All responses, by status.
    pub(super) fn responses(&self, route: &Route) -> Value {
        let mut responses = Map::new();
        for (status, content) in &self.answers {
            responses.insert(status.to_string(), self.response(route, *status, content));
            if self.is_representation(route) {
                responses.insert("206".into(), self.response(route, 206, content));
                responses.insert("304".into(), self.response(route, 304, &Content::Nothing));
            }
        }
        let problems = self.problems.iter().copied().chain(self.implied(route));
        responses.extend(problems.map(|code| (code.status().as_u16().to_string(), refusal(code))));
        responses.into()
    }

    /// The problems that follow from the row.
    fn implied(&self, route: &Route) -> Vec<Code> {
        let is_write = !route.method.is_safe();
        let needs_scope = matches!(route.access, Access::Scope(_));
        let is_signed_in = needs_scope || route.access == Access::Credential;
        [
            // Any credential that is presented is looked at, which may need the storage.
            (true, Code::Unauthenticated),
            (true, Code::Unavailable),
            (needs_scope || is_signed_in && is_write, Code::Forbidden),
            (route.path.contains('{'), Code::NotFound),
            (is_write, Code::RateLimited),
            (self.is_representation(route), Code::RangeNotSatisfiable),
        ]
        .into_iter()
        .filter_map(|(holds, code)| holds.then_some(code))
        .collect()
    }

    fn response(&self, route: &Route, status: u16, content: &Content) -> Value {
        let mut headers = vec!["X-Request-Id"];
        if self.is_representation(route) {
            headers.extend(["ETag", "Accept-Ranges", "Cache-Control", "Last-Modified"]);
        }
        if status == 206 {
            headers.push("Content-Range");
        }
        if !route.method.is_safe() {
            headers.extend(["X-Revision", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]);
        }
        headers.extend(&self.headers);
        if matches!(content, Content::Zip) {
            headers.extend(["Content-Disposition", "Repr-Digest"]);
        }
        let mut response = json!({ "description": described(status), "headers": named(&headers) });
        match content {
            // Part of a document is no JSON.
            Content::Json(_) if status == 206 => response["content"] = json!({ "application/json": {} }),
            Content::Json(schema) => {
                response["content"] = json!({ "application/json": { "schema": schema } })
            }
            Content::Zip => response["content"] = json!({ "application/zip": {} }),
            Content::Binary => response["content"] = json!({ "application/octet-stream": {} }),
            Content::Nothing => {}
        }
        response
    }
}

fn described(status: u16) -> &'static str {
    match status {
        201 => "Made.",
        204 => "Done.",
        206 => "The part that was asked for.",
        304 => "The client has it already.",
        _ => "As asked.",
    }
}
