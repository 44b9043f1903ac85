//! The file of the API's description is what the route table and the records
//! make.
#![allow(clippy::unwrap_used)]

use std::path::Path;

#[test]
fn the_file_is_what_the_route_table_makes() {
    let made = server::openapi::text().unwrap();
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generator/assets/openapi.json");
        std::fs::write(file, &made).unwrap();
        return;
    }
    let differs = made.lines().zip(generator::openapi::DOCUMENT.lines()).find(|(made, kept)| made != kept);
    assert!(
        made == generator::openapi::DOCUMENT,
        "generator/assets/openapi.json is out of date, first here (made, kept): {differs:?}\n\
         If this is meant: UPDATE_OPENAPI=1 cargo test -p skillmirror-server --test openapi, then raise FORMAT"
    );
}
