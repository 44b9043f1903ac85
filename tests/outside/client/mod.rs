//! The client commands, apart from `install`.

mod broken_hosts;
mod closed_reads;
mod did_you_mean;
mod discovery;
mod docs;
mod encodings;
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
mod short_options;
mod terminal;
mod tls;
