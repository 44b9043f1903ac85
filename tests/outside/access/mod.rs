//! Who may do and see what.

mod rights;
mod visibility;
