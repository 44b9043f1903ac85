//! What an operator does: configure, start, check, maintain.

mod access;
mod audit;
mod backup_contents;
mod config;
mod config_limits;
mod foreign_tree;
mod hostile_backups;
mod hosts;
mod instruments;
mod interrupts;
mod json;
mod maintenance;
mod mistakes;
mod older_data;
mod output_folder;
mod repair_while_serving;
mod restored_numbers;
mod serving;
mod settings;
mod settings_mistakes;
mod signed_tree;
mod supervisor;
mod verify_while_serving;
