//! Worlds: data folders with as many skills as a measurement needs, made once
//! and kept.

mod cache;
mod make;
pub mod memory;
mod no_packages;
mod prose;
mod skill;

pub use cache::{World, folder};
pub use make::{Size, make};
pub use prose::Prose;
pub use skill::{MEDIAN, Shape, namespace, package, slug};
