//! `skillmirror import`.

mod corpus;
mod folders;
mod manifest;
mod refusals;
