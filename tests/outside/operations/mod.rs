//! What an operator does: configure, start, check, maintain.

mod audit;
mod config;
mod config_limits;
mod maintenance;
mod output_folder;
mod serving;
mod verify_while_serving;
