//! Changes snapshots as somebody would who knows the format.

use std::path::Path;

use serde_json::{Value, json};
use tar::{EntryType, Header};

/// An entry: its header and its content.
#[derive(Clone)]
pub struct Entry {
    pub header: Header,
    pub content: Vec<u8>,
}

/// The entries of a snapshot.
#[derive(Clone)]
pub struct Archive(pub Vec<Entry>);

impl Entry {
    /// A file as snapshots have it, like `model`.
    pub fn like(model: &Self, path: &str, content: &[u8]) -> Self {
        let mut entry = Self { header: model.header.clone(), content: content.to_vec() };
        let name = &mut entry.header.as_ustar_mut().unwrap().name;
        name.fill(0);
        name[..path.len()].copy_from_slice(path.as_bytes());
        entry.header.as_ustar_mut().unwrap().prefix.fill(0);
        entry.header.set_size(content.len() as u64);
        entry.header.set_cksum();
        entry
    }

    /// Another kind of entry, with a target.
    pub fn linking(mut self, kind: EntryType, target: &str) -> Self {
        self.header.set_entry_type(kind);
        self.header.set_link_name_literal(target).unwrap();
        self.content.clear();
        self.header.set_size(0);
        self.header.set_cksum();
        self
    }

    pub fn path(&self) -> String {
        String::from_utf8(self.header.path_bytes().into_owned()).unwrap()
    }

    pub fn set_content(&mut self, content: Vec<u8>) {
        self.header.set_size(content.len() as u64);
        self.header.set_cksum();
        self.content = content;
    }
}

impl Archive {
    pub fn read(file: &Path) -> Self {
        let bytes = zstd::decode_all(std::fs::File::open(file).unwrap()).unwrap();
        let (mut entries, mut rest) = (Vec::new(), &bytes[..]);
        while rest[..512].iter().any(|byte| *byte != 0) {
            let header = Header::from_byte_slice(&rest[..512]).clone();
            let size = header.size().unwrap() as usize;
            entries.push(Entry { header, content: rest[512..512 + size].to_vec() });
            rest = &rest[512 + size.next_multiple_of(512)..];
        }
        Self(entries)
    }

    /// The position of a file.
    #[track_caller]
    pub fn position(&self, path: &str) -> usize {
        self.0.iter().position(|entry| entry.path() == path).unwrap_or_else(|| panic!("no {path}"))
    }

    /// Makes the first file fit those after it.
    pub fn fitted(mut self) -> Self {
        let bytes: usize = self.0[1..].iter().map(|entry| entry.content.len()).sum();
        let files = self.0[1..].iter().filter(|entry| entry.path() != "snapshot-removed").count();
        self.set_manifest(&[("files", json!(files)), ("bytes", json!(bytes))]);
        self
    }

    /// Replaces fields of the first file.
    pub fn set_manifest(&mut self, fields: &[(&str, Value)]) {
        let mut text = String::from_utf8(self.0[0].content.clone()).unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        for (name, value) in fields {
            text = text.replace(&format!("\"{name}\":{}", manifest[name]), &format!("\"{name}\":{value}"));
        }
        self.0[0].set_content(text.into_bytes());
    }

    /// The archive before its compression.
    pub fn tar(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for entry in &self.0 {
            bytes.extend_from_slice(entry.header.as_bytes());
            bytes.extend_from_slice(&entry.content);
            bytes.resize(bytes.len().next_multiple_of(512), 0);
        }
        bytes.extend_from_slice(&[0; 1024]);
        bytes
    }

    pub fn write(&self, file: &Path) {
        std::fs::write(file, zstd::encode_all(&self.tar()[..], 3).unwrap()).unwrap();
    }
}
