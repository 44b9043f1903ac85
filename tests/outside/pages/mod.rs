//! HTML pages.

mod base_urls;
mod content;
mod escaping;
mod imports;
mod unusual_packages;
