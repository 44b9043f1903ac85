//! Reads a tree over HTTP, with the connections of the client.

use std::io::{self, Cursor, Read};
use std::sync::Mutex;

use client::RegistryAddress;
use client::http::{Http, OpenAnswer, ReadAccess};
use generator::address::Document;
use generator::follower::FeedSource;

/// The size limit of the head.
const MAX_HEAD_BYTES: u64 = 64 * 1024;

/// A host that serves a tree.
pub struct HttpSource {
    base: RegistryAddress,
    http: Http,
    /// The last head, for conditional requests.
    head: Mutex<Option<CachedHead>>,
}

struct CachedHead {
    /// The ETag. `If-Modified-Since` would not do: restoring a backup sets the time of the head
    /// back, and hosts would answer that nothing has changed.
    etag: String,
    bytes: Vec<u8>,
}

impl HttpSource {
    /// The tree with its root at an address on a host.
    pub fn with(access: ReadAccess) -> Self {
        Self { base: access.registry().clone(), http: Http::new(access), head: Mutex::default() }
    }

    fn get(&self, document: &Document, known: Option<&CachedHead>) -> io::Result<OpenAnswer> {
        let file = document.file().and_then(|file| self.base.url_of(&format!("/{file}")));
        let url = file.ok_or_else(|| io::Error::other(format!("{} has no file", document.name())))?;
        self.http.open(&url, known.map(|known| known.etag.as_str())).map_err(io::Error::other)
    }

    /// Reads the head with a conditional request, because every look at the source starts with
    /// it.
    fn head(&self) -> io::Result<Option<Vec<u8>>> {
        // A panic elsewhere leaves the value intact.
        let mut head = self.head.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let answer = self.get(&Document::Head, head.as_ref())?;
        if answer.status == 304
            && let Some(known) = &*head
        {
            return Ok(Some(known.bytes.clone()));
        }
        *head = None;
        let Some(OpenAnswer { etag, body, .. }) = found(answer)? else { return Ok(None) };
        let mut bytes = Vec::new();
        body.take(MAX_HEAD_BYTES).read_to_end(&mut bytes)?;
        *head = etag.map(|etag| CachedHead { etag, bytes: bytes.clone() });
        Ok(Some(bytes))
    }
}

/// Checks the status of an answer. None if the document is missing.
fn found(answer: OpenAnswer) -> io::Result<Option<OpenAnswer>> {
    match answer.status {
        200 => Ok(Some(answer)),
        404 | 410 => Ok(None),
        status => Err(io::Error::other(format!("the host answered with status {status}"))),
    }
}

impl FeedSource for HttpSource {
    fn name(&self) -> String {
        self.base.to_string()
    }

    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>> {
        if *document == Document::Head {
            let bytes = self.head()?;
            return Ok(bytes.map(|bytes| Box::new(Cursor::new(bytes)) as Box<dyn Read + Send>));
        }
        Ok(found(self.get(document, None)?)?.map(|answer| answer.body))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::thread::JoinHandle;

    use super::*;

    /// A host that gives these answers, one per connection. Returns its address, and at the end
    /// the requests.
    fn host(answers: Vec<&'static str>) -> (String, JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/sub", listener.local_addr().unwrap());
        let serve = move |answer: &str| {
            let (mut stream, _) = listener.accept().unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
            let asked: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            stream.write_all(answer.as_bytes()).unwrap();
            asked.join("\n")
        };
        (base, std::thread::spawn(move || answers.into_iter().map(serve).collect()))
    }

    fn read(source: &HttpSource, document: &Document) -> io::Result<Option<String>> {
        let Some(mut reader) = source.open(document)? else { return Ok(None) };
        let mut text = String::new();
        reader.read_to_string(&mut text)?;
        Ok(Some(text))
    }

    #[test]
    fn head_is_requested_with_its_etag() {
        let (base, host) = host(vec![
            "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 3\r\nConnection: close\r\n\r\none",
            "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 200 OK\r\nETag: \"b\"\r\nContent-Length: 3\r\nConnection: close\r\n\r\ntwo",
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ]);
        let source = HttpSource::with(ReadAccess::saved(base.parse().unwrap()));
        for expected in [Some("one"), Some("one"), Some("two"), None] {
            assert_eq!(read(&source, &Document::Head).unwrap().as_deref(), expected);
        }
        let asked = host.join().unwrap();
        assert!(asked[0].starts_with("GET /sub/api/v1/mirror/head.json HTTP/1.1"), "{asked:?}");
        let conditions = |asked: &String| asked.to_lowercase().contains("if-none-match: \"a\"");
        assert_eq!(asked.iter().map(conditions).collect::<Vec<_>>(), [false, true, true, false]);
    }

    #[test]
    fn broken_answer_is_an_error() {
        let (base, host) = host(vec![
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\nhalf",
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n",
        ]);
        let source = HttpSource::with(ReadAccess::saved(base.parse().unwrap()));
        read(&source, &Document::Feed(1)).unwrap_err();
        for status in ["503", "304"] {
            let why = read(&source, &Document::Head).unwrap_err().to_string();
            assert!(why.contains(status), "{why}");
        }
        host.join().unwrap();
        // The host has ended.
        read(&source, &Document::Settings).unwrap_err();
    }
}
