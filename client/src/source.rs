//! Where a registry's public documents are read.

use std::sync::atomic::AtomicBool;

use generator::address::Document;
use serde::de::DeserializeOwned;

use crate::http::{Answer, Http, JSON_LIMIT};
use crate::read::{Read, json};
use crate::{ClientError, RegistryAddress, Token, folder};

/// No package is larger, where nobody says how large one is: a registry takes 50 MiB
/// unless it is set otherwise, and its own archive of that may be larger.
const PACKAGE_LIMIT: u64 = 128 << 20;

/// Where a registry's public documents are read: a server, a static host, or a
/// folder. Each has them under the same paths; a server that knows no files is
/// asked in its own words where a file is missing.
pub struct Source {
    address: RegistryAddress,
    token: Option<Token>,
    http: Http,
    /// Whether a web page was there in the place of a document.
    pub(crate) has_shown_pages: AtomicBool,
}

impl Source {
    /// Reads from there. A token is sent with every request to that registry, and
    /// to no other; public documents need none.
    pub fn open(address: RegistryAddress, token: Option<Token>) -> Self {
        Self::through(Http::new(), address, token)
    }

    /// The same over connections of somebody else's making.
    pub fn through(http: Http, address: RegistryAddress, token: Option<Token>) -> Self {
        Self { address, token, http, has_shown_pages: AtomicBool::new(false) }
    }

    /// Where it reads: its text is the base URL without a slash at its end.
    pub fn address(&self) -> &RegistryAddress {
        &self.address
    }

    /// A document. None where the source says that it is not there (404, 410, 403 without
    /// a reason, no such file).
    pub fn document<T: DeserializeOwned>(&self, document: &Document) -> Result<Option<T>, ClientError> {
        let read = self.bytes_or_page(document)?;
        read.map(|read| self.parse(&read)).transpose()
    }

    /// The bytes of a package, at most `size` of them (128 MiB where that is not
    /// known). `progress` is told how many bytes there are so far, and how many
    /// there will be where that is known. Nothing is checked against a digest: the
    /// caller does that. None where the source says that it is not there.
    pub fn package(
        &self,
        document: &Document,
        size: Option<u64>,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Option<Vec<u8>>, ClientError> {
        let most = size.unwrap_or(PACKAGE_LIMIT);
        let read = self.bytes(document, most, &mut |so_far, all| progress(so_far, all.or(size)))?;
        Ok(read.map(|read| read.bytes))
    }

    /// Bytes of any document, at most `most` of them.
    pub(crate) fn bytes(
        &self,
        document: &Document,
        most: u64,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Option<Read>, ClientError> {
        let file = document.file();
        if let Some(root) = self.address.as_folder() {
            return match file {
                Some(file) => folder::read(root, &file, most, progress),
                None => Ok(None),
            };
        }
        let file = file.map(|file| format!("/{file}"));
        let request = document.request();
        if let Some(file) = &file {
            let found = self.get(file, most, progress)?;
            if found.is_some() || *file == request {
                return Ok(found);
            }
        }
        self.get_plainly(&request, most, progress)
    }

    /// Asks a server in its own words: it may know no files, or none for this. A host of
    /// files may have a folder of that name, which it lists for people or shows to nobody.
    fn get_plainly(
        &self,
        request: &str,
        most: u64,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Option<Read>, ClientError> {
        match self.get(request, most, progress) {
            Err(ClientError::Status { status: 405, .. }) => Ok(None),
            found => Ok(found?.filter(|read| !read.is_page())),
        }
    }

    /// What a server answers to a question that no file is the answer to. None where
    /// there is no server that could.
    pub(crate) fn asked<T: DeserializeOwned>(&self, document: &Document) -> Result<Option<T>, ClientError> {
        let read = self.get(&document.request(), JSON_LIMIT, &mut |_, _| {})?;
        read.map(|read| self.parse(&read)).transpose()
    }

    fn get(
        &self,
        path: &str,
        most: u64,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Option<Read>, ClientError> {
        let Some(answer) = self.answer(path, most, progress)? else { return Ok(None) };
        Ok(answer.found_publicly()?.map(Read::from))
    }

    /// What a host answers; None where there is no host.
    pub(crate) fn answer(
        &self,
        path: &str,
        most: u64,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Option<Answer>, ClientError> {
        let url = self.address.below(path);
        url.map(|url| self.http.get(&url, self.token.as_ref(), most, progress)).transpose()
    }

    /// Reads a JSON document.
    pub(crate) fn parse<T: DeserializeOwned>(&self, read: &Read) -> Result<T, ClientError> {
        json(&read.bytes, &read.from, read.content_type.as_deref(), &self.address)
    }
}
