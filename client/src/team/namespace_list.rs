//! The list of namespaces, which needs no login.

use generator::address::{DEFAULT_SIZE, Document};
use registry::api::public::{NamespaceRecord, Page};
use registry::data_fault::json_fault;
use serde::Deserialize;
use serde_json::Value;

use super::{PageRequest, Reply};
use crate::{ClientError, Source};

/// The namespaces of a registry, also of a static host or a folder. Those have only pages of the default
/// size, and send one of them instead.
pub fn list_namespaces(
    source: &Source,
    page: PageRequest,
) -> Result<Reply<Page<NamespaceRecord<'static>>>, ClientError> {
    let PageRequest { page, size } = page;
    let in_tree = match page {
        1 => Document::Namespaces,
        page => Document::NamespaceList { page, size: DEFAULT_SIZE },
    };
    for document in [Document::NamespaceList { page, size: size.into() }, in_tree] {
        if let Some(json) = source.document::<Value>(&document)? {
            let record =
                Page::deserialize(&json).map_err(|why| source.invalid(&document, json_fault(&why)))?;
            return Ok(Reply { record, json });
        }
    }
    let what = format!("no page {page} of the namespaces at {}", source.address());
    Err(source.missing(what, "ask for an earlier one, or name the server with --registry"))
}
