//! Addresses of documents: the file in the tree, and the request.

use super::pattern::fill;
use super::{Document, Format, WebPage};
use crate::gzip::MAX_PLAIN;

/// The suffix of a gzip sibling, after the document's own suffix.
pub(super) const GZIP: &str = ".gz";

impl Document {
    /// The file in the tree: a relative path with `/`. `None` for an answer to a query that cannot
    /// be a path: no tree has it.
    pub fn file(&self) -> Option<String> {
        let (kind, subject) = self.kind_and_subject();
        (!kind.file.is_empty()).then(|| fill(kind.file, |name, path| subject.write(name, path)))
    }

    /// The path and query that request it from the server.
    pub fn request(&self) -> String {
        let (kind, subject) = self.kind_and_subject();
        let path = || fill(kind.request(), |name, path| subject.write(name, path));
        self.question().unwrap_or_else(|| format!("/{}", path()))
    }

    /// The name for messages: the file, or else the request.
    pub fn name(&self) -> String {
        self.file().unwrap_or_else(|| self.request())
    }

    /// Whether `length` bytes of it are worth compressing when they are sent. Packages and index
    /// files are dense already.
    pub fn is_worth_compressing(&self, length: u64) -> bool {
        self.format().is_text() && length > MAX_PLAIN
    }

    /// Whether it has a gzip sibling if it has `length` bytes. Smaller documents have none, because
    /// hosts compress them fast as they send them. Lists and marketplaces have none, because they change with
    /// every write.
    pub fn has_sibling(&self, length: u64) -> bool {
        self.may_have_sibling() && length > 16 << 10
    }

    fn may_have_sibling(&self) -> bool {
        // Readers of Markdown rarely accept gzip.
        let changes_often = self.may_lag() || matches!(self, Self::Marketplace(_) | Self::Crawlers(_));
        // Versions have few readers, and a tree has many versions.
        let is_rare = matches!(self, Self::Page(WebPage::Version(..)));
        self.format().is_text() && !changes_often && !is_rare && self.format() != Format::Markdown
    }

    /// The file of its gzip sibling. `None` if it never has one.
    pub fn gzip_file(&self) -> Option<String> {
        let file = self.file().filter(|_| self.may_have_sibling());
        file.map(|file| file + GZIP)
    }
}
