//! Whether a registry is at an address at all: asked only where something is not
//! there, because a wrong address looks like a registry in which nothing is.

use std::sync::atomic::Ordering;

use generator::address::Document;
use serde_json::Value;

use crate::http::JSON_LIMIT;
use crate::read::Read;
use crate::{ClientError, Source, folder};

/// What an address shows of a registry.
pub(crate) enum Standing {
    /// There is one.
    Registry,
    /// The host shows nobody what a registry shows everybody: its own words.
    Hidden(ClientError),
    /// There is no sign of one.
    Nothing,
}

impl Source {
    /// What to say where something is not there: `what`, and what to do, unless nothing of
    /// a registry is there either.
    pub(crate) fn missing(&self, what: String, advice: &str) -> ClientError {
        match self.standing() {
            Ok(Standing::Registry) if self.has_shown_pages() => ClientError::NotFound(format!(
                "{what}: {advice} (the host shows a web page for whatever it does not have)"
            )),
            // Whoever does not answer now has answered before.
            Ok(Standing::Registry) | Err(_) => ClientError::NotFound(format!("{what}: {advice}")),
            Ok(Standing::Hidden(why)) => why,
            Ok(Standing::Nothing) => ClientError::NothingThere { what },
        }
    }

    /// The bytes of a document. Some hosts have a web page for whatever they do not have:
    /// where there is a registry, such a page is none.
    pub(crate) fn bytes_or_page(&self, document: &Document) -> Result<Option<Read>, ClientError> {
        let read = self.bytes(document, JSON_LIMIT, &mut |_, _| {})?;
        if read.as_ref().is_some_and(Read::is_page)
            && (self.has_shown_pages() || matches!(self.standing(), Ok(Standing::Registry)))
        {
            self.has_shown_pages.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        Ok(read)
    }

    /// Whether the host of a registry has shown web pages where documents belong.
    pub(crate) fn has_shown_pages(&self) -> bool {
        self.has_shown_pages.load(Ordering::Relaxed)
    }

    /// Looks for what every registry has: where its API is, the head of its feed, the list
    /// of its skills; a server that knows no files has the list alone.
    pub(crate) fn standing(&self) -> Result<Standing, ClientError> {
        let files = [Document::Discovery, Document::Head, Document::Skills].map(|document| document.file());
        if let Some(root) = self.address().as_folder() {
            let mut files = files.iter().flatten();
            let is_there =
                files.any(|file| matches!(folder::read(root, file, JSON_LIMIT, &mut |_, _| {}), Ok(Some(_))));
            return Ok(if is_there { Standing::Registry } else { Standing::Nothing });
        }
        let mut hidden = None;
        let paths = files.into_iter().flatten().map(|file| format!("/{file}"));
        for path in paths.chain([Document::Skills.request()]) {
            let Some(answer) = self.answer(&path, JSON_LIMIT, &mut |_, _| {})? else { continue };
            match answer.status {
                200..=299
                    if serde_json::from_slice::<Value>(&answer.body).is_ok_and(|json| json.is_object()) =>
                {
                    return Ok(Standing::Registry);
                }
                403 => hidden = hidden.or(Some(answer.refusal())),
                _ => {}
            }
        }
        Ok(hidden.map_or(Standing::Nothing, Standing::Hidden))
    }
}
