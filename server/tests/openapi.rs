//! `generator/assets/openapi.json` matches the route table and the records.
#![allow(clippy::unwrap_used)]

use std::path::Path;

#[test]
fn openapi_file_matches_the_route_table() {
    let generated = server::openapi::text().unwrap();
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generator/assets/openapi.json");
        std::fs::write(file, &generated).unwrap();
        return;
    }
    let document = generator::openapi::DOCUMENT;
    let difference = generated.lines().zip(document.lines()).find(|(generated, kept)| generated != kept);
    assert!(
        generated == document,
        "generator/assets/openapi.json is outdated; the first difference (generated, kept) is {difference:?}.\n\
         To rewrite it: UPDATE_OPENAPI=1 cargo test -p skillmirror-server --test openapi. \
         Then run cargo test -p skillmirror-generator --lib openapi and follow its message"
    );
}
