//! Where a registry's public documents are read.

use generator::address::Document;
use serde::de::DeserializeOwned;

use crate::http::{Http, JSON_LIMIT};
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
}

/// What has been read: a document's bytes, and where they were found.
pub(crate) struct Read {
    /// The address or path, for messages.
    pub from: String,
    /// All of it.
    pub bytes: Vec<u8>,
    /// What the host says that it is; None of a file.
    pub content_type: Option<String>,
}

impl Read {
    /// Whether it is a web page: what many hosts answer to any request.
    pub(crate) fn is_page(&self) -> bool {
        is_page(&self.bytes, self.content_type.as_deref())
    }
}

fn is_page(bytes: &[u8], content_type: Option<&str>) -> bool {
    content_type.is_some_and(|kind| kind.contains("html")) || bytes.trim_ascii_start().starts_with(b"<")
}

impl Source {
    /// Reads from there. A token is sent with every request to that registry, and
    /// to no other; public documents need none.
    pub fn open(address: RegistryAddress, token: Option<Token>) -> Self {
        Self::through(Http::new(), address, token)
    }

    /// The same over connections of somebody else's making.
    pub fn through(http: Http, address: RegistryAddress, token: Option<Token>) -> Self {
        Self { address, token, http }
    }

    /// Where it reads: its text is the base URL without a slash at its end.
    pub fn address(&self) -> &RegistryAddress {
        &self.address
    }

    /// A document. None where the source says that it is not there (404, 410, no
    /// such file).
    pub fn document<T: DeserializeOwned>(&self, document: &Document) -> Result<Option<T>, ClientError> {
        let read = self.bytes(document, JSON_LIMIT, &mut |_, _| {})?;
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
            Err(ClientError::Status { status: 403 | 405, .. }) => Ok(None),
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
        let Some(url) = self.address.below(path) else { return Ok(None) };
        let answer = self.http.get(&url, self.token.as_ref(), most, progress)?;
        Ok(answer.found()?.map(|answer| Read {
            from: answer.url.to_string(),
            content_type: Some(answer.content_type),
            bytes: answer.body,
        }))
    }

    /// Reads a JSON document.
    pub(crate) fn parse<T: DeserializeOwned>(&self, read: &Read) -> Result<T, ClientError> {
        json(&read.bytes, &read.from, read.content_type.as_deref(), &self.address)
    }
}

/// Reads a JSON document that came from `url`; hosts that answer everything with
/// a page of their own are told from registries.
pub(crate) fn json<T: DeserializeOwned>(
    bytes: &[u8],
    url: &str,
    content_type: Option<&str>,
    registry: &RegistryAddress,
) -> Result<T, ClientError> {
    serde_json::from_slice(bytes).map_err(|why| {
        let (url, registry) = (url.to_owned(), registry.to_string());
        if is_page(bytes, content_type) {
            ClientError::WebPage { url, registry }
        } else {
            ClientError::NotTheDocument { url, registry, why: why.to_string() }
        }
    })
}
