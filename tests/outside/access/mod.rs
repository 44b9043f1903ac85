//! Who may do and see what.

mod rights;
mod scopes;
mod visibility;
