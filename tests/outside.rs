//! Black-box tests: the real program, driven over HTTP and through files.
//!
//! One binary, so that the harness is compiled once. `outside::harness` has the
//! verbs; every other module is a theme. `UPDATE_SNAPSHOTS=1` rewrites the
//! snapshots of which files exist after which action.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    unreachable_pub,
    missing_docs,
    reason = "a test fails by panicking, and nobody imports it"
)]

mod outside {
    mod harness;
    mod tidy;

    mod audit;
    mod auth;
    mod bounds;
    mod client_absent;
    mod client_discovery;
    mod client_documented;
    mod client_hosts;
    mod client_login;
    mod client_output;
    mod client_proxies;
    mod client_publish;
    mod client_reads;
    mod client_redirects;
    mod client_search_index;
    mod client_tls;
    mod compression;
    mod config;
    mod config_bounds;
    mod corpus;
    mod count_downloads;
    mod counters;
    mod crashes;
    mod disk_data;
    mod disk_output;
    mod disk_start;
    mod display_name;
    mod documented;
    mod downloads;
    mod feed;
    mod first_generation;
    mod first_start;
    mod folders;
    mod following;
    mod frozen;
    mod fuzz_seeds;
    mod hammering;
    mod headings;
    mod histories;
    mod hostile;
    mod http_reads;
    mod import;
    mod import_manifest;
    mod import_refusals;
    mod install;
    mod install_again;
    mod install_foreign_folder;
    mod install_hosts;
    mod install_interrupted;
    mod install_killed;
    mod install_tampered;
    mod journal_damage;
    mod keeping;
    mod lagging;
    mod leaks;
    mod list_depth;
    mod lists;
    mod login;
    mod login_failures;
    mod lost_counters;
    mod me;
    mod members;
    mod mirror;
    mod mixed_writes;
    mod namespaces;
    mod nginx;
    mod origins;
    mod packages;
    mod pages;
    mod pages_inert;
    mod pages_of_mirrors;
    mod pages_of_packages;
    mod pages_served;
    mod password_change;
    mod processes;
    mod promotion;
    mod publish_refusals;
    mod publish_writes;
    mod publishing;
    mod races;
    mod rate_limits;
    mod ratings;
    mod reads;
    mod refusals;
    mod removal;
    mod review_decisions;
    mod reviews;
    mod rights;
    mod routes;
    mod search;
    mod search_answers;
    mod search_pieces;
    mod search_readers;
    mod serving;
    mod session_origins;
    mod sessions;
    mod stars;
    mod static_host;
    mod tags;
    mod terminal;
    mod tokens;
    mod transfers;
    mod tree_files;
    mod uninstall;
    mod unusable_tree;
    mod updates;
    mod verify_beside;
    mod versioning;
    mod yanks;
}
