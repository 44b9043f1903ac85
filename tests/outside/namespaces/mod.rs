//! Namespaces and their members.

mod frozen;
mod lifecycle;
mod members;
