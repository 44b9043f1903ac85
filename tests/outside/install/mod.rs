//! `skillmirror install` and `uninstall`.

mod broken_hosts;
mod existing_folder;
mod foreign_folder;
mod history;
mod interrupted;
mod killed;
mod several_sources;
mod sources;
mod tampered_mirror;
mod trusted;
mod uninstall;
mod vouching;
