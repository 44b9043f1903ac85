//! Namespaces and their members.

mod frozen;
mod invitations;
mod lifecycle;
mod look_alikes;
mod members;
