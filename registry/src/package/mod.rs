//! stub
#![allow(missing_docs)]
use crate::names::*;
use serde::{Deserialize, Serialize};
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    pub path: String,
}
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprints {
    pub text: Digest,
    pub extended: Digest,
    pub all: Digest,
}
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub code: String,
    pub path: Option<String>,
    pub line: Option<u64>,
    pub message: String,
}
impl Finding {
    pub fn new(code: &str, message: String) -> Self {
        todo!("{code} {message}")
    }
    pub fn is_about_secrets(&self) -> bool {
        self.code.starts_with("secret_")
    }
}
pub struct Claim {
    pub namespace: Option<Namespace>,
    pub slug: Slug,
}
pub struct Manifest {
    pub claimed: Option<Claim>,
    pub slug_from_source: Option<Slug>,
    pub version: Option<TolerantVersion>,
    pub description: String,
    pub title: Option<String>,
    pub license: Option<String>,
    pub homepage: Option<String>,
    pub keywords: Vec<String>,
    pub front_matter: serde_json::Map<String, serde_json::Value>,
}
pub struct Package {
    m: Manifest,
    f: Vec<FileRecord>,
    p: Fingerprints,
    w: Vec<Finding>,
}
impl Package {
    pub fn manifest(&self) -> &Manifest {
        &self.m
    }
    pub fn files(&self) -> &[FileRecord] {
        &self.f
    }
    pub fn fingerprints(&self) -> &Fingerprints {
        &self.p
    }
    pub fn warnings(&self) -> &[Finding] {
        &self.w
    }
    pub fn content_digest(&self) -> Digest {
        todo!()
    }
    pub fn unpacked_size(&self) -> u64 {
        0
    }
}
