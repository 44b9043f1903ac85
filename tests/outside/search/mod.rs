//! Search, by the server and from the files of a tree.

mod index_files;
mod javascript;
mod precomputed;
mod server;
mod several;
