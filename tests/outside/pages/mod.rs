//! HTML pages.

mod base_urls;
mod below_a_path;
mod browsing;
mod content;
mod escaping;
mod feeds;
mod imports;
mod keys;
mod lists;
mod own_look;
mod signed_in;
mod unusual_packages;
mod version;
