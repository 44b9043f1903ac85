//! Bundles of a namespace.

use super::prelude::*;
use registry::api::public::BundleRecord;
use registry::names::{BundleName, Required, WrittenRequired};
use registry::ops::bundles;
use registry::public::Bundle;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        put("/api/v1/namespaces/{slug}/bundles/{bundle}", MANAGE, set)
            .describe("setBundle", "Makes a bundle (201) or changes it (200).")
            .body::<NewBundle>().replies::<BundleRecord>(200).replies::<BundleRecord>(201).waits_for_tree()
            .fails(&[Code::Conflict, Code::Gone]),
        delete("/api/v1/namespaces/{slug}/bundles/{bundle}", MANAGE, remove)
            .describe("removeBundle", "Removes a bundle.")
            .replies_nothing().waits_for_tree().fails(&[Code::Conflict]),
    ]
}

/// What a bundle has from now on.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct NewBundle {
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 128)))]
    title: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 1024)))]
    description: String,
    /// The skills, as in `team/grilling@^1`; of this namespace if they name none.
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 100)))]
    members: Vec<String>,
}

async fn set(mut call: Call) -> Result<Response, Problem> {
    let name = name(&call)?;
    let body: NewBundle = call.json().await?;
    let member = |text: &String| {
        let written: WrittenRequired = parse_field("members", text)?;
        Ok(written.in_namespace(&name.namespace))
    };
    let members: Vec<Required> = body.members.iter().map(member).collect::<Result<_, Problem>>()?;
    let input = Bundle { name, title: body.title, description: body.description, members };
    let done = call.commit(bundles::set, input).await?;
    let status = if done.reply.is_new { StatusCode::CREATED } else { StatusCode::OK };
    call.reply(status, &done, &done.reply.record).await
}

async fn remove(call: Call) -> Result<Response, Problem> {
    let done = call.commit(bundles::remove, name(&call)?).await?;
    call.no_content(&done).await
}

fn name(call: &Call) -> Result<BundleName, Problem> {
    Ok(BundleName { namespace: call.param("slug")?, name: call.param("bundle")? })
}
