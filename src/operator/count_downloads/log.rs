//! Reads an access log line by line, and computes a digest of the lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;
use registry::local::LogPosition;
use registry::names::{Digest, DigestBuilder};

/// The longest line in bytes that is parsed. It limits the memory for a line.
const MAX_LINE: usize = 1 << 20;

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A log that is being read. It ends with its last line feed, because the program that logs
/// may not have finished the line after it.
pub struct Log {
    reader: Box<dyn BufRead>,
    digest: DigestBuilder,
    /// The bytes of the read lines, uncompressed.
    bytes: u64,
    /// The number of read lines.
    lines: u64,
    line: Vec<u8>,
}

/// A line of a log.
pub enum LogLine<'a> {
    /// The line, without its line feed.
    Whole(&'a [u8]),
    /// A line that exceeds the limit.
    TooLong,
}

impl Log {
    /// Opens a file, which may be compressed with gzip. `bar` shows the progress in the file.
    pub fn open(path: &Path, bar: &ProgressBar) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is not a regular file, but must be read twice"));
        }
        let mut magic = Vec::new();
        (&mut file).take(GZIP.len() as u64).read_to_end(&mut magic)?;
        file.rewind()?;
        bar.set_position(0);
        let file = BufReader::with_capacity(64 << 10, bar.wrap_read(file));
        let reader: Box<dyn BufRead> = match magic == GZIP {
            true => Box::new(BufReader::with_capacity(64 << 10, MultiGzDecoder::new(file))),
            false => Box::new(file),
        };
        let (digest, line) = (DigestBuilder::default(), Vec::new());
        Ok(Self { reader, digest, bytes: 0, lines: 0, line })
    }

    /// The next line. None at the end.
    pub fn read_line(&mut self) -> io::Result<Option<LogLine<'_>>> {
        // The digest of an incomplete line is discarded.
        let mut digest = self.digest.clone();
        let mut length = 0;
        self.line.clear();
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let piece = &buffer[..end.map_or(buffer.len(), |end| end + 1)];
            digest.update(piece);
            length += piece.len();
            if length <= MAX_LINE {
                self.line.extend_from_slice(piece);
            }
            let read = piece.len();
            self.reader.consume(read);
            if end.is_some() {
                break;
            }
        }
        self.digest = digest;
        self.bytes += length as u64;
        self.lines += 1;
        if length > MAX_LINE {
            return Ok(Some(LogLine::TooLong));
        }
        Ok(Some(LogLine::Whole(self.line.strip_suffix(b"\n").unwrap_or(&self.line))))
    }

    /// Skips to the position `bytes`. Returns whether the log is that long.
    pub fn skip_to(&mut self, bytes: u64) -> io::Result<bool> {
        while self.bytes < bytes {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(false);
            }
            let left = usize::try_from(bytes - self.bytes).unwrap_or(usize::MAX);
            let piece = &buffer[..left.min(buffer.len())];
            self.digest.update(piece);
            self.lines += piece.iter().filter(|byte| **byte == b'\n').count() as u64;
            let read = piece.len();
            self.bytes += read as u64;
            self.reader.consume(read);
        }
        Ok(self.bytes == bytes)
    }

    /// The number of bytes read, uncompressed.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The current position.
    pub fn position(&self) -> LogPosition {
        let digest: Digest = self.digest.clone().finish();
        LogPosition { bytes: self.bytes, digest }
    }

    /// The number of lines read, which is the number of the last line.
    pub fn lines(&self) -> u64 {
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn log(bytes: &[u8]) -> Log {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        Log::open(file.path(), &ProgressBar::hidden()).unwrap()
    }

    fn lines(mut log: Log) -> Vec<Option<Vec<u8>>> {
        let mut lines = Vec::new();
        while let Some(found) = log.read_line().unwrap() {
            lines.push(match found {
                LogLine::Whole(line) => Some(line.to_vec()),
                LogLine::TooLong => None,
            });
        }
        lines
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn line_without_line_feed_is_not_read() {
        let found = lines(log(b"one\n\ntwo\r\nthr"));
        assert_eq!(found, [b"one".as_slice(), b"", b"two\r"].map(|line| Some(line.to_vec())));
        assert!(lines(log(b"")).is_empty());
        assert!(lines(log(b"x")).is_empty());
    }

    #[test]
    fn long_line_is_skipped() {
        let mut bytes = vec![b'x'; MAX_LINE + 7];
        bytes.extend_from_slice(b"\nshort\n");
        bytes.resize(bytes.len() + MAX_LINE - 1, b'y');
        bytes.push(b'\n');
        let found = lines(log(&bytes));
        assert_eq!(found.len(), 3);
        assert!(found[0].is_none() && found[1].as_deref() == Some(b"short"));
        assert_eq!(found[2].as_ref().map(Vec::len), Some(MAX_LINE - 1));
    }

    #[test]
    fn position_after_reading_and_skipping_is_the_same() {
        let bytes = b"one\ntwo\nthree\nfo";
        let compressed = [gzip(b"one\ntw"), gzip(b"o\nthree\nfo")].concat();
        for file in [bytes.to_vec(), compressed] {
            let mut read = log(&file);
            while read.read_line().unwrap().is_some() {}
            assert_eq!(read.position(), LogPosition { bytes: 14, digest: Digest::of(&bytes[..14]) });
            assert_eq!(read.lines(), 3);
            let mut skipped = log(&file);
            assert!(skipped.skip_to(8).unwrap());
            assert_eq!((skipped.position().digest, skipped.lines()), (Digest::of(&bytes[..8]), 2));
            assert!(skipped.skip_to(14).unwrap());
            assert_eq!(skipped.position(), read.position());
            assert!(!skipped.skip_to(99).unwrap());
            assert!(!skipped.skip_to(3).unwrap(), "a log cannot be rewound");
        }
    }

    #[test]
    fn truncated_gzip_is_an_error_after_its_lines() {
        let mut whole = Vec::new();
        for n in 0..10_000 {
            writeln!(whole, "line {n}").unwrap();
        }
        let compressed = gzip(&whole);
        let mut cut = log(&compressed[..compressed.len() / 2]);
        let mut read = 0;
        let ended = loop {
            match cut.read_line() {
                Ok(Some(_)) => read += 1,
                Ok(None) => break false,
                Err(_) => break true,
            }
        };
        assert!(ended && read > 100 && cut.lines() == read, "{read}");
    }

    #[test]
    fn open_of_a_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Log::open(folder.path(), &ProgressBar::hidden()).is_err());
    }
}
