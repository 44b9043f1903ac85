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

use outside::harness;

mod outside {
    pub mod harness;
    mod tidy;

    mod access;
    mod accounts;
    mod advisories;
    mod buckets;
    mod bundles;
    mod carry;
    mod clawhub;
    mod client;
    mod client_login;
    mod closed;
    mod concurrency;
    mod counters;
    mod durability;
    mod git;
    mod help;
    mod http;
    mod import;
    mod install;
    mod lock;
    mod mcp;
    mod messages;
    mod mirrors;
    mod namespaces;
    mod operations;
    mod packages;
    mod pages;
    mod policy;
    mod private_namespaces;
    mod publish;
    mod reviews;
    mod search;
    mod sign_in;
    mod skills;
    mod sources;
    mod storage;
    mod team;
    mod tree;
    mod trusted;
    mod upgrades;
    mod verdicts;
    mod writing;
}
