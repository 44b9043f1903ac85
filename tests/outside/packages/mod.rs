//! What is inside a package.

mod contents;
mod fuzz_seeds;
mod headings;
mod hostile;
mod refusals;
