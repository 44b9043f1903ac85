//! The tree of static files.

mod files;
mod first_generation;
mod lagging;
mod list_depth;
mod nginx;
mod publish_writes;
mod regeneration;
mod static_host;
mod tiers;
mod unwritable;
