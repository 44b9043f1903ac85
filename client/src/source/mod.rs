//! Reads the public documents of a registry: from a server, a static host or a folder.

pub(crate) mod parallel;
mod probe;
mod raw_document;
mod tree_folder;

use std::sync::atomic::AtomicBool;

use generator::address::Document;
use serde::de::DeserializeOwned;

use crate::http::{Answer, Http, JSON_LIMIT, Progress, Purpose, ReadAccess};
use crate::{ClientError, RegistryAddress};

pub(crate) use probe::RegistryPresence;
pub(crate) use raw_document::{RawDocument, is_page};
use tree_folder::read as read_tree_file;

/// The size limit of a package whose size is not known: 128 MiB. A registry accepts 50 MiB
/// by default, and its own archive of a package may be larger than the upload.
const PACKAGE_LIMIT: u64 = 128 << 20;

/// The size limit of any document, 64 MiB: a feed page has 32 rows of up to 600 KiB.
const LARGEST: u64 = 64 << 20;

/// A registry as a source of documents. Servers, static hosts and folders have the same
/// files. Where a file is missing, a host is also asked with the address of the API, because
/// a server may serve no files.
pub struct Source {
    address: RegistryAddress,
    /// The address that the registry is known by.
    registry: RegistryAddress,
    http: Http,
    /// Whether the host has sent a web page instead of a document.
    has_sent_pages: AtomicBool,
}

impl Source {
    /// Opens the registry at `address`, with what is saved for its reads.
    pub fn open(address: RegistryAddress) -> Self {
        Self::with(ReadAccess::saved(address))
    }

    /// Opens a registry with this access to it.
    pub fn with(access: ReadAccess) -> Self {
        let (address, has_sent_pages) = (access.registry().clone(), AtomicBool::new(false));
        Self { registry: address.clone(), address, http: Http::new(access), has_sent_pages }
    }

    /// Whether the registry asks for the credential for reads.
    pub fn asks_for_credential(&self) -> bool {
        self.http.access().is_asked()
    }

    /// Takes this for a copy of a registry that is known by another address.
    pub(crate) fn known_as(self, registry: RegistryAddress) -> Self {
        Self { registry, ..self }
    }

    /// The address that the registry is known by: of its logins, trusted keys and installed skills.
    pub fn registry(&self) -> &RegistryAddress {
        &self.registry
    }

    /// The address that is read.
    pub fn address(&self) -> &RegistryAddress {
        &self.address
    }

    /// Reads a JSON document. None if the source does not have it: 404, 410, 403 without a
    /// reason, or no such file.
    pub fn document<T: DeserializeOwned>(&self, document: &Document) -> Result<Option<T>, ClientError> {
        let raw = self.bytes_or_page(document, JSON_LIMIT)?;
        raw.map(|raw| raw.parse(&self.address)).transpose()
    }

    /// Reads documents as they are, several at once, each of at most 64 MiB: the largest page of a
    /// feed. None for each that the source does not have.
    pub fn documents(&self, documents: &[Document]) -> Result<Vec<Option<Vec<u8>>>, ClientError> {
        let read = |document: &Document| Ok(self.bytes_or_page(document, LARGEST)?.map(|raw| raw.bytes));
        parallel::map(documents, read).into_iter().collect()
    }

    /// Reads the bytes of a package, at most `size` (by default 128 MiB). The caller checks
    /// the digest. None if the source does not have the package.
    pub fn package(
        &self,
        document: &Document,
        size: Option<u64>,
        purpose: Purpose,
        progress: Progress<'_>,
    ) -> Result<Option<Vec<u8>>, ClientError> {
        let most = size.unwrap_or(PACKAGE_LIMIT);
        let progress: Progress<'_> = &mut |received, total| progress(received, total.or(size));
        Ok(self.bytes_for(purpose, document, most, progress)?.map(|raw| raw.bytes))
    }

    /// Reads a document of at most `most` bytes.
    pub(crate) fn bytes(
        &self,
        document: &Document,
        most: u64,
        progress: Progress<'_>,
    ) -> Result<Option<RawDocument>, ClientError> {
        self.bytes_for(Purpose::Download, document, most, progress)
    }

    fn bytes_for(
        &self,
        purpose: Purpose,
        document: &Document,
        most: u64,
        progress: Progress<'_>,
    ) -> Result<Option<RawDocument>, ClientError> {
        let file = document.file();
        if let Some(root) = self.address.as_folder() {
            return file.map_or(Ok(None), |file| read_tree_file(root, &file, most, progress));
        }
        let request = document.request();
        if let Some(file) = file.map(|file| format!("/{file}")) {
            let found = self.get(&file, most, purpose, progress)?;
            if found.is_some() || file == request {
                return Ok(found);
            }
        }
        // A static host may have a folder at the address of the API: it lists it as a web
        // page, or answers 405.
        match self.get(&request, most, purpose, progress) {
            Err(ClientError::Status { status: 405, .. }) => Ok(None),
            found => Ok(found?.filter(|raw| !raw.is_page())),
        }
    }

    /// Reads a document of at most `most` bytes that no cache has: its address gets a query that was
    /// never used before.
    pub(crate) fn bytes_past_caches(
        &self,
        document: &Document,
        most: u64,
    ) -> Result<Option<RawDocument>, ClientError> {
        let (Some(file), None) = (document.file(), self.address.as_folder()) else {
            return self.bytes(document, most, &mut |_, _| {});
        };
        let now = std::time::UNIX_EPOCH.elapsed().map_or(0, |now| now.as_nanos());
        self.get(&format!("/{file}?{now}"), most, Purpose::Download, &mut |_, _| {})
    }

    /// Asks a server for a document that no file holds. None if there is no server.
    pub(crate) fn ask_server<T: DeserializeOwned>(
        &self,
        document: &Document,
    ) -> Result<Option<T>, ClientError> {
        let raw = self.get(&document.request(), JSON_LIMIT, Purpose::Download, &mut |_, _| {})?;
        raw.map(|raw| raw.parse(&self.address)).transpose()
    }

    fn get(
        &self,
        path: &str,
        most: u64,
        purpose: Purpose,
        progress: Progress<'_>,
    ) -> Result<Option<RawDocument>, ClientError> {
        let Some(url) = self.address.url_of(path) else { return Ok(None) };
        let answer = self.http.get_for(purpose, &url, None, most, progress)?;
        Ok(answer.found_publicly()?.map(RawDocument::from))
    }

    /// The answer of the host, whatever its status. None for a folder.
    fn answer(&self, path: &str, most: u64, progress: Progress<'_>) -> Result<Option<Answer>, ClientError> {
        let url = self.address.url_of(path);
        url.map(|url| self.http.get(&url, None, most, progress)).transpose()
    }

    /// The error for a document that is not what its address says.
    pub(crate) fn invalid(&self, document: &Document, why: String) -> ClientError {
        let registry = self.address.to_string();
        ClientError::NotTheDocument { url: format!("{registry}{}", document.request()), registry, why }
    }
}
