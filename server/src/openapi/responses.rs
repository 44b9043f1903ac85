//! The responses of a route. They follow from its description, its method and its access.

use serde_json::{Map, Value, json};

use super::components::{named, refusal};
use super::description::{Content, Description};
use super::schemas::Schemas;
use crate::problem::Code;
use crate::routes::{Access, Route};

impl Description {
    /// All responses, by status.
    pub(super) fn responses(&self, route: &Route, schemas: &mut Schemas) -> Value {
        let mut responses = Map::new();
        for (status, content) in &self.replies {
            responses.insert(status.to_string(), self.response(route, *status, content, schemas));
            if self.is_representation(route) {
                responses.insert("206".into(), self.response(route, 206, content, schemas));
                responses.insert("304".into(), self.response(route, 304, &Content::Nothing, schemas));
            }
        }
        let problems = self.problems.iter().copied().chain(self.implied(route));
        // The other specification has errors of its own with the status 400.
        for code in problems.filter(|code| !self.has_others || *code != Code::InvalidRequest) {
            let status = code.status().as_u16().to_string();
            match responses.get_mut(&status) {
                // The route's own document, or a problem.
                Some(own) if own.get("content").is_some() => {
                    own["content"]["application/problem+json"] = json!({})
                }
                _ => drop(responses.insert(status, refusal(code))),
            }
        }
        if self.has_others {
            responses.insert("default".into(), json!({ "description": "As the protocol says." }));
        }
        responses.into()
    }

    /// The problems that follow from method, path and access.
    fn implied(&self, route: &Route) -> Vec<Code> {
        let is_write = route.counts_as_write();
        let needs_scope = matches!(route.access, Access::Scope(_));
        let is_signed_in = needs_scope || route.access == Access::Credential;
        [
            // Every credential that is sent is checked, which may need the storage.
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

    fn response(&self, route: &Route, status: u16, content: &Content, schemas: &mut Schemas) -> Value {
        let mut headers = vec!["X-Request-Id"];
        if self.is_representation(route) {
            headers.extend(["ETag", "Accept-Ranges", "Cache-Control", "Last-Modified"]);
        }
        if status == 206 {
            headers.push("Content-Range");
        }
        if route.counts_as_write() {
            headers.extend(["X-Revision", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]);
        }
        headers.extend(&self.headers);
        match content {
            Content::Zip => headers.extend(["Content-Disposition", "Repr-Digest"]),
            Content::File => headers.push("Repr-Digest"),
            _ => {}
        }
        let mut response = json!({ "description": status_text(status), "headers": named(&headers) });
        match content {
            // A part of a JSON document is not JSON.
            Content::Json(_) if status == 206 => response["content"] = json!({ "application/json": {} }),
            Content::Json(schema) => {
                response["content"] = json!({ "application/json": { "schema": schema(schemas) } })
            }
            Content::Zip => response["content"] = json!({ "application/zip": {} }),
            Content::Binary => response["content"] = json!({ "application/octet-stream": {} }),
            Content::Text => response["content"] = json!({ "text/plain": {} }),
            Content::File => {
                response["content"] = json!({ "text/plain": {}, "application/octet-stream": {} })
            }
            Content::Nothing => {}
        }
        response
    }
}

fn status_text(status: u16) -> &'static str {
    match status {
        201 => "Created.",
        204 => "Done.",
        206 => "The requested part.",
        400 => "Refused.",
        304 => "The client has this representation already.",
        _ => "Success.",
    }
}
