//! The audit log, for platform admins.

use std::sync::Arc;

use generator::address::{DEFAULT_SIZE, paging, parsed};
use registry::access::Access as Rights;
use registry::audit::{AuditFilter, AuditPage};
use registry::names::{Handle, Namespace};
use registry::public::Id;
use serde_json::json;

use super::prelude::*;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/audit", READ, list)
            .describe("listAudit", "Lists who did what, the newest first. For platform admins.")
            .query::<Handle>("user", "Only what this user did, and what was done to the account and its memberships.")
            .query::<Namespace>("namespace", "Only changes of this namespace, its members and its skills.")
            .query::<Id>("before", "Only rows before this one: `next` of the page before.")
            .query_value(
                "size",
                "The most rows on a page.",
                || json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": DEFAULT_SIZE }),
            ).replies::<AuditPage>(200),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?;
    call.read(|catalog| Rights::of(catalog, &caller.actor).read_audit_log())?;
    let query = &call.request.query;
    let (user, namespace) = (parsed(query, "user")?, parsed(query, "namespace")?);
    let filter = AuditFilter { user, namespace, ..AuditFilter::default() };
    let before = parsed(query, "before")?.map(|Id(row)| row);
    let size = usize::try_from(paging(query)?.1).unwrap_or(usize::MAX);
    let registry = Arc::clone(&call.app.registry);
    let page = blocking(move || Ok(registry.audit_page(&filter, before, size)?)).await?;
    json(StatusCode::OK, &page)
}
