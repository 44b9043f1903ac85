//! Runs the seeds of the fuzz targets.
//!
//! The fuzz targets need a C++ compiler and minutes. These tests run their seeds through the same
//! functions.

use std::path::Path;

use generator::address::Document;
use generator::pages::Site;

#[path = "../../../fuzz/src/lib.rs"]
mod properties;

fn each_seed_of(target: &str, hold: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut seeds: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|seed| seed.unwrap().path()).collect();
    assert!(!seeds.is_empty(), "no seeds in {}", folder.display());
    seeds.sort();
    for seed in seeds {
        // Shown when it fails.
        println!("{}", seed.display());
        hold(&std::fs::read(&seed).unwrap());
    }
}

#[test]
fn archive_seeds_hold() {
    each_seed_of("archive", properties::archive::hold);
}

#[test]
fn front_matter_seeds_hold() {
    each_seed_of("front_matter", properties::front_matter::hold);
}

#[test]
fn cost_seeds_hold() {
    // Only the fuzz target makes them large, and measures their time.
    each_seed_of("cost", |seed| properties::cost::hold(seed, 16 << 10));
}

#[test]
fn name_seeds_hold() {
    each_seed_of("names", properties::names::hold);
}

#[test]
fn signed_text_seeds_hold() {
    each_seed_of("signed_texts", properties::signed_texts::hold);
}

#[test]
fn request_seeds_hold() {
    each_seed_of("locate", properties::locate::hold);
    // Their folder is named by their bytes: a seed would be right for one day.
    for path in Site::default().assets().paths() {
        properties::locate::hold(Document::Asset(path).request().as_bytes());
    }
}
