//! HTML pages.

mod base_urls;
mod content;
mod escaping;
mod unusual_packages;
