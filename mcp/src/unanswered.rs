//! The errors for requests that no method answers, each with a sentence of our own.

use registry::sanitize::escape_line;
use rmcp::ErrorData;
use rmcp::model::ErrorCode;

/// The most characters of a method that a sentence repeats.
const MAX_METHOD: usize = 100;

/// The parameters of the methods that have some, for the sentence about wrong ones.
const PARAMETERS: [(&str, &str); 4] = [
    ("initialize", "`protocolVersion` has to be a text, and `capabilities` and `clientInfo` objects"),
    ("tools/call", "`name` has to be a text, and `arguments` an object"),
    ("resources/read", "`uri` has to be a text"),
    ("skills/get", "`uri` has to be a text"),
];

/// The error for a request that no method answers.
pub(crate) fn refusal(method: &str) -> ErrorData {
    if let Some((_, wanted)) = PARAMETERS.iter().find(|(known, _)| *known == method) {
        return ErrorData::invalid_params(format!("the parameters of `{method}` are wrong: {wanted}"), None);
    }
    let method = escape_line(method.chars().take(MAX_METHOD).collect::<String>());
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method `{method}`"), None)
}
