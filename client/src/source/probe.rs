//! Probes whether an address is that of a registry. Only done when something is missing,
//! because a wrong address looks like an empty registry.

use std::sync::atomic::Ordering;

use generator::address::Document;
use serde_json::Value;

use super::{RawDocument, Source, read_tree_file};
use crate::ClientError;
use crate::http::JSON_LIMIT;

/// Whether there is a registry at an address.
pub(crate) enum RegistryPresence {
    /// There is one.
    Present,
    /// The host denies access to public documents, with this error.
    Hidden(ClientError),
    /// There is no sign of one.
    Absent,
}

impl Source {
    /// The error for something that is missing: `what` is missing, `advice` is the remedy if
    /// there is a registry at all.
    pub fn missing(&self, what: String, advice: &str) -> ClientError {
        match self.presence() {
            Ok(RegistryPresence::Present) if self.has_sent_pages() => ClientError::NotFound(format!(
                "{what}: {advice} (this host sends a web page instead of a missing file)"
            )),
            // A host that fails now has answered the request before.
            Ok(RegistryPresence::Present) | Err(_) => ClientError::NotFound(format!("{what}: {advice}")),
            Ok(RegistryPresence::Hidden(why)) => why,
            Ok(RegistryPresence::Absent) => ClientError::NothingThere { what },
        }
    }

    /// Reads a document of at most `most` bytes. Some hosts send a web page instead of a missing file.
    /// If there is a registry, such a page counts as missing.
    pub(crate) fn bytes_or_page(
        &self,
        document: &Document,
        most: u64,
    ) -> Result<Option<RawDocument>, ClientError> {
        let raw = self.bytes(document, most, &mut |_, _| {})?;
        if raw.as_ref().is_some_and(RawDocument::is_page)
            && (self.has_sent_pages() || matches!(self.presence(), Ok(RegistryPresence::Present)))
        {
            self.has_sent_pages.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        Ok(raw)
    }

    fn has_sent_pages(&self) -> bool {
        self.has_sent_pages.load(Ordering::Relaxed)
    }

    /// Looks for documents that every registry has: the discovery document, the head of the
    /// feed, the list of skills. A server without files has only the list.
    pub(crate) fn presence(&self) -> Result<RegistryPresence, ClientError> {
        let files = [Document::Discovery, Document::Head, Document::Skills].map(|document| document.file());
        let mut files = files.into_iter().flatten();
        if let Some(root) = self.address().as_folder() {
            let exists = files
                .any(|file| matches!(read_tree_file(root, &file, JSON_LIMIT, &mut |_, _| {}), Ok(Some(_))));
            return Ok(if exists { RegistryPresence::Present } else { RegistryPresence::Absent });
        }
        let mut hidden = None;
        for path in files.map(|file| format!("/{file}")).chain([Document::Skills.request()]) {
            let Some(answer) = self.answer(&path, JSON_LIMIT, &mut |_, _| {})? else { continue };
            match answer.status {
                200..=299
                    if serde_json::from_slice::<Value>(&answer.body).is_ok_and(|json| json.is_object()) =>
                {
                    return Ok(RegistryPresence::Present);
                }
                403 => hidden = hidden.or(Some(answer.refusal())),
                _ => {}
            }
        }
        Ok(hidden.map_or(RegistryPresence::Absent, RegistryPresence::Hidden))
    }
}
