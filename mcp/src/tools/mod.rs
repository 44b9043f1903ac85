//! The tools. Their results are data: records as JSON, and files as resources.

mod arguments;
mod install;
mod search;
mod show;

use registry::sanitize::escape_controls;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use self::arguments::Arguments;
use crate::failure::Failure;
use crate::reader::Reader;
use crate::source::Installer;

/// The most characters of a text in a record: more than a registry accepts.
const MAX_VALUE: usize = 4_096;

/// The tools that clients see.
pub(crate) fn all(can_install: bool) -> Vec<Tool> {
    let mut tools = vec![search::tool(), show::tool()];
    if can_install {
        tools.push(install::tool());
    }
    tools
}

/// Calls a tool. A failure is a result, because only those are shown to agents.
pub(crate) fn call(
    tool: &Tool,
    arguments: JsonObject,
    reader: &Reader,
    installer: Option<&dyn Installer>,
) -> CallToolResult {
    let result = Arguments::check(tool, arguments).and_then(|arguments| match (&*tool.name, installer) {
        (search::NAME, _) => search::call(&arguments, reader),
        (show::NAME, _) => show::call(&arguments, reader),
        (install::NAME, Some(installer)) => install::call(&arguments, installer),
        (name, _) => Err(Failure::Invalid(format!("there is no tool `{name}`"))),
    });
    result.unwrap_or_else(|why| CallToolResult::error(vec![ContentBlock::text(why.sentence())]))
}

/// A tool with the schema of its arguments.
fn tool(name: &'static str, title: &str, description: &'static str, schema: Value) -> Tool {
    let schema = match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    let hints = ToolAnnotations::with_title(title).read_only(true).open_world(true);
    Tool::new(name, description, schema).with_title(title).with_annotations(hints)
}

/// A record as a result. Texts of others have their control characters escaped.
fn record(mut record: Value) -> CallToolResult {
    escape(&mut record);
    CallToolResult::structured(record)
}

fn escape(value: &mut Value) {
    match value {
        Value::String(text) => {
            *text = escape_controls(text.chars().take(MAX_VALUE).collect::<String>());
        }
        Value::Array(items) => items.iter_mut().for_each(escape),
        Value::Object(fields) => fields.values_mut().for_each(escape),
        _ => {}
    }
}
