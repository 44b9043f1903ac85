//! Bodies that a host compresses, although every request asks for plain bytes.

use std::io::{self, ErrorKind, Read, Take};

use flate2::read::MultiGzDecoder;
use registry::sanitize::blank_unsafe;
use ureq::Body;
use ureq::http::{Response, header};
use url::Url;

use super::failure::of_body;
use crate::ClientError;

/// The body of an answer as its sender meant it.
pub(super) struct Decoded {
    /// The decoded bytes. An error of the kind `InvalidInput` says that they are damaged, one of the kind
    /// `FileTooLarge` that there are too many.
    pub reader: Box<dyn Read + Send>,
    /// The number of decoded bytes, if the host says it.
    pub length: Option<u64>,
}

/// Removes the `Content-Encoding` of an answer. Reads at most `most_encoded` bytes of a compressed body,
/// because endless bytes can decode to nothing.
///
/// Errors: the encoding is not gzip.
pub(super) fn decode(url: &Url, response: Response<Body>, most_encoded: u64) -> Result<Decoded, ClientError> {
    let codings = response.headers().get_all(header::CONTENT_ENCODING).into_iter();
    let codings: Vec<String> = codings
        .flat_map(|value| String::from_utf8_lossy(value.as_bytes()).split(',').map(name).collect::<Vec<_>>())
        .filter(|name| !matches!(name.as_str(), "" | "identity"))
        .collect();
    let length = response.body().content_length();
    let reader = Told(response.into_body().into_reader());
    match &codings[..] {
        [] => Ok(Decoded { reader: Box::new(reader), length }),
        [one] if matches!(one.as_str(), "gzip" | "x-gzip") => {
            let decoder = MultiGzDecoder::new(Bounded(reader.take(most_encoded)));
            Ok(Decoded { reader: Box::new(Gzip(decoder)), length: None })
        }
        _ => {
            let shown = blank_unsafe(&codings.join(", ")).chars().take(40).collect::<String>();
            let why = format!(
                "the host sends it with `Content-Encoding: {shown}`, which this program does not ask for"
            );
            Err(ClientError::Encoding { url: url.to_string(), why })
        }
    }
}

/// The name of a coding in lower case.
fn name(coding: &str) -> String {
    coding.trim().to_ascii_lowercase()
}

/// A body whose errors are sentences.
struct Told<R>(R);

impl<R: Read> Read for Told<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map_err(|why| match why.kind() {
            ErrorKind::Interrupted => why,
            _ => of_body(&why),
        })
    }
}

/// A gzip decoder whose errors are sentences.
struct Gzip<R>(MultiGzDecoder<Bounded<R>>);

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let sentence =
            |kind, what| io::Error::new(kind, format!("the gzip in which the host sends it {what}"));
        self.0.read(into).map_err(|why| match why.kind() {
            kind @ ErrorKind::InvalidInput => sentence(kind, "is damaged"),
            kind @ ErrorKind::UnexpectedEof => sentence(kind, "breaks off"),
            _ => why,
        })
    }
}

/// Fails with `FileTooLarge` at the limit.
struct Bounded<R>(Take<R>);

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.0.limit() {
            0 => Err(ErrorKind::FileTooLarge.into()),
            _ => self.0.read(into),
        }
    }
}
