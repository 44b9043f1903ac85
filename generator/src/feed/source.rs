//! Where a feed is read from.

use std::io::{self, Read};

use super::FeedError;
use crate::address::Document;
use crate::tree::Tree;

/// No document of a feed is longer: a page closes at 256 KiB, with the row that
/// reaches it, and no row is nearly as long as this.
const LONGEST: u64 = 64 * 1024 * 1024;

/// A published tree: a folder, or something that serves one.
pub trait Source: Send + Sync {
    /// What to call it in a message.
    fn name(&self) -> String;

    /// Opens a document's file. None when the source does not have it.
    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>>;
}

impl Source for Tree {
    fn name(&self) -> String {
        self.root().display().to_string()
    }

    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>> {
        Ok(Tree::open(self, document)?.map(|file| Box::new(file) as Box<dyn Read + Send>))
    }
}

/// Opens a document that has to be there.
pub(super) fn open(source: &dyn Source, document: &Document) -> Result<Box<dyn Read + Send>, FeedError> {
    match source.open(document) {
        Ok(Some(reader)) => Ok(reader),
        Ok(None) => Err(FeedError::refused(source, document, "is not there")),
        Err(why) => Err(FeedError::refused(source, document, format!("cannot be read: {why}"))),
    }
}

/// Reads a document of the feed.
pub(super) fn read(source: &dyn Source, document: &Document) -> Result<String, FeedError> {
    read_up_to(source, document, LONGEST)
}

/// Reads a document of at most `longest` bytes.
pub(super) fn read_up_to(
    source: &dyn Source,
    document: &Document,
    longest: u64,
) -> Result<String, FeedError> {
    let refused = |why: String| FeedError::refused(source, document, why);
    let mut bytes = Vec::new();
    let read = open(source, document)?.take(longest + 1).read_to_end(&mut bytes);
    read.map_err(|why| refused(format!("cannot be read: {why}")))?;
    if bytes.len() as u64 > longest {
        return Err(refused(format!("is longer than {longest} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| refused("is no text".into()))
}

/// What to say of a text that is not the JSON it should be.
pub(super) fn no_json(text: &str, why: &serde_json::Error) -> String {
    let start: String = text.trim_start().chars().take(40).collect();
    match start.starts_with('<') {
        true => format!("is a web page (`{}`) and no JSON: give the root of a tree", start.trim_end()),
        false => format!("is not what it should be: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_page_is_called_one() {
        let why = |text: &str| no_json(text, &serde_json::from_str::<serde_json::Value>(text).unwrap_err());
        assert!(why("\n<!doctype html>\n<html>").contains("web page (`<!doctype html>"));
        assert!(why("{\"a\":").contains("EOF"), "{}", why("{\"a\":"));
    }
}
