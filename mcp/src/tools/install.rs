//! `install_skill`.

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::json;

use super::{Arguments, record};
use crate::failure::Failure;
use crate::source::Installer;

pub(super) const NAME: &str = "install_skill";

pub(super) fn tool() -> Tool {
    let description = "Installs a skill into the folder that this server may write to, or updates it there. \
                       Changed or foreign folders are never overwritten.";
    let schema = json!({
        "type": "object",
        "properties": {
            "skill": {
                "type": "string",
                "description": "The name, optionally with a version or tag: @namespace/slug, @namespace/slug@1.2.0.",
            },
        },
        "required": ["skill"],
        "additionalProperties": false,
    });
    let hints = ToolAnnotations::with_title("Install a skill").read_only(false).destructive(true);
    super::tool(NAME, "Install a skill", description, schema)
        .with_annotations(hints.idempotent(true).open_world(true))
}

pub(super) fn call(arguments: &Arguments, installer: &dyn Installer) -> Result<CallToolResult, Failure> {
    Ok(record(installer.install(arguments.text("skill").unwrap_or_default())?))
}
