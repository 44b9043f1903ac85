//! The client commands, apart from `install`.

mod broken_hosts;
mod discovery;
mod docs;
mod home_paths;
mod login;
mod not_found;
mod output;
mod proxies;
mod publish;
mod published_files;
mod reads;
mod redirects;
mod search_index;
mod terminal;
mod tls;
