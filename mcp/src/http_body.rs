//! The errors of JSON-RPC for HTTP bodies that are not messages. Each has a sentence of our own, because the
//! texts of `rmcp` and `serde` name their own types.

use rmcp::ErrorData;
use rmcp::model::{JsonRpcError, RequestId};
use serde_json::Value;

/// The error for a body that is no message. `None` if it has the form of one.
pub(crate) fn refusal(body: &[u8]) -> Option<JsonRpcError> {
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        let why = match body.trim_ascii() {
            b"" => "the body is empty: send one message",
            _ => "the body is not valid JSON, or nested too deeply: send one message",
        };
        return Some(JsonRpcError::new(None, ErrorData::parse_error(why, None)));
    };
    let why = problem(&value)?;
    Some(JsonRpcError::new(id_of(&value), ErrorData::invalid_request(why, None)))
}

/// The error for a message that `rmcp` does not accept.
pub(crate) fn unreadable(body: &[u8]) -> JsonRpcError {
    let id = serde_json::from_slice(body).ok().as_ref().and_then(id_of);
    let why = "this is not a message of the Model Context Protocol: check its fields";
    JsonRpcError::new(id, ErrorData::invalid_request(why, None))
}

/// The error for a revision of the protocol that the server does not know.
pub(crate) fn unknown_revision(known: &[&str]) -> JsonRpcError {
    let known = known.join(", ");
    let why = format!("the header `MCP-Protocol-Version` is wrong: leave it out, or send one of {known}");
    JsonRpcError::new(None, ErrorData::invalid_request(why, None))
}

fn id_of(message: &Value) -> Option<RequestId> {
    serde_json::from_value(message.get("id")?.clone()).ok()
}

fn problem(message: &Value) -> Option<&'static str> {
    let object = match message {
        Value::Object(object) => object,
        Value::Array(_) => return Some("this is a batch: send each message in a request of its own"),
        _ => return Some("a message is a JSON object with `jsonrpc`, `method` and, for a request, `id`"),
    };
    let is_wrong = |name: &str, is_right: fn(&Value) -> bool| object.get(name).is_some_and(|v| !is_right(v));
    if object.get("jsonrpc").is_none_or(|version| version != "2.0") {
        return Some("`jsonrpc` has to be \"2.0\"");
    }
    if !object.contains_key("method") && (object.contains_key("result") || object.contains_key("error")) {
        return Some("this is a response, but the server has asked nothing");
    }
    if !object.get("method").is_some_and(Value::is_string) {
        return Some("`method` has to be a text: it names what is asked");
    }
    if is_wrong("id", |id| id.is_string() || id.is_i64() || id.is_u64()) {
        return Some("`id` has to be a text or a whole number");
    }
    let is_params = |params: &Value| params.is_object() || params.is_null();
    is_wrong("params", is_params).then_some("`params` has to be an object")
}
