//! HTML pages.

mod base_urls;
mod content;
mod escaping;
mod imports;
mod keys;
mod unusual_packages;
