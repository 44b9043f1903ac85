//! Worlds: data folders with as many skills as a measurement needs, made once
//! and kept.

mod kept;
mod make;
pub mod memory;
mod prose;
mod skill;

pub use kept::{World, folder};
pub use make::{Size, make};
pub use prose::Prose;
pub use skill::{MEDIAN, Shape, namespace, package, slug};
