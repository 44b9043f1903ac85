//! Counters: stars, ratings, downloads.

mod count_downloads;
mod downloads;
mod lost_store;
mod stars_and_ratings;
