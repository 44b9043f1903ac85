//! Skills and their versions: reads, lists, changes.

mod files;
mod lists;
mod marketplace;
mod promotion;
mod ratings;
mod reads;
mod removal;
mod stars;
mod tags;
mod takedowns;
mod transfers;
mod updates;
mod yanks;
