use super::*;
use crate::local::tests::opened;

fn day(number: i64) -> Day {
    Day::from_number(number).unwrap()
}

fn download(version: u64, on: i64, client: [u8; 4]) -> Download {
    Download { skill: Id(version / 10), version: Id(version), day: day(on), client: client.into() }
}

#[test]
fn count_downloads_stores_no_address() {
    let data = tempfile::tempdir().unwrap();
    let client = [193, 17, 219, 131];
    opened(data.path()).count_downloads(&[download(71, 5, client)]).unwrap();
    let mapped = std::net::Ipv4Addr::from(client).to_ipv6_mapped().octets();
    for file in data.path().read_dir().unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let has = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
        assert!(!has(&client) && !has(&mapped) && !has(b"193.17.219.131"));
    }
}
